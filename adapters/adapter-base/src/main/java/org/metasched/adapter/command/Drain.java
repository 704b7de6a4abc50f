package org.metasched.adapter.command;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one stream of a process to its end or its limit, on a thread of its own. Thread-safe. */
abstract class Drain implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

    private final Runnable onOverflow;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean overflowed;

    /** @param onOverflow is run when the limit is passed */
    Drain(Runnable onOverflow) {
        this.onOverflow = onOverflow;
    }

    static <D extends Drain> D start(String name, D drain) {
        var thread = new Thread(drain, name);
        thread.setDaemon(true);
        thread.start();
        return drain;
    }

    @Override
    public final void run() {
        try {
            if (!isReadWithinLimit()) {
                overflowed = true;
                onOverflow.run();
            }
        } catch (IOException brokenOff) {
            // The process was killed; what came before stays.
            LOG.debug("A command's output broke off", brokenOff);
        } finally {
            done.countDown();
        }
    }

    /** Reads the whole stream, and closes it; false when it goes on beyond the limit. */
    abstract boolean isReadWithinLimit() throws IOException;

    /** The text that was read, as far as it is kept. */
    abstract String text();

    final boolean await(long nanos) throws InterruptedException {
        return done.await(nanos, TimeUnit.NANOSECONDS);
    }

    final boolean overflowed() {
        return overflowed;
    }
}
