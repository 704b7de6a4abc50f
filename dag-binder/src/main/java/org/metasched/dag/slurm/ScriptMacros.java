package org.metasched.dag.slurm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunState;

/** The macros in the arguments of PRE and POST scripts; each is a word of its own. */
final class ScriptMacros {

    private ScriptMacros() {}

    /**
     * The current values, by the names in upper case. A name without a value stays in the arguments.
     *
     * @param results exit codes of the procs, for a POST script
     */
    static Map<String, String> values(ReplayedRun run, RunNode node, Optional<List<Optional<Integer>>> results) {
        Map<String, String> values = new HashMap<>();
        values.put("$NODE", node.name());
        values.put("$JOB", node.name());
        values.put("$RETRY", Integer.toString(node.attempt()));
        values.put("$MAX_RETRIES", Integer.toString(node.node().rules().retry().times()));
        values.put("$DAGID", System.getenv().getOrDefault("SLURM_JOB_ID", "0"));
        values.put("$DONE_COUNT", Integer.toString(run.run.count(RunState.DONE)));
        values.put("$FAILED_COUNT", Integer.toString(run.run.count(RunState.ERROR)));
        values.put("$FUTILE_COUNT", Integer.toString(run.run.count(RunState.FUTILE)));
        values.put("$QUEUED_COUNT", Integer.toString(run.run.count(RunState.SUBMITTED)));
        values.put("$NODE_COUNT", Integer.toString(run.run.nodes().size()));
        values.put("$DAG_STATUS", Integer.toString(run.run.status().ordinal()));
        results.ifPresent(codes -> values.putAll(afterJobs(run, node, codes)));
        return values;
    }

    private static Map<String, String> afterJobs(ReplayedRun run, RunNode node, List<Optional<Integer>> ofProcs) {
        // A SUBDAG or NOOP node counts as one job, of which there is no file.
        List<Optional<Integer>> results =
                node.isWithoutJobs() ? List.of() : ofProcs.isEmpty() ? List.of(Optional.of(node.returned())) : ofProcs;
        List<Integer> codes = results.stream().flatMap(Optional::stream).toList();
        Map<Integer, Long> counts =
                codes.stream().collect(Collectors.groupingBy(code -> code, TreeMap::new, Collectors.counting()));
        String cluster = run.jobs.getOrDefault(node.name(), "0");
        return Map.of(
                "$RETURN", Integer.toString(node.returned()),
                "$PRE_SCRIPT_RETURN", Integer.toString(node.preReturned()),
                "$SUCCESS", node.returned() == 0 ? "True" : "False",
                "$JOBID", cluster + ".0",
                "$CLUSTERID", cluster,
                "$JOB_COUNT", Integer.toString(results.size()),
                "$JOB_ABORT_COUNT", Integer.toString(results.size() - codes.size()),
                "$EXIT_CODES", joined(counts.keySet().stream().map(String::valueOf)),
                "$EXIT_CODE_COUNTS", joined(counts.entrySet().stream().map(e -> e.getKey() + ":" + e.getValue())),
                "$EXIT_CODE_LIST", joined(codes.stream().map(String::valueOf)));
    }

    private static String joined(Stream<String> words) {
        return words.collect(Collectors.joining(","));
    }
}
