package org.metasched.adapter.command;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads one stream of a process record by record. Thread-safe. */
final class StreamedReader<T> extends Drain {

    private final RecordStream stream;
    private final CommandRunner.StreamReader<T> reader;
    private volatile @Nullable T value;
    private volatile @Nullable OutputFormatException refusal;

    StreamedReader(InputStream stream, int limit, CommandRunner.StreamReader<T> reader, Runnable onOverflow) {
        super(onOverflow);
        this.stream = new RecordStream(stream, limit);
        this.reader = reader;
    }

    @Override
    boolean isReadWithinLimit() throws IOException {
        try (stream) {
            read();
            drain();
            return true;
        } catch (RecordStream.TooLong e) {
            return false;
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
    String text() {
        return stream.head();
    }
}
