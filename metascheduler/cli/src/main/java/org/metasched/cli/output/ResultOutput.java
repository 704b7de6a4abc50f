package org.metasched.cli.output;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The standard output of one command, which keeps whether anything was written, and the failure of a write. */
final class ResultOutput extends FilterWriter {

    private boolean empty = true;
    private @Nullable IOException failure;

    ResultOutput(Writer out) {
        super(out);
    }

    boolean isEmpty() {
        return empty;
    }

    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void write(int c) throws IOException {
        write(new char[] {(char) c}, 0, 1);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        write(text.toCharArray(), offset, length);
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        try {
            super.write(text, offset, length);
            empty = empty && length == 0;
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            super.flush();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
