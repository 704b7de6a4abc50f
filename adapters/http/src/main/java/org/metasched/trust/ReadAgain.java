package org.metasched.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a file says, read again when the file has changed. A file that has become unreadable leaves what it said before. */
final class ReadAgain<T> implements Supplier<T> {

    private static final Logger LOG = LoggerFactory.getLogger(ReadAgain.class);

    private final Path file;
    private final Function<Path, T> reader;
    private T said;
    private FileTime seen;

    /** @throws IllegalArgumentException when the file cannot be read now */
    ReadAgain(Path file, Function<Path, T> reader) {
        this.file = file;
        this.reader = reader;
        this.seen = changed();
        this.said = reader.apply(file);
    }

    @Override
    public synchronized T get() {
        var now = changed();
        if (!now.equals(seen)) {
            seen = now;
            try {
                said = reader.apply(file);
            } catch (IllegalArgumentException e) {
                LOG.error("{} What it said before holds on.", e.getMessage());
            }
        }
        return said;
    }

    private FileTime changed() {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }
}
