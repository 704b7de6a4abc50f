package org.metasched.adapter.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one stream of a process record by record, on its own thread. Thread-safe. */
final class StreamedReader<T> implements Drain, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamedReader.class);

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
            read();
            drain();
        } catch (RecordStream.TooLong e) {
            overflowed = true;
            onOverflow.run();
        } catch (IOException e) {
            LOG.debug("A command's output broke off", e);
        } finally {
            done.countDown();
        }
    }

    private void read() throws IOException {
        try {
            value = reader.read(stream);
        } catch (OutputFormatException e) {
            refusal = e;
        }
    }

    /** Lets the process write to its end, so that its exit code counts; what follows the records is bounded as one of them. */
    private void drain() throws IOException {
        stream.nextRecord();
        var buffer = new byte[8192];
        while (stream.read(buffer) >= 0) {
            // The stream counts.
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
