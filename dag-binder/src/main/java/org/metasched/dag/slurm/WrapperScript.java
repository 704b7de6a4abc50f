package org.metasched.dag.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.dag.DagNode;

/**
 * The script a Slurm job runs for a node: its PRE script, its jobs one after another, its POST script, and all of it again as often as
 * RETRY says. The result is that of the last part that ran, as with DAGMan. At the end it leaves a mark with the node's key.
 *
 * <p>For a POSIX shell. Whatever comes from the DAG stands in single quotes and is never interpreted; jobs and scripts are started
 * with {@code exec}, so no shell reads their arguments.
 */
final class WrapperScript {

    /** Macros in the arguments of scripts, with the shell expressions that have their values. */
    private static final Map<String, String> MACROS = Map.ofEntries(
            Map.entry("$NODE", "\"$node\""),
            Map.entry("$JOB", "\"$node\""),
            Map.entry("$RETRY", "\"$try\""),
            Map.entry("$MAX_RETRIES", "\"$tries\""),
            Map.entry("$FAILED_COUNT", "\"$(failed_count)\""),
            Map.entry("$DAG_STATUS", "\"$(dag_status)\""),
            Map.entry("$RETURN", "\"$returned\""),
            Map.entry("$PRE_SCRIPT_RETURN", "\"$pre_returned\""),
            Map.entry("$JOBID", "\"${SLURM_JOB_ID:-0}.0\""),
            Map.entry("$CLUSTERID", "\"${SLURM_JOB_ID:-0}\""),
            Map.entry("$JOB_COUNT", "\"$jobs\""));

    /** Macros that DAGMan has and we cannot know. */
    private static final List<String> UNKNOWN = List.of(
            "$NODE_COUNT",
            "$QUEUED_COUNT",
            "$DONE_COUNT",
            "$FUTILE_COUNT",
            "$DAGID",
            "$SUCCESS",
            "$JOB_ABORT_COUNT",
            "$EXIT_CODES",
            "$EXIT_CODE_COUNTS",
            "$EXIT_CODE_LIST");

    private static final String FUNCTIONS = """
            start() { exec "$@"; }
            failed_count() { set -- "$state"/failed/*; [ -e "$1" ] && echo $# || echo 0; }
            dag_status() { [ "$(failed_count)" -eq 0 ] && echo 0 || echo 2; }
            # A death by a signal is told as the signal's negative number.
            told() { [ "$1" -gt 128 ] && [ "$1" -le 192 ] && echo $((128 - $1)) || echo "$1"; }
            """;

    private static final String COURSE = """
            try=0
            while :; do
              echo "metasched: node $node, try $try"
              returned=-1004 skipped=no
              run_pre; pre_returned=$(told $?)
              result=$pre_returned
              if [ "$has_pre" = yes ] && [ "$pre_returned" = "$pre_skip" ]; then
                result=0 skipped=yes
              elif [ "$pre_returned" -eq 0 ]; then
                run_jobs; returned=$(told $?)
                result=$returned
                if [ "$has_post" = yes ]; then
                  run_post; result=$(told $?)
                fi
              fi
              echo "metasched: pre $pre_returned skipped $skipped jobs $returned result $result"
              [ "$result" -eq 0 ] && break
              [ "$result" = "$unless_exit" ] && break
              [ "$try" -ge "$tries" ] && break
              try=$((try + 1))
            done
            if [ "$result" -eq 0 ]; then
              echo "$try" > "$state/done/$key" && exit 0
              exit 3
            fi
            echo "$result" > "$state/failed/$key"
            exit 1
            """;

    private final Path top;
    private final DagNode node;
    private final String key;
    private final List<NodeJob> jobs;
    private final Map<String, String> environment;

    /**
     * @param top directory of the bound DAG
     * @param environment for scripts, beside that of the Slurm job
     */
    WrapperScript(Path top, DagNode node, String key, List<NodeJob> jobs, Map<String, String> environment) {
        this.top = top;
        this.node = node;
        this.key = key;
        this.jobs = List.copyOf(jobs);
        this.environment = environment;
    }

    /** A macro among the words of a script that only condor_dagman could replace. */
    static Optional<String> unknownMacro(DagNode.Script script) {
        return script.words().stream()
                .skip(1)
                .filter(word -> UNKNOWN.contains(word.toUpperCase(Locale.ROOT)))
                .findFirst();
    }

    /** @throws IllegalArgumentException if a text has a line break in it */
    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("#!/bin/sh");
        lines.add("# One node of a bound DAG; written by metasched dag run, which writes it anew each time.");
        lines.add("set -u");
        lines.add("node=" + ShellText.quote(node.name()));
        lines.add("key=" + ShellText.quote(key));
        lines.add("state=" + ShellText.quote(top.resolve(RunFolder.NAME).toString()));
        lines.add("tries=" + node.retry().times() + " jobs=" + jobs.size());
        lines.add("unless_exit=" + number(node.retry().unlessExit()) + " pre_skip=" + number(node.preSkip()));
        lines.add("has_pre=" + said(node.pre()) + " has_post=" + said(node.post()));
        lines.add("rm -f -- \"$state/done/$key\" \"$state/failed/$key\"");
        return String.join("\n", lines) + "\n" + FUNCTIONS + script("run_pre", node.pre()) + jobs()
                + script("run_post", node.post()) + COURSE;
    }

    private static String number(java.util.OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : "none";
    }

    private static String said(Optional<?> part) {
        return part.isPresent() ? "yes" : "no";
    }

    private String script(String function, Optional<DagNode.Script> script) {
        if (script.isEmpty()) {
            return function + "() { return 0; }\n";
        }
        List<String> words = script.get().words();
        Path directory = top.resolve(node.directory()).normalize();
        StringBuilder call = new StringBuilder();
        for (String word : words.subList(1, words.size())) {
            String macro = MACROS.get(word.toUpperCase(Locale.ROOT));
            call.append(' ').append(macro == null ? ShellText.quote(word) : macro);
        }
        // A program without a folder is one of the node's directory if there is one; else it is looked up.
        return function + "() {\n  (\n    cd -- " + ShellText.quote(directory.toString()) + " || exit 126\n"
                + "    program=" + ShellText.quote(words.get(0)) + "\n"
                + "    case $program in */*) ;; *) [ -f \"./$program\" ] && program=./$program ;; esac\n"
                + "    " + started(environment) + " \"$program\"" + call + "\n  )\n}\n";
    }

    /** Words that start a program with more variables; its name may have an equals sign in it, which env alone would take amiss. */
    private static String started(Map<String, String> variables) {
        return variables.isEmpty()
                ? "start"
                : "exec env -- " + ShellText.assignments(variables) + " /bin/sh -c 'exec \"$@\"' metasched";
    }

    private String jobs() {
        StringBuilder text = new StringBuilder("run_jobs() {\n");
        for (NodeJob job : jobs) {
            text.append("  (\n    cd -- ")
                    .append(ShellText.quote(job.directory().toString()))
                    .append(" || exit 126\n    ")
                    .append(started(job.environment()))
                    .append(' ')
                    .append(job.command())
                    .append("\n  ) || return $?\n");
        }
        return text.append("  return 0\n}\n").toString();
    }
}
