package org.metasched.dag.life;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.run.DerivedStates;
import org.metasched.dag.run.RunState;
import org.metasched.dag.slurm.RescueFile;
import org.metasched.dag.slurm.RunSnapshot;

/**
 * The states of nodes from the log of condor's job events ({@code DAG.nodes.log}), as condor_dagman derives them in a recovery. A failed
 * attempt is the node's end only if no retry is left. Memory grows with the jobs of the DAG.
 */
final class CondorLog {

    private static final Pattern EVENT = Pattern.compile("(\\d{3}) \\((\\d+)\\.(\\d+)\\.\\d+\\) .*");
    private static final Pattern NODE = Pattern.compile("\\s+DAG Node: (.+?)\\s*");
    private static final Pattern RETURNED =
            Pattern.compile("\\s+\\(1\\) Normal termination \\(return value (-?\\d+)\\).*");

    private static final String SUBMITTED = "000";
    private static final String TERMINATED = "005";
    private static final String ABORTED = "009";
    private static final String POST_ENDED = "016";
    private static final String PRE_SKIPPED = "034";

    /** The head of an event. */
    private record Head(String code, String cluster, String proc) {
        static final Head NONE = new Head("", "", "");
    }

    private final Set<String> done = new HashSet<>();
    private final Set<String> failed = new HashSet<>();
    private final Map<String, RunState> active = new LinkedHashMap<>();

    /** The procs of one attempt of a node. */
    private static final class Cluster {
        final DagNode node;
        int procs;
        int failures;
        /** The procs that have not ended. */
        final Set<String> left = new HashSet<>();

        Cluster(DagNode node) {
            this.node = node;
        }

        boolean hasSucceeded() {
            int tolerated = node.rules().tolerance().map(rule -> rule.of(procs)).orElse(0);
            return failures <= tolerated;
        }
    }

    private final DagNodes nodes;
    private final Map<String, Cluster> clusters = new HashMap<>();

    /** By node, the number of its clusters so far. */
    private final Map<String, Integer> attempts = new HashMap<>();

    private Head event = Head.NONE;
    private String node = "";
    private boolean isSuccess;

    private CondorLog(DagNodes nodes) {
        this.nodes = nodes;
    }

    /** The state of the run. If condor_dagman no longer runs, no node is under way, even if the log has no end of its job. */
    static RunSnapshot snapshot(Path file, DagNodes nodes, DagProgress progress, Optional<Path> rescue)
            throws IOException {
        CondorLog log = read(file.resolveSibling(file.getFileName() + ".nodes.log"), nodes);
        Set<String> doneBefore = rescue.isPresent() ? RescueFile.doneNodes(rescue.get()) : Set.of();
        log.alsoDone(doneBefore);
        if (progress == DagProgress.STOPPED && rescue.isPresent()) {
            log.failed.addAll(RescueFile.failedNodes(rescue.get()));
            log.failed.removeAll(log.done);
        }
        if (progress == DagProgress.FINISHED) {
            log.alsoDone(nodes.all().stream().map(DagNode::name).toList());
        }
        Map<String, RunState> active = progress == DagProgress.RUNNING ? log.active : Map.of();
        var states = DerivedStates.of(nodes, log.done, log.failed, active);
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        Optional<Instant> begun =
                Files.exists(lock) ? Optional.of(Files.getLastModifiedTime(lock).toInstant()) : Optional.empty();
        return new RunSnapshot(false, begun.isPresent(), states, Map.of(), begun, doneBefore.size(), Optional.empty());
    }

    /** @param file may be missing, and may end within an event */
    private static CondorLog read(Path file, DagNodes nodes) throws IOException {
        var log = new CondorLog(nodes);
        if (Files.isRegularFile(file)) {
            // Hosts and reasons in the events may be in any encoding: this reader replaces what is not UTF-8.
            try (var lines =
                    new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    log.line(line);
                }
            }
        }
        return log;
    }

    private void alsoDone(Collection<String> names) {
        done.addAll(names);
        failed.removeAll(done);
    }

    private void line(String line) {
        Matcher head = EVENT.matcher(line);
        if (head.matches()) {
            event = new Head(head.group(1), head.group(2), head.group(3));
            node = "";
            isSuccess = false;
        } else if (line.equals("...")) {
            eventEnded();
            event = Head.NONE;
        } else {
            Matcher named = NODE.matcher(line);
            Matcher returned = RETURNED.matcher(line);
            if (named.matches()) {
                node = named.group(1);
            } else if (returned.matches()) {
                isSuccess = returned.group(1).equals("0");
            }
        }
    }

    private void eventEnded() {
        switch (event.code()) {
            case SUBMITTED -> procSubmitted();
            case TERMINATED, ABORTED -> procEnded();
            case POST_ENDED -> known().ifPresent(known -> nodeEnded(known, isSuccess));
            case PRE_SKIPPED -> known().ifPresent(known -> nodeEnded(known, true));
            default -> {
                // Other events leave the node's state as it is.
            }
        }
    }

    /** The node of the event, which an event of a script names itself. */
    private Optional<DagNode> known() {
        return nodes.find(node)
                .or(() -> Optional.ofNullable(clusters.get(event.cluster())).map(cluster -> cluster.node));
    }

    private void procSubmitted() {
        Optional<DagNode> known = nodes.find(node);
        if (known.isEmpty()) {
            return;
        }
        Cluster cluster = clusters.get(event.cluster());
        if (cluster == null || !cluster.node.name().equals(node)) {
            attempts.merge(node, 1, Integer::sum);
            cluster = new Cluster(known.get());
            clusters.put(event.cluster(), cluster);
        }
        cluster.procs += cluster.left.add(event.proc()) ? 1 : 0;
        failed.remove(node);
        done.remove(node);
        active.put(node, RunState.SUBMITTED);
    }

    private void procEnded() {
        Cluster cluster = clusters.get(event.cluster());
        if (cluster == null || !cluster.left.remove(event.proc())) {
            return;
        }
        cluster.failures += isSuccess ? 0 : 1;
        if (cluster.left.isEmpty() && cluster.node.post().isPresent()) {
            active.put(cluster.node.name(), RunState.POSTRUN);
        } else if (cluster.left.isEmpty()) {
            nodeEnded(cluster.node, cluster.hasSucceeded());
        }
    }

    private void nodeEnded(DagNode known, boolean isDone) {
        active.remove(known.name());
        if (isDone) {
            done.add(known.name());
        } else if (attempts.getOrDefault(known.name(), 0)
                > known.rules().retry().times()) {
            failed.add(known.name());
        }
    }
}
