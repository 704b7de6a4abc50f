package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.metasched.dag.DagNodes;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/** State of a run after the entries of its journal, and the actions that are pending then. Does not call Slurm. Not thread-safe. */
final class ReplayedRun {

    final DagRun run;
    final PendingActions pending;
    /** The numbers of Slurm's jobs, the last of each node. */
    final Map<String, String> jobs = new LinkedHashMap<>();

    /** Second word of the entry for a halt before the first node began. A later halt lets jobs and scripts that run go on. */
    static final String AT_START = "start";

    private boolean isProvisioned;
    boolean isHalted;

    /** @param procs number of procs of a node */
    ReplayedRun(DagNodes nodes, Set<String> done, RunOptions options, ToIntFunction<RunNode> procs) {
        pending = new PendingActions(procs);
        run = new DagRun(nodes, done, options, pending);
    }

    /** The nodes that were done when a run began, by the rescue file that its first entry names. */
    static Set<String> doneBefore(List<List<String>> entries, Path dag) throws IOException {
        Path rescue = dag.resolveSibling(entries.get(0).get(2));
        return Files.isRegularFile(rescue) ? RescueFile.doneNodes(rescue) : Set.of();
    }

    /** Starts the run, and reports all entries to it. */
    void replay(List<List<String>> entries) {
        if (entries.size() > 1 && entries.get(1).equals(List.of("halt", AT_START))) {
            run.halt();
        }
        run.start();
        entries.forEach(this::accept);
    }

    /** Reports one entry of the journal to the run. */
    void accept(List<String> entry) {
        RunNode node = entry.size() < 3 ? null : run.nodes().get(entry.get(1));
        if (node != null) {
            accept(entry.get(0), node, entry.get(2));
        } else if (entry.get(0).equals("cancel")) {
            run.remove();
        } else if (entry.get(0).equals("halt")) {
            isHalted = true;
            run.halt();
        }
    }

    /** Whether the halt keeps the action from beginning, if it has not begun before. */
    boolean isHeldBack(RunNode node, PendingAction action) {
        return isHalted && action.during != RunState.POSTRUN && node.node().kind() != NodeKind.FINAL;
    }

    private void accept(String event, RunNode node, String value) {
        PendingAction action = pending.byNode.get(node);
        if (action == null) {
            return;
        }
        switch (event) {
            // About the run; a node may have the name that is their second word.
            case "begin", "continued" -> {}
            case "pre" -> {
                pending.byNode.remove(node);
                run.preEnded(node, Integer.parseInt(value));
            }
            case "post" -> {
                pending.byNode.remove(node);
                run.postEnded(node, Integer.parseInt(value));
            }
            case "refused" -> {
                pending.byNode.remove(node);
                run.notSubmitted(node);
            }
            case "withheld" -> {
                pending.byNode.remove(node);
                run.withheld(node);
            }
            case "provisioned" -> {
                isProvisioned = true;
                run.provisioned();
            }
            case "submitted" -> {
                action.isUnderWay = true;
                jobs.put(node.name(), value);
            }
            default -> procEnded(node, action, Integer.parseInt(event.substring("proc".length())), value);
        }
    }

    private void procEnded(RunNode node, PendingAction action, int proc, String code) {
        if (!action.end(proc)) {
            return;
        }
        boolean isLast = action.missing().isEmpty();
        if (isLast) {
            pending.byNode.remove(node);
        }
        if (awaitsProvision(node)) {
            run.notProvisioned();
        } else {
            run.procEnded(node, Integer.parseInt(code), isLast);
        }
    }

    /** Whether the node is a provisioner that has not reported its resources. */
    boolean awaitsProvision(RunNode node) {
        return node.node().kind() == NodeKind.PROVISIONER && !isProvisioned;
    }

    /** The current states of all nodes, by name. */
    Map<String, RunState> states() {
        var states = new LinkedHashMap<String, RunState>();
        run.nodes().forEach((name, node) -> states.put(name, node.state()));
        return states;
    }

    /** The values of condor_dagman's macros for a submission of the node now. */
    NodeExpander.DagmanMacros macros(RunNode node) {
        return new NodeExpander.DagmanMacros(node.attempt(), run.status().ordinal(), run.count(RunState.ERROR));
    }
}
