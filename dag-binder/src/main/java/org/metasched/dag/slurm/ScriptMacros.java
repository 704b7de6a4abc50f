package org.metasched.dag.slurm;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.dag.DagNode;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunState;

/** The macros in the arguments of PRE and POST scripts; each is a word of its own. */
final class ScriptMacros {

    /** Those that DAGMan has and that are not known here. */
    private static final List<String> UNKNOWN =
            List.of("$DAGID", "$JOB_ABORT_COUNT", "$EXIT_CODES", "$EXIT_CODE_COUNTS", "$EXIT_CODE_LIST");

    private ScriptMacros() {}

    /** A macro of the script that only condor_dagman could replace. */
    static Optional<String> unknown(DagNode.Script script) {
        return script.words().stream()
                .skip(1)
                .filter(word -> UNKNOWN.contains(word.toUpperCase(Locale.ROOT)))
                .findFirst();
    }

    /** The values at this moment, by the names in upper case. */
    static Map<String, String> values(ReplayedRun run, RunNode node, int jobs) {
        String cluster = run.jobs().getOrDefault(node.name(), "0");
        return Map.ofEntries(
                Map.entry("$NODE", node.name()),
                Map.entry("$JOB", node.name()),
                Map.entry("$RETRY", Integer.toString(node.attempt())),
                Map.entry(
                        "$MAX_RETRIES",
                        Integer.toString(node.node().rules().retry().times())),
                Map.entry("$RETURN", Integer.toString(node.returned())),
                Map.entry("$PRE_SCRIPT_RETURN", Integer.toString(node.preReturned())),
                Map.entry("$SUCCESS", node.returned() == 0 ? "True" : "False"),
                Map.entry("$JOBID", cluster + ".0"),
                Map.entry("$CLUSTERID", cluster),
                Map.entry("$JOB_COUNT", Integer.toString(jobs)),
                Map.entry("$DONE_COUNT", Integer.toString(run.count(RunState.DONE))),
                Map.entry("$FAILED_COUNT", Integer.toString(run.count(RunState.ERROR))),
                Map.entry("$FUTILE_COUNT", Integer.toString(run.count(RunState.FUTILE))),
                Map.entry("$QUEUED_COUNT", Integer.toString(run.count(RunState.SUBMITTED))),
                Map.entry("$NODE_COUNT", Integer.toString(run.run.nodes().size())),
                Map.entry("$DAG_STATUS", Integer.toString(run.run.status().ordinal())));
    }
}
