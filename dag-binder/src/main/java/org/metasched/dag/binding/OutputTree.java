package org.metasched.dag.binding;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.durable.AtomicFile;

/**
 * A directory that appears all at once or not at all: it is made under another name beside its place and renamed. An earlier
 * binding there is renamed first; between the two renames there is none. Without a place, files are only listed. Not thread-safe.
 */
final class OutputTree implements Closeable {

    private static final int MOST_TRIES = 100;

    private final @Nullable Path place;
    private final @Nullable Path temporary;
    /** Directories above the place that were not there, the innermost one first. */
    private final List<Path> above;

    private final SortedSet<String> files = new TreeSet<>();
    private final SortedSet<String> inputs = new TreeSet<>();
    private final InputStaging staging;
    private final Set<Path> folders = new HashSet<>();
    /** Origin of the earlier binding that was found at the place; null if the place was free. */
    private BindingRecord.@Nullable Origin replaced;

    private OutputTree(@Nullable Path place, @Nullable Path temporary, List<Path> above, InputStaging staging) {
        this.place = place;
        this.temporary = temporary;
        this.above = above;
        this.staging = staging;
    }

    /** A tree that is only listed. */
    static OutputTree listed(InputStaging staging) {
        return new OutputTree(null, null, List.of(), staging);
    }

    /**
     * A tree that will be at a place.
     *
     * @throws FileAlreadyExistsException unless there is nothing, an empty directory or a binding of the same DAG without added files
     */
    static OutputTree at(Path place, BindingRecord.Origin origin, InputStaging staging) throws IOException {
        Path absolute = place.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null) {
            throw refused(absolute, "the root directory cannot be the place of a binding.");
        }
        checkReplaceable(absolute, origin);
        List<Path> above = Stream.<Path>iterate(parent, Objects::nonNull, Path::getParent)
                .takeWhile(path -> !Files.exists(path, LinkOption.NOFOLLOW_LINKS))
                .toList();
        BindingRecord.Origin replaced = isFree(absolute) ? null : origin;
        var tree =
                new OutputTree(absolute, temporary(parent, "." + absolute.getFileName() + ".partial-"), above, staging);
        tree.replaced = replaced;
        return tree;
    }

    private static Path temporary(Path parent, String prefix) throws IOException {
        for (int tries = 1; ; tries++) {
            Files.createDirectories(parent);
            try {
                // Unlike a temporary directory, it has the mode that the umask gives.
                return Files.createDirectory(parent.resolve(prefix + UUID.randomUUID()));
            } catch (NoSuchFileException e) {
                // A binder that was refused may just have removed the parent, which it had made. The tries are bounded,
                // since in some places, such as /proc, no directory can be made at all.
                if (tries == MOST_TRIES) {
                    throw new NoSuchFileException(parent.toString(), null, "no directory can be made there.");
                }
            }
        }
    }

    private static FileAlreadyExistsException refused(Path place, String reason) {
        return new FileAlreadyExistsException(place.toString(), null, reason);
    }

    private static void checkReplaceable(Path place, BindingRecord.Origin origin) throws IOException {
        if (isFree(place)) {
            return;
        }
        Optional<BindingRecord> earlier =
                Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS) ? BindingRecord.find(place) : Optional.empty();
        if (earlier.isEmpty() || !earlier.get().origin().equals(origin)) {
            throw refused(
                    place,
                    "it exists already, and is not a binding of this DAG."
                            + "\nMaybe another --out was meant; nothing has been written.");
        }
        Stream<String> added = earlier.get().addedFiles(place, 1).stream();
        var own = Stream.concat(added, earlier.get().changedFiles(place)).findFirst();
        if (own.isPresent()) {
            throw refused(
                    place,
                    "it holds files that are not of the binding, or were changed after it, [" + own.get() + "] for one."
                            + "\nMaybe the DAG has been submitted from there; nothing has been written.");
        }
    }

    /** Whether there is nothing, or an empty directory. */
    private static boolean isFree(Path place) throws IOException {
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            return !Files.exists(place, LinkOption.NOFOLLOW_LINKS);
        }
        try (Stream<Path> entries = Files.list(place)) {
            return entries.findAny().isEmpty();
        }
    }

    /** A new file. */
    OutputStream create(String name) throws IOException {
        files.add(name);
        return temporary == null
                ? OutputStream.nullOutputStream()
                : new BufferedOutputStream(Files.newOutputStream(withParents(name)), 1 << 16);
    }

    void copy(Path original, String name) throws IOException {
        files.add(name);
        if (temporary != null) {
            Files.copy(original, withParents(name));
        }
    }

    /** Stages a file that jobs read, unless the tree has a file of its own under that name. */
    void input(Path original, String name) throws IOException {
        boolean isOwn =
                files.contains(name) || BindingRecord.OWN.contains(name) || name.equals(DagProgress.FINISHED_MARK);
        if (isOwn || !inputs.add(name) || temporary == null) {
            return;
        }
        if (staging == InputStaging.LINK) {
            Files.createSymbolicLink(
                    withParents(name), original.toAbsolutePath().normalize());
        } else if (staging == InputStaging.COPY) {
            Files.copy(original, withParents(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** Writes the manifest of the inputs, if they are staged by one; {@code originals} is the directory with their contents. */
    void listInputs(Path originals) throws IOException {
        if (staging == InputStaging.MANIFEST) {
            files.add(FileManifest.INPUTS);
            if (temporary != null) {
                Files.write(withParents(FileManifest.INPUTS), (Iterable<String>)
                        FileManifest.of(originals, inputs, true).lines()::iterator);
            }
        }
    }

    /** Makes a directory with those above it. */
    void directory(String name) throws IOException {
        if (temporary != null) {
            Files.createDirectories(inside(name));
        }
    }

    /** The path of a file whose directories have been made. */
    private Path withParents(String name) throws IOException {
        Path path = inside(name);
        Path parent = path.getParent();
        if (parent != null && folders.add(parent)) {
            Files.createDirectories(parent);
        }
        return path;
    }

    private Path inside(String name) throws NoSuchFileException {
        Path root = Objects.requireNonNull(temporary);
        Path path = root.resolve(name).normalize();
        if (!path.startsWith(root)) {
            throw new NoSuchFileException("The file (" + name + ") is outside the directory of the DAG.");
        }
        return path;
    }

    List<String> files() {
        return List.copyOf(files);
    }

    List<String> inputs() {
        return List.copyOf(inputs);
    }

    /** Writes a file that {@link #files} does not list. */
    void accompany(String name, byte[] content) throws IOException {
        if (temporary != null) {
            Files.write(withParents(name), content);
        }
    }

    /** Puts the tree in its place; returns a warning if it is there, but the earlier binding could not be deleted. */
    Optional<String> commit() throws IOException {
        if (place == null || temporary == null) {
            return Optional.empty();
        }
        if (isFree(place)) {
            try {
                AtomicFile.move(temporary, place);
                return Optional.empty();
            } catch (FileSystemException e) {
                if (isFree(place)) {
                    throw e;
                }
            }
        }
        if (replaced == null) {
            throw refused(place, "it was filled meanwhile.");
        }
        checkReplaceable(place, replaced);
        Path old = place.resolveSibling("." + temporary.getFileName() + ".old");
        AtomicFile.move(place, old);
        try {
            AtomicFile.move(temporary, place);
        } catch (IOException e) {
            AtomicFile.move(old, place);
            throw e;
        }
        try {
            delete(old);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("The earlier binding could not be deleted, and is left in " + old + ": " + e);
        }
    }

    /** Removes the tree, and directories that were made for it, unless it is in its place. */
    @Override
    public void close() throws IOException {
        if (temporary != null && Files.exists(temporary)) {
            delete(temporary);
            removeEmpty(above);
        }
    }

    private static void removeEmpty(List<Path> directories) throws IOException {
        for (Path directory : directories) {
            try {
                Files.deleteIfExists(directory);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
        }
    }

    /** Removes a directory with all in it, or a file or link. */
    static void delete(Path tree) throws IOException {
        for (Path path : walk(tree).stream().sorted(Comparator.reverseOrder()).toList()) {
            Files.deleteIfExists(path);
        }
    }

    /** A path and, if it is a directory, all below it, in the order of their names. */
    static List<Path> walk(Path tree, FileVisitOption... options) throws IOException {
        try (Stream<Path> paths = Files.walk(tree, options)) {
            return paths.sorted().toList();
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }
}
