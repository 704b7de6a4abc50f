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
 * Append log in a text file: one record a line, each after its CRC-32. {@link #append} returns when the record is on the disk, and
 * leaves nothing of it when it throws; the next record goes where the last acknowledged one ends.
 *
 * <p>A record that a crash cut short (no line end, or sectors of zeros in the last line) was never acknowledged; {@link #read} cuts
 * it off. Any other line that fails its checksum is damage, and is reported. A record may be found that was not acknowledged: the
 * process died between the write and the answer.
 *
 * <p>No file stays open, so an interrupted thread closes none for the others. Thread-safe; one process at a time, or each under a
 * lock that begins with {@link #read}. {@link #peek} needs no lock.
 */
public final class AppendLog {

    private static final int UNREAD = -1;
    private static final int CHECKSUM = 8;

    private final Path file;
    private final boolean remembers;
    private long end = UNREAD;
    private boolean hasDurableName;
    private Records known = Records.NONE;

    /** @param file file that the first record creates; its folder must exist */
    public AppendLog(Path file) {
        this(file, false);
    }

    /** @param remembers whether unchanged bytes stay in memory and are not parsed again, for a log that is read often */
    AppendLog(Path file, boolean remembers) {
        this.remembers = remembers;
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

    /** The whole records at this moment, see {@link #peek(Path)}. Changes nothing. */
    synchronized List<String> peek() throws IOException {
        return records().records;
    }

    private Records records() throws IOException {
        var content = Records.in(file, known);
        known = remembers ? content : Records.NONE;
        return content;
    }

    /** The whole records in a file that another process may be appending to; none if there is no file. Changes nothing. */
    public static List<String> peek(Path file) throws IOException {
        return Records.in(file, Records.NONE).records;
    }

    /**
     * Adds a record, durable on return.
     *
     * @param record without line ends and zero characters
     * @throws IOException if it could not be written whole; the log is as before
     */
    public void append(String record) throws IOException {
        append(List.of(record));
    }

    /** Adds records in order, all durable on return; a crash may leave the first of them. */
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

    private void write(byte[] line) throws IOException {
        try (var channel = end == 0
                ? FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                : FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.size() < end) {
                throw new IOException("The file (" + file + ") has " + channel.size() + " bytes, expected " + end
                        + ".\nMaybe another program cut it.");
            }
            // Cuts off the rest of a failed attempt, if that failed then.
            channel.truncate(end);
            AtomicFile.writeWhole(channel, line, end);
            channel.force(false);
        }
        if (!hasDurableName || end == 0) {
            AtomicFile.forceFolder(file);
            hasDurableName = true;
        }
    }

    /** Replaces all records at once, for compaction. */
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
            // The next record, or the next reading, cuts it off.
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

        /** The content of a file, of which the part that equals its content before is not parsed again. */
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
            String record = stored.length() > CHECKSUM ? stored.substring(CHECKSUM + 1) : "";
            if (!stored.equals(checksum(record) + " " + record)) {
                throw new IOException(file + ":" + number + ":1: the line fails its checksum.\n"
                        + "Maybe the file was edited by hand; move it away to begin with an empty one.");
            }
            return record;
        }
    }
}
