package org.metasched.outbox;

/** Interrupts the thread that made it, if its call takes too long; never after the call. Thread-safe; nothing is called under its lock. */
final class CallTimeout {

    private final Thread thread = Thread.currentThread();
    private boolean isSet = true;

    /** Interrupts the call, if it still runs; called from another thread. */
    synchronized void expire() {
        if (isSet) {
            thread.interrupt();
        }
    }

    /** Ends the timeout: the thread is not interrupted any more. Called from the thread of the call, after its end. */
    synchronized void clear() {
        isSet = false;
        boolean unused = Thread.interrupted();
    }
}
