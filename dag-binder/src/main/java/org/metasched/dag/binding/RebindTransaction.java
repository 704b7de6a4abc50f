package org.metasched.dag.binding;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.metasched.durable.AtomicFile;
import org.metasched.durable.ProcessLock;

/**
 * Moves a bound DAG to another site in one transaction. The new binding is made whole beside the old one, under
 * {@code .DIR.rebinding}, and its match is committed; then the old one leaves its place and the new one takes it. A process that is killed
 * leaves a state that tells how far it came, and {@link #recover} completes or undoes the move:
 *
 * <ul>
 *   <li>the new one is there and the old one in its place: the new one is deleted and its match released;
 *   <li>the new one is there, equal to its manifest, and the place is empty: it takes the place;
 *   <li>the new one is damaged and the place is empty: the old one comes back;
 *   <li>the one in its place has a {@value #INTENT}: the match of the old one, named there, is released.
 * </ul>
 *
 * <p>An open transaction holds a lock on {@code .DIR.rebinding.lock}: no other thread or process works on the directory. A change of a
 * bound DAG's match takes this lock, too. The lock file stays: if it were removed, one process could lock the removed file, and another
 * a new file of the same name. It names its {@link RebindOwner}; other users and other machines leave what they find.
 */
public final class RebindTransaction implements Closeable {

    /** A file in the new binding, from before the old one leaves until its match is released: the old one's name and a manifest. */
    static final String INTENT = "metasched-rebinding";

    private static final LinkOption NO_FOLLOW = LinkOption.NOFOLLOW_LINKS;

    private final Path place;
    /** The directory in which the new binding is made. */
    final Path next;

    private final ProcessLock lock;
    private final Consumer<RebindStep> observer;

    private RebindTransaction(Path place, ProcessLock lock, Consumer<RebindStep> observer) {
        this.place = place;
        this.next = nextOf(place);
        this.lock = lock;
        this.observer = observer;
    }

    /** Whether a rebinding of a directory or a change of its match is under way, or was when its process was killed. */
    public static boolean isUnderWay(Path directory) {
        Path place = directory.toAbsolutePath().normalize();
        return place.getFileName() != null
                && (Files.exists(nextOf(place), NO_FOLLOW)
                        || Files.exists(place.resolve(INTENT), NO_FOLLOW)
                        || PendingMatch.isIn(place));
    }

    /** Whether a directory is the earlier binding of a moved DAG: {@code DIR.at-SITE} beside {@code DIR}; false if a record is damaged. */
    public static boolean isEarlier(Path directory) {
        Path place = directory.toAbsolutePath().normalize();
        Path later = laterOf(place);
        try {
            // The new binding may be on its way into its place.
            Path present = Files.exists(later, NO_FOLLOW) ? later : nextOf(later);
            return !later.equals(place)
                    && BindingRecord.find(present)
                            .map(BindingRecord::origin)
                            .equals(BindingRecord.find(place).map(BindingRecord::origin));
        } catch (IOException e) {
            return false;
        }
    }

    /** The directory of which another one is the earlier binding, by its name {@code DIR.at-SITE}; a directory of another name itself. */
    public static Path laterOf(Path directory) {
        String name = String.valueOf(directory.getFileName());
        int end = name.lastIndexOf(".at-");
        return end > 0 ? directory.resolveSibling(name.substring(0, end)) : directory;
    }

    /**
     * Completes or undoes what a killed process has begun.
     *
     * @return whether there was a rebinding; a change of the match that was cut off does not count
     * @throws IllegalStateException if the process lives, or was another user's or another machine's
     */
    public static boolean recover(Path directory, LeaseLocator locator) throws IOException {
        return recover(directory, locator, step -> {});
    }

    static boolean recover(Path directory, LeaseLocator locator, Consumer<RebindStep> observer) throws IOException {
        if (!isUnderWay(directory)) {
            return false;
        }
        try (RebindTransaction rebinding = begin(directory, observer)) {
            return rebinding.recover(locator);
        }
    }

    /**
     * Locks a directory.
     *
     * @param observer receiver of each step
     * @throws IllegalStateException if this user may not write the directory, another process works on it, or another owner has begun
     *     to move it
     */
    static RebindTransaction begin(Path directory, Consumer<RebindStep> observer) throws IOException {
        Path place = real(directory.toAbsolutePath().normalize());
        if (Files.exists(place, NO_FOLLOW) && !Files.isWritable(place)) {
            throw new IllegalStateException("The DAG of " + place + " is " + Files.getOwner(place)
                    + "'s: no permission to write its directory. Nothing has changed.");
        }
        var rebinding = new RebindTransaction(place, locked(place), observer);
        boolean isOurs = false;
        try {
            rebinding.claim();
            observer.accept(RebindStep.LOCKED);
            isOurs = true;
            return rebinding;
        } finally {
            if (!isOurs) {
                rebinding.close();
            }
        }
    }

    /** The path with the links in its parent resolved, so that all its names lock one file. */
    private static Path real(Path place) throws IOException {
        Path parent = place.getParent();
        return parent == null || !Files.isDirectory(parent)
                ? place
                : parent.toRealPath().resolve(place.getFileName());
    }

    private static ProcessLock locked(Path place) throws IOException {
        Path file = lockOf(place);
        try {
            return ProcessLock.tryAcquire(file)
                    .orElseThrow(() -> new IllegalStateException("The DAG of " + place
                            + " is being rebound by another process, or its match is being released."));
        } catch (AccessDeniedException e) {
            throw new IllegalStateException(
                    "The DAG of " + place + " cannot be locked: no permission to write " + file
                            + ".\nMaybe it is another user's; only its owner moves a DAG.",
                    e);
        }
    }

    /** Writes our name into the lock file, unless another owner has begun to move the DAG. */
    private void claim() throws IOException {
        RebindOwner ourselves = RebindOwner.ofThisProcess();
        RebindOwner before = RebindOwner.read(lock.channel());
        if (isUnderWay(place) && before.isKnown() && !before.equals(ourselves)) {
            throw new IllegalStateException("The DAG of " + place + " is being moved by " + before.name()
                    + " (user@machine-id), and we are " + ourselves.name()
                    + ".\nMaybe run the command there; or empty " + lockOf(place) + " if that machine is no more.");
        }
        ourselves.write(lock.channel());
    }

    private static Path lockOf(Path place) {
        return place.resolveSibling("." + place.getFileName() + ".rebinding.lock");
    }

    /** Copies the files that the DAG has made into the new binding, and checks that neither originals nor copies have changed. */
    void carry(Collection<String> names) throws IOException {
        FileManifest manifest = FileManifest.of(place, names, false);
        observer.accept(RebindStep.LISTED);
        for (String name : names) {
            carry(place.resolve(name), next.resolve(name));
            observer.accept(RebindStep.CARRIED);
        }
        Optional<String> changed = manifest.firstDifference(place);
        Optional<String> damaged = changed.isPresent() ? changed : manifest.firstDifference(next);
        if (damaged.isPresent()) {
            throw new IOException("The file (" + place.resolve(damaged.get())
                    + ") changed while the DAG was being rebound; the DAG stays where it was."
                    + "\nMaybe a job of it still runs.");
        }
        observer.accept(RebindStep.CHECKED);
    }

    private static void carry(Path from, Path to) throws IOException {
        Path parent = to.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (Files.isSymbolicLink(from) || Files.isRegularFile(from)) {
            Files.copy(
                    from,
                    to,
                    StandardCopyOption.COPY_ATTRIBUTES,
                    StandardCopyOption.REPLACE_EXISTING,
                    LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Puts the new binding in the place of the old one, and releases the old match. */
    void exchange(String oldSite, LeaseLocator locator) throws IOException {
        Path old = free(place.resolveSibling(place.getFileName() + ".at-" + oldSite.replaceAll("[/\\p{Cntrl}]", "_")));
        FileManifest manifest = FileManifest.ofAll(next, INTENT);
        List<String> lines = new ArrayList<>(List.of(String.valueOf(old.getFileName())));
        manifest.lines().forEach(lines::add);
        AtomicFile.replace(next.resolve(INTENT), String.join("\n", lines) + "\n");
        observer.accept(RebindStep.NOTED);
        AtomicFile.move(place, old);
        observer.accept(RebindStep.OLD_LEFT);
        AtomicFile.move(next, place);
        observer.accept(RebindStep.NEW_IN_PLACE);
        Optional<String> damaged = manifest.firstDifference(place);
        if (damaged.isPresent()) {
            AtomicFile.move(place, next);
            AtomicFile.move(old, place);
            throw new IOException("The file (" + place.resolve(damaged.get())
                    + ") changed while the DAG was being rebound; the DAG is back where it was.");
        }
        observer.accept(RebindStep.COMPARED);
        releaseOld(locator);
    }

    /** Completes or undoes a rebinding, or a change of the match, that was begun before; returns whether there was a rebinding. */
    boolean recover(LeaseLocator locator) throws IOException {
        boolean isNext = Files.exists(next, NO_FOLLOW);
        if (isNext && !Files.exists(place, NO_FOLLOW)) {
            endWithoutPlace();
        }
        if (isNext && Files.exists(next, NO_FOLLOW)) {
            undo(locator);
        }
        boolean isEnded = releaseOld(locator) || isNext;
        boolean unused = PendingMatch.settle(place, locator);
        return isEnded;
    }

    /**
     * Ends a rebinding that was cut off between its two moves: the new binding takes the place if it equals its manifest, else the old one.
     */
    private void endWithoutPlace() throws IOException {
        Path intent = next.resolve(INTENT);
        if (!Files.isRegularFile(intent, NO_FOLLOW)) {
            // The old binding was removed by hand before the new one was ready.
            return;
        }
        Path old = oldOf(intent);
        FileManifest manifest;
        try (var lines = Files.lines(intent, StandardCharsets.UTF_8)) {
            manifest = FileManifest.parse(lines.skip(1));
        }
        if (manifest.firstDifference(next).isEmpty()) {
            AtomicFile.move(next, place);
            observer.accept(RebindStep.NEW_IN_PLACE);
        } else {
            AtomicFile.move(old, place);
        }
    }

    /** Completes or undoes the rebinding after a failure. */
    void recoverAfter(Exception failure, LeaseLocator locator) {
        try {
            recover(locator);
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Deletes the new binding and releases its match. */
    private void undo(LeaseLocator locator) throws IOException {
        Optional<MatchNote> note = MatchNote.find(next);
        if (note.isPresent()) {
            locator.at(note.get().where()).release(note.get().lease());
        }
        observer.accept(RebindStep.GIVEN_BACK);
        OutputTree.delete(next);
        observer.accept(RebindStep.REMOVED);
    }

    private boolean releaseOld(LeaseLocator locator) throws IOException {
        Path intent = place.resolve(INTENT);
        if (!Files.isRegularFile(intent, NO_FOLLOW)) {
            return false;
        }
        LeasingBinder.giveBack(oldOf(intent), locator);
        observer.accept(RebindStep.OLD_RELEASED);
        Files.delete(intent);
        observer.accept(RebindStep.ENDED);
        return true;
    }

    private Path oldOf(Path intent) throws IOException {
        String name;
        try (var lines = Files.lines(intent, StandardCharsets.UTF_8)) {
            name = lines.findFirst().orElse("").strip();
        }
        if (!name.startsWith(place.getFileName() + ".at-") || name.contains("/")) {
            throw new IOException("The file (" + intent + ") names no earlier binding of the directory: " + name);
        }
        return place.resolveSibling(name);
    }

    /** The path, with {@code .2}, {@code .3} and so on behind it if there is such a file already. */
    private static Path free(Path wanted) {
        Path path = wanted;
        for (int i = 2; Files.exists(path, NO_FOLLOW); i++) {
            path = wanted.resolveSibling(wanted.getFileName() + "." + i);
        }
        return path;
    }

    /** The final place of a binding that is made here or under a temporary name: {@code .DIR.rebinding} leads to {@code DIR}. */
    static Path placeOf(Path out) {
        return out.resolveSibling(String.valueOf(out.getFileName()).replaceFirst("^\\.(.+)\\.rebinding$", "$1"));
    }

    /** The directory beside a place in which a new binding for it is made. */
    public static Path nextOf(Path place) {
        return place.resolveSibling("." + place.getFileName() + ".rebinding");
    }

    /** Gives the lock up. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
