package org.metasched.leases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;

/**
 * A file of checked lines that any number of processes append to, one at a time.
 *
 * <p>Each line carries its own checksum and is forced to the disk before {@link #append} returns. A line that a crash cut
 * short is the last one, fails its checksum, and is cut off before the next is written. The lock lies in a file of its own,
 * so that replacing the ledger leaves nobody holding a lock on a file that is gone.
 */
final class LedgerFile {

    /** Inside one JVM a file lock is taken once for all; threads queue here first. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private final Path file;
    private final Path lockFile;
    private final ReentrantLock lock;

    LedgerFile(Path directory) {
        Path real;
        try {
            real = Files.createDirectories(directory).toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("The match ledger (" + directory + ") cannot be used: " + e.getMessage(), e);
        }
        file = real.resolve("matches.log");
        lockFile = real.resolve("matches.lock");
        lock = LOCKS.computeIfAbsent(lockFile, path -> new ReentrantLock());
    }

    /** What is done while no other process can look or write. */
    interface Work<T> {
        T with(List<String> lines) throws IOException;
    }

    /** Runs the work on the whole lines there are. */
    <T> T exclusively(Work<T> work) {
        lock.lock();
        try (var channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = channel.lock()) {
            return work.with(read());
        } catch (IOException e) {
            throw new UncheckedIOException("The match ledger (" + file + ") cannot be used: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Only inside {@link #exclusively}. */
    void append(String line) throws IOException {
        try (var channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            var bytes = ByteBuffer.wrap(checked(line));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        }
    }

    /** Replaces all lines at once. Only inside {@link #exclusively}. */
    void replace(List<String> lines) throws IOException {
        Path next = file.resolveSibling("matches.next");
        try (var channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (String line : lines) {
                channel.write(ByteBuffer.wrap(checked(line)));
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private List<String> read() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        byte[] all = Files.readAllBytes(file);
        var lines = new ArrayList<String>();
        int start = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == '\n') {
                lines.add(unchecked(new String(all, start, i - start, StandardCharsets.UTF_8), lines.size() + 1));
                start = i + 1;
            }
        }
        if (start < all.length) {
            cutOffAt(start);
        }
        return lines;
    }

    private void cutOffAt(int length) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
            channel.force(true);
        }
    }

    private static byte[] checked(String line) {
        return (checksum(line) + " " + line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private String unchecked(String stored, int number) throws IOException {
        int space = stored.indexOf(' ');
        if (space < 0 || !stored.substring(0, space).equals(checksum(stored.substring(space + 1)))) {
            throw new IOException(file + ":" + number + ": the line fails its checksum.\n"
                    + "Maybe the file was edited by hand; move it away to begin with an empty ledger.");
        }
        return stored.substring(space + 1);
    }

    private static String checksum(String line) {
        var crc = new CRC32();
        crc.update(line.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
