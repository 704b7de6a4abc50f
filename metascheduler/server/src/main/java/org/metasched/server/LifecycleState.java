package org.metasched.server;

import java.util.Locale;

/** Where a server is between its start and its end. */
enum LifecycleState {
    /** Not everything is there that it serves. */
    STARTING,
    UP,
    /** Takes no new offers. */
    DRAINING;

    boolean isUp() {
        return this == UP;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
