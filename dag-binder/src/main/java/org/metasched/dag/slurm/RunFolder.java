package org.metasched.dag.slurm;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.metasched.durable.ProcessLock;

/**
 * The folder {@value #NAME} of a bound DAG: journal, scripts, logs and results of its runs. Jobs on other machines write there, so it
 * must be on a file system that they share.
 */
public final class RunFolder {

    static final String NAME = ".metasched-slurm";

    private static final String LOCK = "lock";
    private static final Duration PAUSE = Duration.ofMillis(10);

    final Path path;

    /** @param top directory of the bound DAG */
    public RunFolder(Path top) {
        this.path = top.resolve(NAME);
    }

    /** The lines of a text file. Bytes that are not UTF-8 are replaced, as in the names of nodes. */
    static List<String> lines(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    boolean exists() {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Locks the DAG against other processes until the result is closed.
     *
     * @param patience time to wait for a process that is about to end
     * @throws IOException if another process has the lock
     */
    public Closeable lock(Duration patience) throws IOException {
        if (Files.isSymbolicLink(path)) {
            throw new IOException("The folder (" + path + ") must not be a symbolic link.");
        }
        Files.createDirectories(path);
        // Five tries even without patience: isLocked() of another process holds the lock for a moment.
        for (long tries = 0; tries <= 4 + patience.dividedBy(PAUSE); tries++) {
            Optional<ProcessLock> lock = ProcessLock.tryAcquire(path.resolve(LOCK));
            if (lock.isPresent()) {
                return lock.get();
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        throw new IOException("Another process works on the DAG in (" + path.getParent() + ").");
    }

    /** Whether a process works on the DAG at this moment. */
    boolean isLocked() throws IOException {
        if (!Files.exists(path.resolve(LOCK))) {
            return false;
        }
        // A shared lock on a channel for reading: looking must not keep a runner from beginning.
        try (var channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.READ);
                var lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }
}
