package org.metasched.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The standard output of one command, which keeps whether anything was written, and the failure of a write. */
final class ResultOutput extends Writer {

    private final Writer out;
    private boolean empty = true;
    private @Nullable IOException failure;

    ResultOutput(Writer out) {
        this.out = out;
    }

    boolean isEmpty() {
        return empty;
    }

    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        try {
            out.write(text, offset, length);
            empty = empty && length == 0;
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
