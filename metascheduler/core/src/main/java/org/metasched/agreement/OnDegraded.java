package org.metasched.agreement;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Reaction when a reservation loses nodes before its slot begins. The loss shows in the agreement at once in any case. */
public enum OnDegraded {
    /** Only tell. */
    TELL,
    /** The agreement is ended. */
    END,
    /** A whole reservation at the same site for the same time takes the place of the degraded one, if there is room. */
    REPLACE,
    /** If there is none, all parts are negotiated anew for the same time, wherever the offer allows. */
    RENEGOTIATE;

    /** The word in configurations and offers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The policy of a {@link #word()}, or nothing. */
    public static Optional<OnDegraded> of(String word) {
        return Arrays.stream(values())
                .filter(one -> one.word().equals(word.strip()))
                .findFirst();
    }
}
