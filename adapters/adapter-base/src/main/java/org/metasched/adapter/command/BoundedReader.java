package org.metasched.adapter.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Drains one stream of a process, up to a limit in bytes. Thread-safe. */
final class BoundedReader extends Drain {

    private final InputStream stream;
    private final int limit;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    private BoundedReader(InputStream stream, int limit, Runnable onOverflow) {
        super(onOverflow);
        this.stream = stream;
        this.limit = limit;
    }

    static BoundedReader start(String name, InputStream stream, int limit, Runnable onOverflow) {
        return start(name, new BoundedReader(stream, limit, onOverflow));
    }

    @Override
    boolean isReadWithinLimit() throws IOException {
        var buffer = new byte[8192];
        try (stream) {
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                if (read.size() + n > limit) {
                    return false;
                }
                read.write(buffer, 0, n);
            }
            return true;
        }
    }

    @Override
    String text() {
        return read.toString(StandardCharsets.UTF_8);
    }
}
