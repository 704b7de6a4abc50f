package org.metasched.dag.slurm;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The folder {@value #NAME} of a bound DAG: wrappers and their logs, which jobs were submitted, and the marks that nodes leave. Jobs on
 * other machines write there, so it must be on a file system that they share.
 */
final class RunFolder {

    static final String NAME = ".metasched-slurm";

    private static final String NODES = "nodes";
    private static final String JOBS = "jobs";
    private static final String LOCK = "lock";
    /** The options of the command, for those that come later. */
    private static final String COMMAND = "command";

    private static final String SUBMITTING = "submitting";
    private static final String DONE = "done";
    private static final String FAILED = "failed";

    private final Path folder;

    /** @param top directory of the bound DAG */
    RunFolder(Path top) {
        this.folder = top.resolve(NAME);
    }

    boolean exists() {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Keeps other processes from submitting the same DAG until it is closed.
     *
     * @throws IOException if one does already
     */
    Closeable lock() throws IOException {
        if (Files.isSymbolicLink(folder)) {
            throw new IOException("The folder (" + folder + ") must not be a symbolic link.");
        }
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            for (int tries = 0; tries < 5; tries++) {
                if (channel.tryLock() != null) {
                    return channel;
                }
                // Another process may just be looking.
                LockSupport.parkNanos(10_000_000);
            }
        } catch (OverlappingFileLockException e) {
            // Held by this process: the same answer as for another one.
        }
        channel.close();
        throw new IOException("The DAG in (" + folder.getParent() + ") is being submitted by another process.");
    }

    /** Whether a process works on the DAG at this moment. */
    boolean isLocked() throws IOException {
        if (!Files.exists(folder.resolve(LOCK))) {
            return false;
        }
        // A shared lock on a channel for reading: looking must not keep a runner from beginning.
        try (var channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.READ);
                var lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    /** When the wrappers of the last run were written. */
    Optional<Instant> begun() throws IOException {
        Path nodes = folder.resolve(NODES);
        return Files.exists(nodes)
                ? Optional.of(Files.getLastModifiedTime(nodes).toInstant())
                : Optional.empty();
    }

    /** Makes the folder anew, with a wrapper for each node and nothing else. */
    void prepare(List<PlannedNode> nodes) throws IOException {
        clear();
        Files.createDirectories(folder.resolve(DONE));
        Files.createDirectories(folder.resolve(FAILED));
        List<String> lines = new ArrayList<>();
        for (PlannedNode node : nodes) {
            if (node.runs()) {
                lines.add(node.key() + "\t" + node.name());
                script(node.key(), node.script());
            }
        }
        Files.write(folder.resolve(NODES), lines);
    }

    Path script(String key, String text) throws IOException {
        return Files.writeString(folder.resolve(key + ".sh"), text);
    }

    Path script(String key) {
        return folder.resolve(key + ".sh");
    }

    /** Notes a submitted job at once, so that it is known whatever happens next. */
    void submitted(String id, String key) throws IOException {
        Files.writeString(
                folder.resolve(JOBS),
                id + "\t" + key + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** From now on until {@link #isWhole} a killed process leaves a DAG of which nothing has run. */
    void beginsToSubmit() throws IOException {
        Files.writeString(folder.resolve(SUBMITTING), "");
    }

    void isWhole() throws IOException {
        Files.deleteIfExists(folder.resolve(SUBMITTING));
    }

    /** Whether a process was killed between the two; only for the owner of the lock. */
    boolean wasCutOff() {
        return Files.exists(folder.resolve(SUBMITTING));
    }

    /** For jobs that were all cancelled before they could run. */
    void forgetJobs() throws IOException {
        Files.deleteIfExists(folder.resolve(JOBS));
    }

    /** The submitted jobs: number and key. */
    Map<String, String> jobs() throws IOException {
        return table(folder.resolve(JOBS));
    }

    /** The names of the nodes that are done. */
    Set<String> doneNodes() throws IOException {
        return marked(DONE);
    }

    Set<String> failedNodes() throws IOException {
        return marked(FAILED);
    }

    /** The nodes of the run by their keys. */
    Map<String, String> nodes() throws IOException {
        return table(folder.resolve(NODES));
    }

    /** How many nodes of the run are not done. */
    int missing() throws IOException {
        return nodes().size() - doneNodes().size();
    }

    private Set<String> marked(String kind) throws IOException {
        Set<String> names = new LinkedHashSet<>();
        for (Map.Entry<String, String> node : nodes().entrySet()) {
            if (Files.exists(folder.resolve(kind).resolve(node.getKey()))) {
                names.add(node.getValue());
            }
        }
        return names;
    }

    private static Map<String, String> table(Path file) throws IOException {
        Map<String, String> table = new LinkedHashMap<>();
        if (Files.isRegularFile(file)) {
            for (String line : Files.readAllLines(file)) {
                int tab = line.indexOf('\t');
                if (tab > 0) {
                    table.put(line.substring(0, tab), line.substring(tab + 1));
                }
            }
        }
        return table;
    }

    private void clear() throws IOException {
        for (Path inner : List.of(folder.resolve(DONE), folder.resolve(FAILED), folder)) {
            if (Files.isDirectory(inner, LinkOption.NOFOLLOW_LINKS)) {
                emptyOfFiles(inner);
            }
        }
    }

    private static void emptyOfFiles(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            Stream.Builder<Path> all = Stream.builder();
            entries.forEach(all::add);
            all.build()
                    .filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .filter(file -> !file.endsWith(LOCK) && !file.endsWith(COMMAND))
                    .forEach(files::add);
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
