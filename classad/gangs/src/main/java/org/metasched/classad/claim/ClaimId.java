package org.metasched.classad.claim;

import java.util.UUID;

/** Names one attempt to claim one gang, at every member alike. */
public record ClaimId(UUID value) {

    /** A new id, from a secure random source: 122 bits. */
    public static ClaimId random() {
        return new ClaimId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
