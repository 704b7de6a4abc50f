package org.metasched.adapter.command;

/** What takes one stream of a process while it runs. */
interface Drain {

    /** Whether the stream has ended within the time. */
    boolean await(long nanos) throws InterruptedException;

    boolean overflowed();

    /** What was read, or its beginning. */
    String text();
}
