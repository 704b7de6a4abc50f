package org.metasched.adapter.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Drains one stream of a process on its own thread, up to a limit in bytes. Thread-safe. */
final class BoundedReader implements Drain, Runnable {

    private final InputStream stream;
    private final int limit;
    private final Runnable onOverflow;
    private final CountDownLatch done = new CountDownLatch(1);
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private volatile boolean overflowed;

    private BoundedReader(InputStream stream, int limit, Runnable onOverflow) {
        this.stream = stream;
        this.limit = limit;
        this.onOverflow = onOverflow;
    }

    static BoundedReader start(String name, InputStream stream, int limit, Runnable onOverflow) {
        return start(name, new BoundedReader(stream, limit, onOverflow));
    }

    static <D extends Drain & Runnable> D start(String name, D drain) {
        var thread = new Thread(drain, name);
        thread.setDaemon(true);
        thread.start();
        return drain;
    }

    @Override
    public void run() {
        var buffer = new byte[8192];
        try (stream) {
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                if (read.size() + n > limit) {
                    overflowed = true;
                    onOverflow.run();
                    return;
                }
                read.write(buffer, 0, n);
            }
        } catch (IOException closedWhileReading) {
            // The process was killed; what came before stays.
        } finally {
            done.countDown();
        }
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
        return done.await(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean overflowed() {
        return overflowed;
    }

    @Override
    public String text() {
        return read.toString(StandardCharsets.UTF_8);
    }
}
