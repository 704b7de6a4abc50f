package org.metasched.dag.binding;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The way of a bound DAG to another site, so that it may be cut off anywhere. The new binding is made whole beside the old one, under
 * {@code .DIR.rebinding}; then the old one leaves its place and the new one takes it. What a killed process has left tells how far it
 * came, and {@link #recover} ends it:
 *
 * <ul>
 *   <li>the new one is there and the old one in its place: the new one goes away, with its match;
 *   <li>the new one is there and the place is empty: it takes the place;
 *   <li>the one in its place has a {@value #INTENT}: the old one, named there, gives its match back.
 * </ul>
 *
 * <p>Whoever has one open is alone with the directory, among all processes.
 */
public final class Rebinding implements Closeable {

    /** In the new binding, from before the old one leaves until its match is given back: the name of the old one. */
    static final String INTENT = "metasched-rebinding";

    private static final LinkOption ITSELF = LinkOption.NOFOLLOW_LINKS;

    /** A lock is the process's, not the thread's. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path place;
    private final Path next;
    private final Path lockFile;
    private final FileChannel lock;

    private Rebinding(Path place, Path lockFile, FileChannel lock) {
        this.place = place;
        this.next = nextOf(place);
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** Opens the count that a note of a match names. */
    @FunctionalInterface
    public interface Counts {
        SiteClaims at(String where) throws IOException;
    }

    /** Whether a directory is on its way, or was when its process was killed. */
    public static boolean isUnderWay(Path directory) {
        Path place = directory.toAbsolutePath().normalize();
        return place.getFileName() != null
                && (Files.exists(nextOf(place), ITSELF) || Files.exists(place.resolve(INTENT), ITSELF));
    }

    /**
     * Ends what a killed process has begun; whether there was anything.
     *
     * @throws IllegalStateException if the process lives
     */
    public static boolean recover(Path directory, Counts counts) throws IOException {
        if (!isUnderWay(directory)) {
            return false;
        }
        try (Rebinding rebinding = begin(directory)) {
            return rebinding.end(counts);
        }
    }

    /** @throws IllegalStateException if another one moves the directory */
    static Rebinding begin(Path directory) throws IOException {
        Path place = directory.toAbsolutePath().normalize();
        if (!OPEN.add(place)) {
            throw isBusy(place);
        }
        boolean isOurs = false;
        try {
            Path lockFile = place.resolveSibling("." + place.getFileName() + ".rebinding.lock");
            FileChannel lock = locked(place, lockFile);
            isOurs = true;
            return new Rebinding(place, lockFile, lock);
        } finally {
            if (!isOurs) {
                OPEN.remove(place);
            }
        }
    }

    /** A lock on the file that has this name still: whoever had it before removes it. */
    private static FileChannel locked(Path place, Path file) throws IOException {
        byte[] mark = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
        while (true) {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean isOurs = false;
            try {
                if (channel.tryLock() == null) {
                    throw isBusy(place);
                }
                channel.truncate(0).write(ByteBuffer.wrap(mark));
                isOurs = Arrays.equals(mark, Files.readAllBytes(file));
                if (isOurs) {
                    return channel;
                }
            } catch (NoSuchFileException e) {
                // Removed since it was opened; again.
            } finally {
                if (!isOurs) {
                    channel.close();
                }
            }
        }
    }

    private static IllegalStateException isBusy(Path place) {
        return new IllegalStateException("The DAG of " + place + " is being rebound by another process.");
    }

    /** Where the new binding is made. */
    Path next() {
        return next;
    }

    /** Puts the new binding in the place of the old one, whose match goes back. */
    void exchange(String oldSite, Counts counts) throws IOException {
        Path old = free(place.resolveSibling(place.getFileName() + ".at-" + oldSite.replaceAll("[/\\p{Cntrl}]", "_")));
        Files.writeString(next.resolve(INTENT), old.getFileName() + "\n", StandardOpenOption.CREATE_NEW);
        Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
        Files.move(next, place, StandardCopyOption.ATOMIC_MOVE);
        releaseOld(counts);
    }

    /** Ends what was begun before; whether there was anything. */
    boolean end(Counts counts) throws IOException {
        boolean isNext = Files.exists(next, ITSELF);
        if (isNext && Files.exists(place, ITSELF)) {
            undo(counts);
        } else if (isNext) {
            Files.move(next, place, StandardCopyOption.ATOMIC_MOVE);
        }
        return releaseOld(counts) || isNext;
    }

    /** Ends what a failure has left half done. */
    void endAfter(Exception failure, Counts counts) {
        try {
            end(counts);
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Takes the new binding away, and its match. */
    private void undo(Counts counts) throws IOException {
        Optional<MatchNote> note = MatchNote.find(next);
        if (note.isPresent()) {
            counts.at(note.get().where()).settle(note.get().match(), false);
        }
        OutputTree.delete(next);
    }

    private boolean releaseOld(Counts counts) throws IOException {
        Path intent = place.resolve(INTENT);
        if (!Files.isRegularFile(intent, ITSELF)) {
            return false;
        }
        String name = Files.readString(intent, StandardCharsets.UTF_8).strip();
        if (!name.startsWith(place.getFileName() + ".at-") || name.contains("/")) {
            throw new IOException("The file (" + intent + ") names no earlier binding of the directory: " + name);
        }
        ClaimingBinder.release(place.resolveSibling(name), counts);
        Files.delete(intent);
        return true;
    }

    private static Path free(Path wanted) {
        Path path = wanted;
        for (int i = 2; Files.exists(path, ITSELF); i++) {
            path = wanted.resolveSibling(wanted.getFileName() + "." + i);
        }
        return path;
    }

    private static Path nextOf(Path place) {
        return place.resolveSibling("." + place.getFileName() + ".rebinding");
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            Files.deleteIfExists(lockFile);
        } finally {
            OPEN.remove(place);
        }
    }
}
