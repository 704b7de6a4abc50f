package org.metasched.server;

import java.util.Locale;

/** State of a server between its start and its end. */
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
