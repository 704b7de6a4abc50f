package org.metasched.dag.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.queue.QueuedDag.State;
import org.metasched.durable.AppendLog;
import org.metasched.durable.SharedLog;

/**
 * Durable queue of DAGs, one line of a log for each change. Any number of processes may use it at once. Each of them parses a line once,
 * and again after a rewrite of the log. Failed reads and writes of lines throw {@link java.io.UncheckedIOException}, a damaged line
 * {@link IllegalArgumentException}. Not thread-safe.
 *
 * <p>The output directory of a DAG does not exist when the DAG is queued. A bound directory found there later was made by a process
 * that was killed before it could record the binding.
 */
public final class DagQueue {

    private static final ReadOptions JSON = ReadOptions.NEW.with(Syntax.JSON);

    /** Time for which the queue keeps DAGs that no longer wait. */
    private static final Duration MEMORY = Duration.ofDays(30);

    private final SharedLog log;
    final Clock clock;
    private final Map<Long, QueuedDag> dags = new TreeMap<>();
    /** The number of lines that were read, and the last of them. */
    private int linesRead;

    private String lastLine = "";

    /** @param folder folder of the log, which is made with the first DAG */
    public DagQueue(Path folder, Clock clock) {
        this.log = new SharedLog(folder, "queue", "queue of DAGs");
        this.clock = clock;
    }

    /**
     * Adds DAGs, all at once.
     *
     * @throws IllegalArgumentException if the output directory of a DAG exists or belongs to another one; none is added
     */
    public void add(Collection<QueuedDag> added) {
        change(lines -> {
            forgetOld(lines);
            Map<Path, QueuedDag> places = new HashMap<>();
            waiting().forEach(dag -> places.put(dag.out(), dag));
            long id = dags.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
            var numbered = new ArrayList<QueuedDag>();
            for (QueuedDag dag : added) {
                QueuedDag other = places.putIfAbsent(dag.out(), dag);
                if (other != null || Files.exists(dag.out())) {
                    throw new IllegalArgumentException("The output (" + dag.out() + ") of the DAG (" + dag.dag() + ") "
                            + (other == null ? "exists already" : "belongs to the queued DAG " + other.dag())
                            + ". No DAG was queued.\nMaybe choose another --out.");
                }
                numbered.add(dag.numbered(++id, clock.instant()));
            }
            return numbered;
        });
    }

    /** Takes waiting DAGs out of the queue, and returns them. */
    public List<QueuedDag> withdraw(Predicate<QueuedDag> which) {
        return change(lines -> waiting().stream()
                .filter(which)
                .map(dag -> dag.with(State.WITHDRAWN, "", clock.instant()))
                .toList());
    }

    /** Ends the waiting DAGs whose time is over, and returns them. */
    public List<QueuedDag> expire() {
        Instant now = clock.instant();
        return dags.values().stream().noneMatch(dag -> dag.isExpired(now))
                ? List.of()
                : change(lines -> waiting().stream()
                        .filter(dag -> dag.isExpired(now))
                        .map(dag -> dag.with(State.EXPIRED, "", now))
                        .toList());
    }

    /** All DAGs of the queue, the oldest first. */
    public List<QueuedDag> list() {
        refresh();
        return List.copyOf(dags.values());
    }

    /** Reads the changes of other processes. */
    void refresh() {
        accept(log.peek());
    }

    /** A text that differs after each change of the queue. */
    public String version() throws IOException {
        Path file = log.file();
        return Files.exists(file) ? Files.getLastModifiedTime(file) + " " + Files.size(file) : "";
    }

    /** Applies a change to a DAG that still waits, while no other process may change it; returns the DAG as it is afterwards. */
    QueuedDag changeWaiting(QueuedDag dag, Function<QueuedDag, QueuedDag> work) {
        change(lines -> {
            QueuedDag now = dags.getOrDefault(dag.id(), dag);
            QueuedDag after = now.state() == State.WAITING ? work.apply(now) : now;
            return after == now ? List.of() : List.of(after);
        });
        return dags.getOrDefault(dag.id(), dag);
    }

    List<QueuedDag> waiting() {
        return dags.values().stream()
                .filter(dag -> dag.state() == State.WAITING)
                .toList();
    }

    /** The number of DAGs that hold a match, by owner. */
    Map<String, Long> matchesByOwner() {
        return dags.values().stream()
                .filter(DagQueue::holdsMatch)
                .collect(Collectors.groupingBy(QueuedDag::owner, HashMap::new, Collectors.counting()));
    }

    /** Whether the DAG is bound, not finished, and its match is not released. */
    public static boolean holdsMatch(QueuedDag dag) {
        try {
            return dag.state() == State.BOUND
                    && Files.exists(dag.out().resolve(MatchNote.FILE))
                    && DagProgress.of(dag.out(), String.valueOf(dag.dag().getFileName())) != DagProgress.FINISHED;
        } catch (IOException e) {
            return true;
        }
    }

    private interface Change {
        List<QueuedDag> apply(AppendLog lines) throws IOException;
    }

    private List<QueuedDag> change(Change change) {
        return log.exclusively((lines, all) -> {
            accept(all);
            List<QueuedDag> changes = change.apply(lines);
            if (!changes.isEmpty()) {
                List<String> added = changes.stream().map(QueuedDag::line).toList();
                lines.append(added);
                added.forEach(this::accept);
            }
            return changes;
        });
    }

    /** Removes DAGs that no longer wait, after a time, unless they hold a match. */
    private void forgetOld(AppendLog lines) throws IOException {
        Instant old = clock.instant().minus(MEMORY);
        if (dags.values()
                .removeIf(dag -> dag.state() != State.WAITING && dag.since().isBefore(old) && !holdsMatch(dag))) {
            List<String> kept = dags.values().stream().map(QueuedDag::line).toList();
            lines.rewrite(kept);
            linesRead = 0;
            kept.forEach(this::accept);
        }
    }

    /** Parses the lines that were not read before; all of them if the log was rewritten. */
    private void accept(List<String> all) {
        if (all.size() < linesRead || linesRead > 0 && !all.get(linesRead - 1).equals(lastLine)) {
            dags.clear();
            linesRead = 0;
        }
        all.subList(linesRead, all.size()).forEach(this::accept);
    }

    private void accept(String line) {
        try {
            QueuedDag dag = new QueuedDag(ClassAd.parse(line, JSON));
            dags.put(dag.id(), dag);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException(
                    log.file() + ":" + (linesRead + 1) + ":1: this is no queued DAG: " + e.getMessage(), e);
        }
        linesRead++;
        lastLine = line;
    }
}
