package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.dag.Dag;
import org.metasched.dag.DagNodes;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.Hands;
import org.metasched.dag.run.Rescue;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/** A run as its journal tells it, and what is owed to each of its nodes. By itself it does nothing to Slurm. Not thread-safe. */
class ToldRun implements Hands {

    final DagRun run;
    /** Nodes with something to be done or waited for. */
    final Map<RunNode, Owed> owed = new LinkedHashMap<>();

    private boolean isProvisioned;

    /** What a node waits for: its script, or the procs of its jobs. */
    static final class Owed {
        final RunState during;
        final boolean[] ended;
        boolean isUnderWay;
        int submits;
        int misses;
        long notBefore;

        private Owed(RunState during, int procs) {
            this.during = during;
            this.ended = new boolean[procs];
        }

        List<Integer> missing() {
            List<Integer> missing = new ArrayList<>();
            for (int proc = 0; proc < ended.length; proc++) {
                if (!ended[proc]) {
                    missing.add(proc);
                }
            }
            return missing;
        }
    }

    ToldRun(DagNodes nodes, Dag dag, Set<String> done, RunOptions options) {
        run = new DagRun(nodes, Optional.of(dag), done, options, this);
    }

    /** The nodes that were done when a run began: a rescue file that it wrote itself does not count. */
    static Set<String> doneBefore(List<List<String>> entries, Path dag) throws IOException {
        Path rescue = dag.resolveSibling(entries.get(0).get(2));
        return Files.isRegularFile(rescue) ? RescueFile.doneNodes(rescue) : Set.of();
    }

    /** How many procs a node has; the journal of an earlier process says it of those that it submitted. */
    int procs(RunNode node) {
        return 1;
    }

    void replay(List<List<String>> entries) {
        if (entries.size() > 1 && entries.get(1).get(0).equals("halt")) {
            run.halt();
        }
        run.start();
        for (List<String> entry : entries) {
            RunNode node = entry.size() < 3 ? null : run.nodes().get(entry.get(1));
            if (node != null) {
                tell(entry.get(0), node, Integer.parseInt(entry.get(2)));
            } else if (entry.get(0).equals("cancel")) {
                run.remove();
            } else if (entry.get(0).equals("halt")) {
                run.halt();
            }
        }
    }

    /** Tells the run one entry. */
    void tell(String what, RunNode node, int code) {
        Owed waits = owed.get(node);
        if (waits == null) {
            return;
        }
        switch (what) {
            case "pre" -> {
                owed.remove(node);
                run.preEnded(node, code);
            }
            case "post" -> {
                owed.remove(node);
                run.postEnded(node, code);
            }
            case "refused" -> {
                owed.remove(node);
                run.notSubmitted(node);
            }
            case "provisioned" -> {
                isProvisioned = true;
                run.provisioned();
            }
            case "submitted" -> waits.isUnderWay = true;
            default -> procEnded(node, waits, Integer.parseInt(what.substring("proc".length())), code);
        }
    }

    private void procEnded(RunNode node, Owed waits, int proc, int code) {
        if (proc >= waits.ended.length || waits.ended[proc]) {
            return;
        }
        waits.ended[proc] = true;
        boolean isLast = waits.missing().isEmpty();
        if (isLast) {
            owed.remove(node);
        }
        if (node.node().kind() == NodeKind.PROVISIONER && !isProvisioned) {
            run.notProvisioned();
        } else {
            run.procEnded(node, code, isLast);
        }
    }

    boolean awaitsProvision(RunNode node) {
        return node.node().kind() == NodeKind.PROVISIONER && !isProvisioned;
    }

    /** The states of all nodes, as far as the journal goes or the run has come. */
    public final Map<String, RunState> states() {
        var states = new LinkedHashMap<String, RunState>();
        run.nodes().forEach((name, node) -> states.put(name, node.state()));
        return states;
    }

    @Override
    public final void pre(RunNode node) {
        owed.put(node, new Owed(RunState.PRERUN, 0));
    }

    @Override
    public final void post(RunNode node) {
        owed.put(node, new Owed(RunState.POSTRUN, 0));
    }

    @Override
    public final void submit(RunNode node) {
        int procs = procs(node);
        owed.put(node, new Owed(RunState.SUBMITTED, procs));
        run.submitted(node, procs);
    }

    @Override
    public void removeRest(RunNode node) {}

    @Override
    public void removeAll() {
        owed.clear();
    }

    @Override
    public void rescue(Rescue rescue) {}
}
