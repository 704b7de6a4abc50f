package org.metasched.adapter.booking;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.command.SharedReads;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.identity.LocalUsers;
import org.metasched.adapter.text.NearestKey;

/**
 * Settings that all command-line adapters share: {@code look-ahead}, {@code grid}, {@code zone}, {@code identity}, {@code run}
 * and {@code snapshot}.
 *
 * @param id the site
 * @param clock the clock for all decisions
 * @param preview the time ahead for which the site shows its slots, and the grid of its bookings
 * @param times the zone of the local times that the scheduler reads and prints; commands run with {@code TZ} set to it
 * @param users the users that the site admits
 * @param runner runs the commands
 * @param shared snapshots of the commands' output that all callers share, at most as old as the setting {@code snapshot}
 */
public record CommandLineSite(
        SiteId id,
        Clock clock,
        PreviewWindow preview,
        SiteClock times,
        LocalUsers users,
        CommandRunner runner,
        SharedReads shared) {

    /** The settings read here. */
    static final Set<String> KEYS = Set.of("type", "look-ahead", "grid", "zone", "identity", "run", "snapshot");

    private static final Duration USUAL_SNAPSHOT = Duration.ofSeconds(5);
    private static final Duration OLDEST_SNAPSHOT = Duration.ofMinutes(5);

    /**
     * Defaults of an adapter for settings that are not given.
     *
     * @param environment variables that its commands need, beside {@code TZ}
     */
    public record Defaults(ZoneId zone, Duration grid, Map<String, String> environment) {

        public Defaults(ZoneId zone, Duration grid) {
            this(zone, grid, Map.of());
        }
    }

    /** Reads the settings; a key that is missing has the adapter's default, or the usual one. */
    public static CommandLineSite from(SiteId id, Settings settings, Clock clock, Defaults defaults) {
        ZoneId zone = settings.text("zone").map(name -> zone(settings, name)).orElse(defaults.zone());
        var times = new SiteClock(zone);
        var run = RunSettings.from(settings.section("run")).withDefault("TZ", times.tz());
        for (Map.Entry<String, String> variable : defaults.environment().entrySet()) {
            run = run.withDefault(variable.getKey(), variable.getValue());
        }
        return new CommandLineSite(
                id,
                clock,
                PreviewWindow.from(settings, defaults.grid()),
                times,
                LocalUsers.from(id, settings.section("identity")),
                new CommandRunner(id, run),
                new SharedReads(id, clock, snapshot(settings)));
    }

    private static Duration snapshot(Settings settings) {
        Duration interval = settings.duration("snapshot").orElse(USUAL_SNAPSHOT);
        if (interval.isNegative() || interval.compareTo(OLDEST_SNAPSHOT) > 0) {
            throw settings.invalid("snapshot", "expected from 0s to " + OLDEST_SNAPSHOT + ", not (" + interval + ")");
        }
        return interval;
    }

    private static ZoneId zone(Settings settings, String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw settings.invalid(
                    "zone",
                    "expected a zone such as Europe/Berlin or UTC, not (" + DisplayText.of(name) + ")"
                            + NearestKey.hint(name, ZoneId.getAvailableZoneIds()));
        }
    }
}
