package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.dag.run.RunOptions;
import org.metasched.durable.AppendLog;
import org.metasched.durable.AtomicFile;

/**
 * Journal of a DAG's run. Each event is durable before the run acts on it; replayed, the journal brings a run to where a killed process
 * was. An entry is a line of words: an event, mostly with a node and a value ({@link ReplayedRun}). The first entry is
 * {@code begin ID RESCUE SECONDS OPTIONS}: the id of the run, the rescue file from which it continues or {@code -}, the time since 1970,
 * and the {@link RunOptions}.
 */
final class RunJournal {

    private static final String NAME = "journal";

    private final Path file;
    private final AppendLog log;

    RunJournal(Path folder) {
        this.file = folder.resolve(NAME);
        this.log = new AppendLog(file);
    }

    /** Adds an entry; none of its words has a tab or a line break in it. */
    void add(String... words) throws IOException {
        log.append(String.join("\t", words));
    }

    /** Begins a new run unless one is under way; returns the entries of the run. */
    List<List<String>> beginOrContinue(Path dag, Clock clock, RunOptions options) throws IOException {
        if (log.read().isEmpty()) {
            Files.createDirectories(file.getParent());
            Optional<Path> newest = RescueFile.newest(dag);
            add(
                    "begin",
                    UUID.randomUUID().toString().substring(0, 8),
                    newest.map(Path::getFileName).map(Path::toString).orElse("-"),
                    Long.toString(clock.instant().getEpochSecond()),
                    options.toString());
        }
        return entries();
    }

    /** Notes that another process resumes the run, and how many nodes are done by now. */
    void noteContinued(long done, Clock clock) throws IOException {
        add("continued", Long.toString(done), "-", Long.toString(clock.instant().getEpochSecond()));
    }

    /** The entries of the run under way, without a last one that is incomplete; none if no run is under way. */
    List<List<String>> entries() throws IOException {
        return entries(file);
    }

    /** The entries of the run under way, else of the last run that ended here. */
    List<List<String>> latest() throws IOException {
        return entries(Files.exists(file) ? file : ended());
    }

    private static List<List<String>> entries(Path file) throws IOException {
        return AppendLog.peek(file).stream()
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
    }

    /** The rescue file that the run has left, if any. */
    Optional<Path> rescueFile(Path dag) throws IOException {
        return latest().stream()
                .filter(entry -> entry.get(0).equals("rescue"))
                .map(entry -> dag.resolveSibling(entry.get(1)))
                .reduce((first, second) -> second);
    }

    private Path ended() {
        return file.resolveSibling(NAME + ".ended");
    }

    /** Ends the run's journal: the next run begins anew. */
    void end() throws IOException {
        if (Files.exists(file)) {
            AtomicFile.move(file, ended());
        }
    }
}
