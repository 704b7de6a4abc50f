package org.metasched.outbox;

/** Interrupts a thread that is in a call for too long, and never after the call. Thread-safe; nothing is called under its lock. */
final class CallTimeout {

    private final Thread thread = Thread.currentThread();
    private boolean set = true;

    /** From another thread: interrupts the call, if it still runs. */
    synchronized void ring() {
        if (set) {
            thread.interrupt();
        }
    }

    /** From the thread of the call, after its end: the thread is not interrupted any more. */
    synchronized void clear() {
        set = false;
        boolean unused = Thread.interrupted();
    }
}
