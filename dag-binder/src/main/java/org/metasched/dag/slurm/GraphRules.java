package org.metasched.dag.slurm;

import java.util.Map;
import java.util.Set;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.NodeKind;

/** What of the DAGMan language Slurm's dependencies cannot say. */
final class GraphRules {

    private static final Map<NodeKind, String> KINDS = Map.of(
            NodeKind.SUBDAG, "A DAG within the DAG needs a condor_dagman of its own",
            NodeKind.FINAL, "A node that runs whatever happens, and decides over the DAG, cannot be said with afterok",
            NodeKind.PROVISIONER, "A node that tells others when to start by its job ad needs HTCondor",
            NodeKind.SERVICE, "A node that runs beside the others and is stopped with them needs condor_dagman");

    private static final Map<String, String> REFUSED = Map.of(
            "ABORT_DAG_ON", "One node's exit code cannot end the others",
            "TOLERANCE", "A node cannot count failures among its jobs",
            "WEAK", "A dependency that only waits would need afterany, which counts cancelled parents too",
            "SCRIPT HOLD", "Slurm runs no script when a job is held");

    private static final Map<String, String> WAIVABLE = Map.of(
            "MAXJOBS", "Slurm limits jobs by account or partition, not by a category of the DAG",
            "PRIORITY", "Slurm computes priorities by itself",
            "CONFIG", "There is no condor_dagman to be configured",
            "NODE_STATUS_FILE", "There is no condor_dagman to write it",
            "JOBSTATE_LOG", "There is no condor_dagman to write it",
            "SAVE_POINT_FILE", "There is no condor_dagman to write it",
            "SCRIPT DEFER", "A script is not put off; RETRY repeats the whole node",
            "SCRIPT DEBUG", "What scripts print goes into the log of the node's Slurm job");

    /** What a run that is followed does itself. */
    private static final Set<String> FOLLOWED = Set.of(
            "ABORT_DAG_ON", "TOLERANCE", "WEAK", "MAXJOBS", "PRIORITY", "SCRIPT DEFER", "SCRIPT DEBUG", "SCRIPT HOLD");

    /** About pictures of the DAG and condor_dagman's own job. */
    private static final Set<String> IGNORED = Set.of("DOT", "SET_JOB_ATTR", "CATEGORY");

    private GraphRules() {}

    /** What a run that is followed node by node cannot do either. */
    static void checkFollowed(DagNodes nodes, Complaints complaints) {
        for (DagNodes.Remark remark : nodes.remarks()) {
            if (remark.command().equals("SCRIPT HOLD")) {
                complaints.refuse(
                        remark.place(),
                        remark.command(),
                        of(remark.subject(), "Slurm runs no script when a job is held"),
                        "");
            } else if (!FOLLOWED.contains(remark.command()) && !IGNORED.contains(remark.command())) {
                String reason = WAIVABLE.getOrDefault(remark.command(), "It cannot be said to Slurm");
                complaints.refuseUnlessWaived(remark.place(), remark.command(), of(remark.subject(), reason));
            }
        }
    }

    static void check(DagNodes nodes, Complaints complaints) {
        for (DagNode node : nodes.all()) {
            String reason = KINDS.get(node.kind());
            if (reason != null) {
                complaints.refuse(node.place(), node.kind().name(), of(node.name(), reason), hint(node.kind()));
            }
            node.pre().ifPresent(script -> check(node, script, complaints));
            node.post().ifPresent(script -> check(node, script, complaints));
        }
        for (DagNodes.Remark remark : nodes.remarks()) {
            String about = remark.command().equals("WEAK") ? "" : remark.subject();
            if (REFUSED.containsKey(remark.command())) {
                String reason = REFUSED.get(remark.command());
                complaints.refuse(
                        remark.place(),
                        remark.command().replace("ABORT_DAG_ON", "ABORT-DAG-ON"),
                        of(about, reason),
                        "");
            } else if (!IGNORED.contains(remark.command())) {
                String reason = WAIVABLE.getOrDefault(remark.command(), "It cannot be said to Slurm");
                complaints.refuseUnlessWaived(remark.place(), remark.command(), of(about, reason));
            }
        }
    }

    private static void check(DagNode node, DagNode.Script script, Complaints complaints) {
        WrapperScript.unknownMacro(script)
                .ifPresent(macro -> complaints.refuse(
                        script.place(),
                        "SCRIPT",
                        of(node.name(), "Only condor_dagman knows the value of " + macro),
                        ""));
    }

    private static String hint(NodeKind kind) {
        return kind == NodeKind.SUBDAG ? "Maybe SPLICE does as well: its nodes become nodes of this DAG." : "";
    }

    private static String of(String subject, String reason) {
        return subject.isEmpty() ? reason : reason + " (" + subject + ")";
    }
}
