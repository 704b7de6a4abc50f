package org.metasched.durable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Lock on a file, with one holder among all threads and processes of the machine; it ends with its process. The file stays, as one
 * that is removed may be locked by a process that waits while another one makes it anew. Lock a file of its own: one that is
 * replaced is another file.
 */
public final class ProcessLock implements Closeable {

    private final FileChannel channel;

    private ProcessLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock, or nothing if it is held. @param file made if it is not there */
    public static Optional<ProcessLock> tryAcquire(Path file) throws IOException {
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean isOurs = false;
        try {
            isOurs = channel.tryLock() != null;
            return isOurs ? Optional.of(new ProcessLock(channel)) : Optional.empty();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return Optional.empty();
        } finally {
            if (!isOurs) {
                channel.close();
            }
        }
    }

    /** Gives the lock up. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
