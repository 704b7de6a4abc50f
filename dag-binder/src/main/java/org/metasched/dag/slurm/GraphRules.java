package org.metasched.dag.slurm;

import org.metasched.dag.DagNodes;

/** Features of the DAGMan language that the runner cannot do on Slurm. */
final class GraphRules {

    private GraphRules() {}

    static void check(DagNodes nodes, UnsupportedFeatures unsupported) {
        for (DagNodes.Remark remark : nodes.remarks()) {
            String about = remark.subject().isEmpty() ? "" : " (" + remark.subject() + ")";
            switch (remark.command()) {
                case "SCRIPT HOLD" ->
                    unsupported.refuse(
                            remark.place(), "SCRIPT HOLD", "Slurm runs no script when a job is held" + about, "");
                case "SAVE_POINT_FILE" ->
                    unsupported.refuseUnlessWaived(
                            remark.place(), "SAVE_POINT_FILE", "There is no condor_dagman to write it" + about);
                // About pictures of the DAG, output of scripts (it is in the node's log) and condor_dagman's own job.
                case "SCRIPT DEBUG", "DOT", "SET_JOB_ATTR" -> unsupported.noteNoEffect(remark.command());
                default -> {
                    // The runner does it.
                }
            }
        }
    }
}
