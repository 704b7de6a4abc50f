package org.metasched.adapter.command;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.Settings;

/**
 * Settings by which a site's commands are run: the mapping under {@code run:}.
 *
 * @param path folders searched before the usual ones
 * @param environment variables set for every command, beside {@code PATH} and {@code LC_ALL=C}
 * @param prefix words put before every command, such as {@code [sudo, -n, -u, gridadm]}
 * @param timeout time after which a command is killed; 30 s by default
 * @param outputLimit most bytes of stdout, and of stderr, beyond which a command is killed; 32 MiB by default
 * @param ssh the other machine; empty if the commands run on this one
 */
public record RunSettings(
        List<String> path,
        Map<String, String> environment,
        List<String> prefix,
        Duration timeout,
        int outputLimit,
        Optional<SshTarget> ssh) {

    static final Set<String> KEYS = Set.of("path", "environment", "prefix", "timeout", "output-limit", "ssh");

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);
    private static final int USUAL_LIMIT = 32 << 20;
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public RunSettings {
        path = List.copyOf(path);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        prefix = List.copyOf(prefix);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("The timeout (" + timeout + ") must be positive.");
        }
        if (outputLimit < 1) {
            throw new IllegalArgumentException("The output limit (" + outputLimit + ") must be at least 1 byte.");
        }
    }

    /** Settings for this machine, with the usual limits. */
    public static RunSettings local() {
        return new RunSettings(List.of(), Map.of(), List.of(), USUAL_TIMEOUT, USUAL_LIMIT, Optional.empty());
    }

    /** Reads the mapping under {@code run:}; without one the commands run on this machine. */
    public static RunSettings from(Optional<Settings> section) {
        if (section.isEmpty()) {
            return local();
        }
        Settings settings = section.get();
        settings.allowOnly(KEYS);
        Duration timeout = settings.positiveDuration("timeout", USUAL_TIMEOUT);
        int limit = settings.number("output-limit").orElse(USUAL_LIMIT);
        settings.refuseIf(limit < 1024, "output-limit", "expected at least 1024 bytes, not (%s)", limit);
        return new RunSettings(
                settings.texts("path"),
                environment(settings.section("environment")),
                settings.texts("prefix"),
                timeout,
                limit,
                settings.section("ssh").map(SshTarget::from));
    }

    /** The same with one more variable, unless the settings name it themselves. */
    public RunSettings withDefault(String name, String value) {
        if (environment.containsKey(name)) {
            return this;
        }
        var more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new RunSettings(path, more, prefix, timeout, outputLimit, ssh);
    }

    private static Map<String, String> environment(Optional<Settings> section) {
        var all = new LinkedHashMap<String, String>();
        section.ifPresent(settings -> {
            for (String name : settings.keys()) {
                settings.refuseIf(
                        !VARIABLE.matcher(name).matches(), name, "expected the name of an environment variable");
                all.put(name, settings.requiredText(name));
            }
        });
        return all;
    }
}
