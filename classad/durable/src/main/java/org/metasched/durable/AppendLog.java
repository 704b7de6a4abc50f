package org.metasched.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * Append log in a text file: one record a line, each after its CRC-32. When {@link #append} returns, its records are on the disk. When
 * it throws, they are cut off: at once or, if the disk refuses that too, before the next record is written.
 *
 * <p>A record that a crash cut short (no line end, or sectors of zeros in the last line) was never acknowledged; {@link #read} cuts
 * it off. Any other line that fails its checksum is damage, and is reported. A record may be found that was not acknowledged, if the
 * process died between the write and the answer, or before a failed record was cut off.
 *
 * <p>No file stays open, so an interrupted thread closes none for the others. Thread-safe. Several processes may use one file
 * under a lock, if each first calls {@link #read} when it has the lock. {@link #peek} needs no lock.
 */
public final class AppendLog {

    /** The value of {@link #end} before the first reading. */
    private static final int UNREAD = -1;

    /** The hexadecimal digits of a CRC-32. */
    private static final int CHECKSUM_DIGITS = 8;

    private final Path file;
    private final boolean keepsContent;
    /** The offset behind the last acknowledged record, in bytes. */
    private long end = UNREAD;
    /** Whether the name of the file is on the disk. */
    private boolean hasDurableName;
    /** The content at the last reading, if it is kept. */
    private Records known = Records.NONE;

    /** @param file file that the first record creates; its folder must exist */
    public AppendLog(Path file) {
        this(file, false);
    }

    /**
     * @param keepsContent whether the content stays in memory, so that unchanged bytes are not parsed again: for a log that is read
     * often
     */
    AppendLog(Path file, boolean keepsContent) {
        this.keepsContent = keepsContent;
        this.file = file;
    }

    /** Reads the records from the disk and cuts a torn tail off. {@code O(bytes)}. */
    public synchronized List<String> read() throws IOException {
        var content = records();
        if (content.end < content.bytes.length) {
            cutOff(content.end);
        }
        end = content.end;
        return content.records;
    }

    /** Whether the log is in this file. */
    boolean isIn(Path place) {
        return file.equals(place);
    }

    /** The complete records at this moment, see {@link #peek(Path)}. Changes nothing. */
    synchronized List<String> peek() throws IOException {
        return records().records;
    }

    private Records records() throws IOException {
        var content = Records.in(file, known);
        known = keepsContent ? content : Records.NONE;
        return content;
    }

    /** The complete records in a file to which another process may be appending; none if there is no file. Changes nothing. */
    public static List<String> peek(Path file) throws IOException {
        return Records.in(file, Records.NONE).records;
    }

    /**
     * Adds a record, durable on return.
     *
     * @param record without line ends and zero characters
     * @throws IOException if it could not be written completely; the log is as before
     */
    public void append(String record) throws IOException {
        append(List.of(record));
    }

    /** Adds records in order, all durable on return; after a crash, only the first of them may be there. */
    public synchronized void append(Collection<String> records) throws IOException {
        byte[] lines = lines(records);
        if (end == UNREAD) {
            read();
        }
        boolean isWritten = false;
        try {
            write(lines);
            isWritten = true;
            end += lines.length;
        } finally {
            if (!isWritten) {
                undo();
            }
        }
    }

    private void write(byte[] lines) throws IOException {
        try (var channel = end == 0
                ? FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                : FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.size() < end) {
                throw new IOException("The file (" + file + ") has " + channel.size() + " bytes, expected " + end
                        + ".\nMaybe another program cut it.");
            }
            // Cuts off the rest of a failed record that could not be cut off at once.
            channel.truncate(end);
            AtomicFile.writeWhole(channel, lines, end);
            channel.force(false);
        }
        if (!hasDurableName || end == 0) {
            AtomicFile.forceFolder(file);
            hasDurableName = true;
        }
    }

    /** Replaces all records, for compaction: after a crash, the log has the old records or the new ones. */
    public synchronized void rewrite(Collection<String> records) throws IOException {
        byte[] lines = lines(records);
        end = UNREAD;
        AtomicFile.replace(file, lines);
        hasDurableName = true;
    }

    private void undo() {
        try {
            cutOff(end);
        } catch (IOException e) {
            // The next record cuts it off.
        }
    }

    private void cutOff(long length) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
            channel.force(true);
        }
    }

    private static byte[] lines(Collection<String> records) {
        return records.stream()
                .map(AppendLog::line)
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String line(String record) {
        if (record.indexOf('\n') >= 0 || record.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A record (" + record + ") must not hold line ends or zero characters.");
        }
        return checksum(record) + " " + record + "\n";
    }

    private static String checksum(String record) {
        var crc = new CRC32();
        crc.update(record.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /**
     * The content of a log.
     *
     * @param end end of the last whole record, in bytes
     * @param bytes all bytes, a torn tail included
     */
    private record Records(List<String> records, int end, byte[] bytes) {

        static final Records NONE = new Records(List.of(), 0, new byte[0]);

        /** The content of a file. A beginning that equals the previous content is not parsed again. */
        static Records in(Path file, Records before) throws IOException {
            byte[] all;
            try {
                all = Files.readAllBytes(file);
            } catch (NoSuchFileException e) {
                return NONE;
            }
            boolean grown = all.length >= before.end && Arrays.equals(all, 0, before.end, before.bytes, 0, before.end);
            int start = grown ? before.end : 0;
            var records = new ArrayList<>(grown ? before.records : List.of());
            for (int i = start; i < all.length; i++) {
                if (all[i] == '\n') {
                    String stored = new String(all, start, i - start, StandardCharsets.UTF_8);
                    if (i == all.length - 1 && stored.indexOf('\0') >= 0) {
                        break;
                    }
                    records.add(checked(file, stored, records.size() + 1));
                    start = i + 1;
                }
            }
            return new Records(List.copyOf(records), start, all);
        }

        private static String checked(Path file, String stored, int number) throws IOException {
            String record = stored.length() > CHECKSUM_DIGITS ? stored.substring(CHECKSUM_DIGITS + 1) : "";
            if (!stored.equals(checksum(record) + " " + record)) {
                throw new IOException(file + ":" + number + ":1: the line fails its checksum.\n"
                        + "Maybe the file was edited by hand; move it away to begin with an empty one.");
            }
            return record;
        }
    }
}
