package org.metasched.dag.slurm;

import java.util.Map;
import java.util.Set;
import org.metasched.dag.DagNodes;

/** Features of the DAGMan language that the runner cannot do on Slurm. */
final class GraphRules {

    private static final Map<String, String> WAIVABLE =
            Map.of("SAVE_POINT_FILE", "There is no condor_dagman to write it");

    /** Commands about pictures of the DAG, output of scripts (it is in the node's log) and condor_dagman's own job. */
    private static final Set<String> WITHOUT_EFFECT = Set.of("SCRIPT DEBUG", "DOT", "SET_JOB_ATTR");

    /** Commands that the runner does itself. */
    private static final Set<String> HONOURED = Set.of(
            "ABORT_DAG_ON",
            "TOLERANCE",
            "WEAK",
            "MAXJOBS",
            "PRIORITY",
            "SCRIPT DEFER",
            "CATEGORY",
            "CONFIG",
            "NODE_STATUS_FILE",
            "JOBSTATE_LOG");

    private GraphRules() {}

    static void check(DagNodes nodes, UnsupportedFeatures unsupported) {
        for (DagNodes.Remark remark : nodes.remarks()) {
            String about = remark.subject().isEmpty() ? "" : " (" + remark.subject() + ")";
            if (remark.command().equals("SCRIPT HOLD")) {
                unsupported.refuse(
                        remark.place(), remark.command(), "Slurm runs no script when a job is held" + about, "");
            } else if (WITHOUT_EFFECT.contains(remark.command())) {
                unsupported.hasNoEffect(remark.command());
            } else if (!HONOURED.contains(remark.command())) {
                String reason = WAIVABLE.getOrDefault(remark.command(), "It cannot be said to Slurm");
                unsupported.refuseUnlessWaived(remark.place(), remark.command(), reason + about);
            }
        }
    }
}
