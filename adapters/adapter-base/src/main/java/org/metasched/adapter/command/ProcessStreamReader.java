package org.metasched.adapter.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one stream of a process to its end or its limit, on a thread of its own. Thread-safe.
 *
 * @param <T> result of reading the output
 */
final class ProcessStreamReader<T> implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessStreamReader.class);
    /** Number of the first bytes of streamed output that are kept for messages. */
    private static final int HEAD = 4096;

    private final RecordStream stream;
    private final CommandRunner.StreamReader<T> reader;
    private final Runnable onOverflow;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean overflowed;
    private volatile @Nullable T value;
    private volatile @Nullable OutputFormatException refusal;

    private ProcessStreamReader(RecordStream stream, CommandRunner.StreamReader<T> reader, Runnable onOverflow) {
        this.stream = stream;
        this.reader = reader;
        this.onOverflow = onOverflow;
    }

    /**
     * Keeps the whole output, to be read by {@link #text}.
     *
     * @param limit most bytes of output
     * @param onOverflow action when the output exceeds the limit
     */
    static ProcessStreamReader<String> whole(String name, InputStream stream, int limit, Runnable onOverflow) {
        return started(
                name, new ProcessStreamReader<>(new RecordStream(stream, limit, limit), output -> "", onOverflow));
    }

    /**
     * Hands the output to a reader, record by record.
     *
     * @param limit most bytes of one record
     */
    static <T> ProcessStreamReader<T> records(
            String name, InputStream stream, int limit, CommandRunner.StreamReader<T> reader, Runnable onOverflow) {
        return started(name, new ProcessStreamReader<>(new RecordStream(stream, limit, HEAD), reader, onOverflow));
    }

    private static <T> ProcessStreamReader<T> started(String name, ProcessStreamReader<T> reader) {
        var thread = new Thread(reader, name);
        thread.setDaemon(true);
        thread.start();
        return reader;
    }

    @Override
    public void run() {
        try (stream) {
            read();
            // Reads the rest so that the process can end by itself; the rest is bounded as one record.
            stream.nextRecord();
            stream.transferTo(OutputStream.nullOutputStream());
        } catch (RecordStream.TooLong e) {
            overflowed = true;
            onOverflow.run();
        } catch (IOException brokenOff) {
            // The process was killed; what came before stays.
            LOG.debug("A command's output broke off", brokenOff);
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

    /**
     * The reader's result for the whole output.
     *
     * @throws OutputFormatException when the reader refused the output, or it broke off
     */
    T value() {
        var error = refusal;
        if (error != null) {
            throw error;
        }
        var result = value;
        if (result == null) {
            throw new OutputFormatException("the output broke off");
        }
        return result;
    }

    /** The text that was read, as far as it is kept. */
    String text() {
        return stream.kept();
    }

    boolean await(long nanos) throws InterruptedException {
        return done.await(nanos, TimeUnit.NANOSECONDS);
    }

    boolean overflowed() {
        return overflowed;
    }
}
