package org.metasched.console;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The matches that are held at sites. Owned here; the server answers it. Thread-safe. */
public interface Matches {

    /** A match of a site that is held. */
    record Match(String id, String site, boolean confirmed, Instant taken, String holder) {}

    List<Match> held();

    /** Gives one back; false when it is not held any more. */
    boolean release(UUID id);
}
