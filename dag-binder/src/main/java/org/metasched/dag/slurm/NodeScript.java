package org.metasched.dag.slurm;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.metasched.adapter.ResourceText;

/**
 * The script of a node's job array, one task for each proc. A task leaves its exit code in a file. If Slurm starts a second task of the
 * same proc and attempt, it ends at once. For a POSIX shell, which takes all texts of the DAG as data.
 */
final class NodeScript {

    private static final String BEGIN = """
        proc=${SLURM_ARRAY_TASK_ID:-0}
        mkdir -- "$results/$key.$proc.began" 2> /dev/null || exit 0
        case $proc in
        """;

    private static final String END = """
        esac
        code=$?
        echo "$code" > "$results/$key.$proc.new" && mv -- "$results/$key.$proc.new" "$results/$key.$proc"
        exit "$code"
        """;

    private NodeScript() {}

    /** Defines condor's command by which a job reports that resources are there: {@code condor_chirp set_job_attr ProvisionerState 2}. */
    private static final String PROVISIONER = ResourceText.of(NodeScript.class, "provisioner.sh");

    /**
     * @param key key of the node and its attempt
     * @param provisions whether other nodes wait for the job's report that resources are there
     */
    static String text(Path results, String key, List<NodeJob> jobs, boolean provisions) {
        StringBuilder text =
                new StringBuilder("#!/bin/sh\n# The jobs of one node of a bound DAG, in one attempt.\nset -u\n");
        text.append("results=").append(ShellText.quote(results.toString())).append('\n');
        text.append("key=").append(ShellText.quote(key)).append('\n');
        text.append(provisions ? PROVISIONER : "").append(BEGIN);
        for (int proc = 0; proc < jobs.size(); proc++) {
            text.append(proc).append(") (").append(task(jobs.get(proc))).append(") ;;\n");
        }
        return text.append(END).toString();
    }

    /** @throws IllegalArgumentException if a text has a line break in it */
    static String task(NodeJob job) {
        String links = job.linked().stream().map(NodeScript::link).collect(Collectors.joining());
        return "\n  cd -- " + ShellText.quote(job.directory().toString()) + " || exit 126\n" + links + "  exec "
                + ShellText.started(job.environment()) + " " + job.command() + "\n";
    }

    /**
     * Links a file into the job's directory. If another file has the name, the job does not start. Jobs that begin at once may make one
     * link.
     */
    private static String link(String file) {
        String target = ShellText.quote(file);
        String name = ShellText.quote("./" + file.substring(file.lastIndexOf('/') + 1));
        return "  [ %2$s -ef %1$s ] || ln -s -- %1$s %2$s || [ %2$s -ef %1$s ] || exit 126\n".formatted(target, name);
    }
}
