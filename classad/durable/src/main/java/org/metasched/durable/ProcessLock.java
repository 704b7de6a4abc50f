package org.metasched.durable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lock on a file, with one holder among all threads and processes of the machine; it ends with its process. The file is never removed:
 * otherwise one process could lock the removed file, which it had opened before, and another process a new file of the same name. Lock a
 * file that is never replaced either: its replacement would be another file, with a lock of its own.
 */
public final class ProcessLock implements Closeable {

    /** Files that this process has locked. To open and close a second channel of such a file would release its lock. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private ProcessLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Takes the lock on a file, which is created if it is missing; empty if the lock is held, also by this process. */
    public static Optional<ProcessLock> tryAcquire(Path file) throws IOException {
        Path real = file.resolveSibling(".").toRealPath().resolve(file.getFileName());
        return HELD.add(real) ? lock(real) : Optional.empty();
    }

    private static Optional<ProcessLock> lock(Path file) throws IOException {
        FileChannel channel = null;
        boolean isOurs = false;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            isOurs = channel.tryLock() != null;
            return isOurs ? Optional.of(new ProcessLock(file, channel)) : Optional.empty();
        } finally {
            if (!isOurs) {
                HELD.remove(file);
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    /** The open file. The holder reads and writes it by this channel: to close another channel of the file would release the lock. */
    public FileChannel channel() {
        return channel;
    }

    /** Releases the lock; has no effect when called again. */
    @Override
    public synchronized void close() throws IOException {
        if (channel.isOpen()) {
            try {
                channel.close();
            } finally {
                HELD.remove(file);
            }
        }
    }
}
