package org.metasched.server;

import java.util.Locale;

/** State of a server between its start and its end. */
enum LifecycleState {
    /** The server does not serve everything yet. */
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
