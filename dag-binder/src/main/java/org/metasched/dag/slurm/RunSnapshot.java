package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagParser;
import org.metasched.dag.run.DerivedStates;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/**
 * State of a DAG's run, by the files in its directory. Of Slurm's queue only the runner's own job is asked for. Nothing is written.
 *
 * @param isJob whether the runner is, or was, a job of Slurm
 * @param isUnderWay whether a process runs the DAG, or the runner's job is in the queue
 * @param jobs the numbers of Slurm's jobs, the last of each node
 * @param begun time at which the run began, or at which another process resumed it
 * @param doneBefore number of nodes that were done then
 * @param lastOutput last output of the runner's job, if the job is gone and the run has not ended
 */
public record RunSnapshot(
        boolean isJob,
        boolean isUnderWay,
        Map<String, RunState> states,
        Map<String, String> jobs,
        Optional<Instant> begun,
        long doneBefore,
        Optional<String> lastOutput) {

    public RunSnapshot {
        states = Collections.unmodifiableMap(new LinkedHashMap<>(states));
        jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
    }

    /** @return empty if the DAG was never run on Slurm from this directory */
    public static Optional<RunSnapshot> at(Path dag, DagNodes nodes, SlurmClient client, DagSlurmCommands commands)
            throws IOException {
        Path top = DagParser.folderOf(dag);
        RunFolder folder = new RunFolder(top);
        if (!folder.exists()) {
            return Optional.empty();
        }
        RunnerJob runner = new RunnerJob(top, client, commands);
        Optional<String> name = runner.name();
        RunJournal journal = new RunJournal(folder.path);
        // A runner that has not begun has no journal; the one that is there is of an earlier run.
        List<List<String>> entries = name.isPresent() ? journal.entries() : journal.latest();
        if (entries.isEmpty() && name.isEmpty()) {
            return Optional.empty();
        }
        boolean isUnderWay = folder.isLocked() || runner.queued().isPresent();
        Optional<String> lastOutput = isUnderWay || name.isEmpty() ? Optional.empty() : runner.lastOutput();
        if (entries.isEmpty()) {
            Optional<Path> rescue = RescueFile.newest(dag);
            Set<String> done = rescue.isPresent() ? RescueFile.doneNodes(rescue.get()) : Set.of();
            var states = DerivedStates.of(nodes, done, Set.of(), Map.of());
            return Optional.of(
                    new RunSnapshot(true, isUnderWay, states, Map.of(), Optional.empty(), done.size(), lastOutput));
        }
        ReplayedRun replayed = replayed(dag, nodes, entries);
        List<String> last = entries.stream()
                .filter(entry -> entry.get(0).equals("continued"))
                .reduce(entries.get(0), (first, second) -> second);
        return Optional.of(new RunSnapshot(
                runner.wasUsed(),
                isUnderWay,
                replayed.states(),
                replayed.jobs,
                Optional.of(Instant.ofEpochSecond(Long.parseLong(last.get(3)))),
                last.get(0).equals("continued")
                        ? Long.parseLong(last.get(1))
                        : ReplayedRun.doneBefore(entries, dag).size(),
                lastOutput));
    }

    private static ReplayedRun replayed(Path dag, DagNodes nodes, List<List<String>> entries) throws IOException {
        Map<String, Integer> procs = new HashMap<>();
        for (List<String> entry : entries) {
            if (entry.get(0).equals("submitted")) {
                procs.put(entry.get(1), Integer.parseInt(entry.get(3)));
            }
        }
        var replayed = new ReplayedRun(
                nodes,
                ReplayedRun.doneBefore(entries, dag),
                RunOptions.parse(entries.get(0).get(4)),
                node -> procs.getOrDefault(node.name(), 1));
        replayed.replay(entries);
        return replayed;
    }
}
