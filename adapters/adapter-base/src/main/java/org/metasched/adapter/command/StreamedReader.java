package org.metasched.adapter.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads one stream of a process record by record, on its own thread. Thread-safe. */
final class StreamedReader<T> implements Drain, Runnable {

    private final RecordStream stream;
    private final CommandRunner.StreamReader<T> reader;
    private final Runnable onOverflow;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable T value;
    private volatile @Nullable OutputFormatException refusal;
    private volatile boolean overflowed;

    StreamedReader(InputStream stream, int limit, CommandRunner.StreamReader<T> reader, Runnable onOverflow) {
        this.stream = new RecordStream(stream, limit);
        this.reader = reader;
        this.onOverflow = onOverflow;
    }

    @Override
    public void run() {
        try (stream) {
            value = reader.read(stream);
            drain();
        } catch (RecordStream.TooLong e) {
            overflowed = true;
            onOverflow.run();
        } catch (OutputFormatException e) {
            refusal = e;
            drain();
        } catch (IOException e) {
            refusal = new OutputFormatException("the output broke off: " + e.getMessage(), e);
        } finally {
            done.countDown();
        }
    }

    /** Lets the process write to its end. */
    private void drain() {
        try {
            var buffer = new byte[8192];
            while (stream.read(buffer) >= 0) {
                stream.nextRecord();
            }
        } catch (IOException closedWhileReading) {
            // The process was killed; what was read stays.
        }
    }

    /** What the reader made of the whole output. @throws OutputFormatException when it could not */
    T value() {
        var failed = refusal;
        if (failed != null) {
            throw failed;
        }
        var read = value;
        if (read == null) {
            throw new OutputFormatException("the output broke off");
        }
        return read;
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
        return stream.head();
    }
}
