package org.metasched.durable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Append log that any number of processes use, one at a time. The lock is on a file of its own: the file of the log is replaced when it is
 * rewritten, and a lock on it would be lost. Thread-safe. If the log cannot be used, methods throw {@link UncheckedIOException}.
 */
public final class SharedLog {

    /** Locks between the threads of this process, all of which share its file locks. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private final Path directory;
    private final String name;
    private final String subject;
    private @Nullable AppendLog log;

    /**
     * @param directory directory of the files, which {@link #exclusively} creates
     * @param name name of the files there, {@code NAME.log} and {@code NAME.lock}
     * @param subject name of the log in error messages, such as {@code match ledger}
     */
    public SharedLog(Path directory, String name, String subject) {
        this.directory = directory;
        this.name = name;
        this.subject = subject;
    }

    /** Work on the log, which no other process changes meanwhile; {@code lines} are its records. */
    public interface Work<T> {
        T with(AppendLog log, List<String> lines) throws IOException;
    }

    /** Runs work under the lock, after other threads and processes have released it. The work must not call this method. */
    public <T> T exclusively(Work<T> work) {
        Path lockFile;
        try {
            makeDirectory(directory.toAbsolutePath());
            lockFile = directory.toRealPath().resolve(name + ".lock");
        } catch (IOException e) {
            throw unusable(directory, e);
        }
        ReentrantLock lock = LOCKS.computeIfAbsent(lockFile, path -> new ReentrantLock());
        lock.lock();
        try (var channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = channel.lock()) {
            AppendLog lines = opened(lockFile.resolveSibling(name + ".log"));
            return work.with(lines, lines.read());
        } catch (IOException e) {
            throw unusable(file(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Makes a directory and its parents, and forces their names to the disk. */
    private static void makeDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Path parent = directory.getParent();
            if (parent != null) {
                makeDirectory(parent);
            }
            Files.createDirectories(directory);
            AtomicFile.forceFolder(directory);
        }
    }

    private synchronized AppendLog opened(Path file) {
        AppendLog opened = log == null || !log.isIn(file) ? new AppendLog(file, true) : log;
        log = opened;
        return opened;
    }

    /** The complete records at this moment, without the lock. Writes nothing. */
    public List<String> peek() {
        try {
            return opened(directory.toRealPath().resolve(name + ".log")).peek();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw unusable(file(), e);
        }
    }

    /** The file of the log. */
    public Path file() {
        return directory.resolve(name + ".log");
    }

    private UncheckedIOException unusable(Path file, IOException e) {
        String why = Objects.requireNonNullElse(e.getMessage(), "the thread was interrupted");
        return new UncheckedIOException("The " + subject + " (" + file + ") cannot be used: " + why, e);
    }
}
