package org.metasched.publisher;

/** Looks for the holder of a match. Thread-safe; called while the count is locked, so it answers soon. */
@FunctionalInterface
public interface Evidence {

    /** What was seen. */
    enum Sight {
        /** The holder is there and says that it holds the match. */
        HOLDS,
        /** The place is in sight, and the holder is not there or does not name the match. */
        MISSING,
        /** The place is out of sight: on another host, not mounted, or without permission to look. */
        UNSEEN
    }

    Sight of(HeldMatch match);
}
