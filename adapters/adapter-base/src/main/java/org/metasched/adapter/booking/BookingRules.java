package org.metasched.adapter.booking;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Settings;

/**
 * Settings of booking that every scheduler's site has.
 *
 * @param namePrefix first part of the name of every reservation made here; a reservation without it was not made by this adapter and is
 *     not touched
 * @param leadTime time from now to the soonest start offered, which is then rounded up to a whole minute
 * @param cancelTimeout time for which a cancelled reservation may still be shown; after it the cancellation has failed
 */
public record BookingRules(String namePrefix, Duration leadTime, Duration cancelTimeout) {

    static final Set<String> KEYS = Set.of("name-prefix", "lead-time", "cancel-timeout");

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,30}");

    /** Reads {@code name-prefix}, {@code lead-time} and {@code cancel-timeout}. */
    public static BookingRules from(Settings settings, Duration usualLead) {
        String prefix = settings.text("name-prefix").orElse("metasched-");
        settings.refuseIf(
                !PREFIX.matcher(prefix).matches(),
                "name-prefix",
                "expected 1 to 31 letters, digits, '_', '.' or '-', beginning with a letter, not (%s)",
                DisplayText.of(prefix));
        return new BookingRules(
                prefix,
                settings.notNegativeDuration("lead-time", usualLead),
                settings.notNegativeDuration("cancel-timeout", Duration.ofSeconds(30)));
    }

    public String nameOf(RequestKey key) {
        return namePrefix + key;
    }

    /** The key in the name of a reservation; empty if the reservation was not made here. */
    public Optional<RequestKey> keyOf(String name) {
        if (!name.startsWith(namePrefix)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RequestKey(name.substring(namePrefix.length())));
        } catch (IllegalArgumentException notAKey) {
            return Optional.empty();
        }
    }
}
