package org.metasched.agreement;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Reaction when a reservation loses nodes before its slot begins. The loss shows in the agreement at once in any case. */
public enum OnDegraded {
    /** Only reports the loss. */
    TELL,
    /** Ends the agreement. */
    END,
    /** Replaces the degraded reservation by a whole one at the same site for the same time, if there is room. */
    REPLACE,
    /** Does as {@link #REPLACE}; if the site has no room, negotiates all parts again for the same time at any sites the offer allows. */
    RENEGOTIATE;

    /** The word in configurations and offers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The policy of a {@link #word()}; empty for another text. */
    public static Optional<OnDegraded> of(String word) {
        return Arrays.stream(values())
                .filter(policy -> policy.word().equals(word.strip()))
                .findFirst();
    }
}
