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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Append log that any number of processes use, one at a time. The lock lies in a file of its own, so that a log that is rewritten leaves
 * no process with a lock on a file that is gone. Thread-safe. A log that cannot be used is an {@link UncheckedIOException}.
 */
public final class SharedLog {

    /** Locks among the threads of this process, as a file lock is held by a process as a whole. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private final Path directory;
    private final String name;
    private final String subject;
    private @Nullable AppendLog log;

    /**
     * @param directory directory, which the first work creates
     * @param name name of the files there, {@code NAME.log} and {@code NAME.lock}
     * @param subject name of the log for errors
     */
    public SharedLog(Path directory, String name, String subject) {
        this.directory = directory;
        this.name = name;
        this.subject = subject;
    }

    /** Work on the log while no other process can read or write it. */
    public interface Work<T> {
        T with(AppendLog log, List<String> lines) throws IOException;
    }

    /** Runs work under the lock, on all whole lines. */
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

    /** Makes a directory and its parents, each of which survives a loss of power. */
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

    /** The whole lines at this moment. Writes nothing. */
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
        return new UncheckedIOException("The " + subject + " (" + file + ") cannot be used: " + e.getMessage(), e);
    }
}
