package org.metasched.leases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.metasched.durable.AppendLog;

/**
 * Append log that any number of processes use, one at a time. The lock lies in a file of its own, so that a log that is rewritten leaves
 * no process with a lock on a file that is gone.
 */
final class LedgerFile {

    /** Inside one JVM a file lock is taken once for all; threads queue here first. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private final Path lockFile;
    private final AppendLog log;
    private final ReentrantLock lock;

    LedgerFile(Path directory) {
        try {
            Path real = Files.createDirectories(directory).toRealPath();
            log = new AppendLog(real.resolve("matches.log"));
            lockFile = real.resolve("matches.lock");
        } catch (IOException e) {
            throw unusable(directory, e);
        }
        lock = LOCKS.computeIfAbsent(lockFile, path -> new ReentrantLock());
    }

    /** What is done while no other process can look or write. */
    interface Work<T> {
        T with(AppendLog log, List<String> lines) throws IOException;
    }

    /** Runs the work on the whole lines there are. */
    <T> T exclusively(Work<T> work) {
        lock.lock();
        try (var channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = channel.lock()) {
            return work.with(log, log.read());
        } catch (IOException e) {
            throw unusable(lockFile.resolveSibling("matches.log"), e);
        } finally {
            lock.unlock();
        }
    }

    private static UncheckedIOException unusable(Path file, IOException e) {
        return new UncheckedIOException("The match ledger (" + file + ") cannot be used: " + e.getMessage(), e);
    }
}
