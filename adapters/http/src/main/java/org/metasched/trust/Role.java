package org.metasched.trust;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A role of a subject at this server. A subject may have several. */
public enum Role {
    /** A caller without a credential. */
    ANONYMOUS,
    /** A caller with a certificate, a password, or a token with a capability for computing. */
    USER,
    /** Manages the agreements of a virtual organisation's members. */
    VO_MANAGER,
    /** Looks after the production of a virtual organisation: sees the agreements of its members. */
    PRODUCTION_MANAGER,
    /** Publishes ads. */
    SITE,
    /** A service that speaks for others: a metascheduler at an adapter, a portal at a metascheduler. */
    SERVER,
    /** May do every operation. */
    OPERATOR,
    /** May read everything and change nothing. */
    AUDITOR;

    /** The role as it is written in files: {@code vo-manager}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(r -> r.word().equals(word)).findFirst();
    }
}
