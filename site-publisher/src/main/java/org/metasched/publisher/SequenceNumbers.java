package org.metasched.publisher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.metasched.durable.AtomicFile;

/**
 * {@code UpdateSequenceNumber}s that only grow, across restarts and when the clock is set back.
 *
 * <p>The number is the seconds since 1970, as at the sites of 2003, or one more than the last number if that is greater. A block of numbers
 * is reserved on the disk before the first of it is given out, so a crash skips numbers and never repeats one.
 * Thread-safe within one process; two processes must not share a file.
 */
public final class SequenceNumbers {

    private static final long BLOCK = 1000;

    private final Path file;
    private final Clock clock;
    /** Numbers reserved at a time beyond the one that is given out. */
    private final long block;

    private long last;
    /** The highest number that is reserved on the disk. */
    private long reserved;

    /** @param file file of the highest number reserved; made if it is not there */
    public SequenceNumbers(Path file, Clock clock) throws IOException {
        this(file, clock, BLOCK);
    }

    private SequenceNumbers(Path file, Clock clock, long block) throws IOException {
        this.block = block;
        this.file = file;
        this.clock = clock;
        this.last = stored();
        this.reserved = last;
    }

    /**
     * The numbers of a process that sends one ad. Reserves no block: at each start, a block would carry the numbers further ahead of the
     * clock, and they would go back to it if the file were lost.
     */
    public static SequenceNumbers oneByOne(Path file, Clock clock) throws IOException {
        return new SequenceNumbers(file, clock, 0);
    }

    /** Whether no number was ever given out, or the file was lost: then the sink may know the last number. */
    public synchronized boolean areUnknown() {
        return last == 0;
    }

    /** All numbers from now on are greater than this one. */
    public synchronized void continueAfter(long number) {
        last = Math.max(last, number);
    }

    /** A number greater than any before. */
    public synchronized long next() {
        last = Math.max(last + 1, clock.instant().getEpochSecond());
        if (last > reserved) {
            store(last + block);
            reserved = last + block;
        }
        return last;
    }

    private long stored() throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        String text = Files.readString(file).strip();
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(file + ":1:1: expected the last sequence number, found (" + text + ").", e);
        }
    }

    private void store(long number) {
        try {
            AtomicFile.replace(file, number + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The sequence number file (" + file + ") cannot be written: " + e.getMessage(), e);
        }
    }
}
