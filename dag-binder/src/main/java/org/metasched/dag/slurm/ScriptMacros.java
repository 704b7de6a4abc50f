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
        Map<String, String> values = new HashMap<>(Map.ofEntries(
                Map.entry("$NODE", node.name()),
                Map.entry("$JOB", node.name()),
                Map.entry("$RETRY", Integer.toString(node.attempt())),
                Map.entry(
                        "$MAX_RETRIES",
                        Integer.toString(node.node().rules().retry().times())),
                Map.entry("$DAGID", System.getenv().getOrDefault("SLURM_JOB_ID", "0")),
                Map.entry("$DONE_COUNT", Integer.toString(run.count(RunState.DONE))),
                Map.entry("$FAILED_COUNT", Integer.toString(run.count(RunState.ERROR))),
                Map.entry("$FUTILE_COUNT", Integer.toString(run.count(RunState.FUTILE))),
                Map.entry("$QUEUED_COUNT", Integer.toString(run.count(RunState.SUBMITTED))),
                Map.entry("$NODE_COUNT", Integer.toString(run.run.nodes().size())),
                Map.entry("$DAG_STATUS", Integer.toString(run.run.status().ordinal()))));
        results.ifPresent(codes -> values.putAll(afterJobs(run, node, codes)));
        return values;
    }

    private static Map<String, String> afterJobs(ReplayedRun run, RunNode node, List<Optional<Integer>> results) {
        List<Integer> codes = results.stream().flatMap(Optional::stream).toList();
        Map<Integer, Long> counts =
                codes.stream().collect(Collectors.groupingBy(code -> code, TreeMap::new, Collectors.counting()));
        String cluster = run.jobs().getOrDefault(node.name(), "0");
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
