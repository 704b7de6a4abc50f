package org.metasched.adapter.support;

import java.util.concurrent.locks.ReentrantLock;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;

/**
 * Lets one caller at a time look a key up and reserve under it, so that a repeated request waits for the first one (rule
 * R2). Different keys hardly ever wait for each other. Thread-safe.
 */
public final class KeyLocks {

    private final ReentrantLock[] stripes = new ReentrantLock[64];

    public KeyLocks() {
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new ReentrantLock();
        }
    }

    /** What is done under the lock. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws LocalSchedulerException;
    }

    /** @throws Unreachable also when interrupted while waiting; the work was not begun then */
    public <T> T alone(RequestKey key, Work<T> work) throws LocalSchedulerException {
        ReentrantLock lock = stripes[Math.floorMod(key.hashCode(), stripes.length)];
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable(
                    "The request " + key + " was interrupted while another one of its key was under way.", e);
        }
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }
}
