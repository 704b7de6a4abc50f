package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.dag.Dag;
import org.metasched.dag.DagNodes;
import org.metasched.dag.run.KnownStates;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/**
 * What the directory of a DAG and Slurm's queue say of its run. Nothing is written.
 *
 * @param isFollowed whether the run was followed node by node
 * @param isUnderWay whether a process follows it, or jobs of it are in the queue
 * @param begun when it began, or another process went on with it
 * @param doneBefore nodes that were done then
 */
public record SlurmLook(
        boolean isFollowed,
        boolean isUnderWay,
        Map<String, RunState> states,
        Optional<Instant> begun,
        long doneBefore) {

    public SlurmLook {
        states = Collections.unmodifiableMap(new LinkedHashMap<>(states));
    }

    /** @return nothing if the DAG was never in Slurm's hands from this directory */
    public static Optional<SlurmLook> at(
            Path dag, DagNodes nodes, Dag graph, SlurmClient client, SlurmCommands commands) throws IOException {
        RunFolder folder = new RunFolder(java.util.Objects.requireNonNull(dag.getParent()));
        if (!folder.exists()) {
            return Optional.empty();
        }
        List<List<String>> entries = new RunJournal(dag.resolveSibling(RunFolder.NAME)).latest();
        return entries.isEmpty()
                ? submitted(dag, nodes, graph, folder, new SlurmRun(dag, client, commands))
                : Optional.of(followed(dag, nodes, graph, folder, entries));
    }

    private static SlurmLook followed(Path dag, DagNodes nodes, Dag graph, RunFolder folder, List<List<String>> entries)
            throws IOException {
        Set<String> done = ToldRun.doneBefore(entries, dag);
        Map<String, Integer> procs = new HashMap<>();
        List<String> last = entries.get(0);
        for (List<String> entry : entries) {
            if (entry.get(0).equals("submitted") && entry.size() > 3) {
                procs.put(entry.get(1), Integer.parseInt(entry.get(3)));
            }
            last = entry.get(0).equals("continued") ? entry : last;
        }
        int maxJobs =
                entries.get(0).size() > 4 ? Integer.parseInt(entries.get(0).get(4)) : 0;
        var told = new ToldRun(nodes, graph, done, new RunOptions(false, 0, maxJobs, false, false, true)) {
            @Override
            int procs(RunNode node) {
                return procs.getOrDefault(node.name(), 1);
            }
        };
        told.replay(entries);
        long before = last.get(0).equals("continued") ? Long.parseLong(last.get(1)) : done.size();
        Optional<Instant> begun =
                last.size() > 3 ? Optional.of(Instant.ofEpochSecond(Long.parseLong(last.get(3)))) : Optional.empty();
        return new SlurmLook(true, folder.isLocked(), told.states(), begun, before);
    }

    private static Optional<SlurmLook> submitted(Path dag, DagNodes nodes, Dag graph, RunFolder folder, SlurmRun run)
            throws IOException {
        if (folder.jobs().isEmpty() && !folder.wasCutOff()) {
            return Optional.empty();
        }
        Optional<Path> rescue = RescueFile.newest(dag);
        Set<String> before = new HashSet<>(rescue.isPresent() ? RescueFile.doneNodes(rescue.get()) : Set.of());
        Set<String> done = new HashSet<>(before);
        done.addAll(folder.doneNodes());
        before.removeAll(folder.doneNodes());
        Map<String, String> names = folder.nodes();
        Map<String, String> keys = folder.jobs();
        List<String> queue = run.queued();
        Map<String, RunState> queued = new HashMap<>();
        queue.forEach(job -> queued.put(names.getOrDefault(keys.get(job), ""), RunState.SUBMITTED));
        Set<String> failed = new HashSet<>(folder.failedNodes());
        Map<String, RunState> free = KnownStates.of(nodes, Optional.of(graph), done, failed, Map.of());
        // A job that is gone without a mark, though nothing kept it from running, was removed.
        names.values().stream()
                .filter(name -> free.get(name) == RunState.READY && !queued.containsKey(name))
                .forEach(failed::add);
        queued.keySet().removeIf(name -> free.get(name) != RunState.READY);
        return Optional.of(new SlurmLook(
                false,
                folder.isLocked() || !queue.isEmpty() && !folder.wasCutOff(),
                KnownStates.of(nodes, Optional.of(graph), done, failed, queued),
                folder.begun(),
                before.size()));
    }
}
