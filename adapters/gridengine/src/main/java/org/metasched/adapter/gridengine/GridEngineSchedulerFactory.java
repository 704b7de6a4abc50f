package org.metasched.adapter.gridengine;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;

/**
 * Type {@code gridengine}. Own settings: {@code queue}, and {@code parallel-environment}, whose {@code allocation_rule}
 * must be the number of slots of a node.
 */
public final class GridEngineSchedulerFactory implements LocalSchedulerFactory {

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");

    @Override
    public String type() {
        return "gridengine";
    }

    @Override
    public LocalScheduler open(SiteId id, Settings settings, Clock clock) {
        settings.allowOnly(BookingScheduler.keysAnd("queue", "parallel-environment", "programs"));
        var usual = new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1));
        CommandLineSite site = CommandLineSite.from(id, settings, clock, usual);
        var rules = BookingRules.from(settings, Duration.ofSeconds(10));
        String queue = word(settings, "queue");
        return new GridEngineScheduler(site, rules, settings, queue, word(settings, "parallel-environment"));
    }

    private static String word(Settings settings, String key) {
        String word = settings.requiredText(key);
        settings.refuseIf(
                !WORD.matcher(word).matches(), key, "expected letters, digits, '_', '.' or '-', not (%s)", word);
        return word;
    }
}
