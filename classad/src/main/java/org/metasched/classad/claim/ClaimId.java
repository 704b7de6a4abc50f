package org.metasched.classad.claim;

import java.util.UUID;

/** Names one attempt to claim one gang, at every member alike. */
public record ClaimId(UUID value) {

    public static ClaimId random() {
        return new ClaimId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
