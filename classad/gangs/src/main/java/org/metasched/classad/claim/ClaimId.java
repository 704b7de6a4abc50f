package org.metasched.classad.claim;

import java.util.UUID;

/** The id of one attempt to claim one gang, the same at every member. */
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
