package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.RunNode;

/**
 * The jobs of a run's nodes in Slurm: for each attempt a job, or a job array if the node has several procs. Attempts have distinct job
 * names. Each proc makes a directory when it begins, and leaves its exit code in a file.
 */
final class NodeJobs {

    private static final String RESULTS = "results";

    private final DagmanPlan plan;
    private final SlurmQueue queue;
    private final Optional<String> reservation;
    private final String runId;
    private final Path resultFolder;

    /**
     * @param reservation name of the Slurm reservation in which the jobs run
     * @param runId a part of the jobs' names
     */
    NodeJobs(DagmanPlan plan, SlurmQueue queue, Optional<String> reservation, String runId) throws IOException {
        this.plan = plan;
        this.queue = queue;
        this.reservation = reservation;
        this.runId = runId;
        this.resultFolder = Files.createDirectories(plan.folder.resolve(RESULTS));
    }

    /** The number of procs of a node. */
    int procCount(RunNode node) {
        return plan.jobs(node.name()).size();
    }

    /** The file of a node's current attempt whose name has this ending. */
    Path file(RunNode node, String ending) {
        return plan.folder.resolve(key(node) + ending);
    }

    /** Appends the reason for which a node does not run to the log of its current attempt. */
    void log(RunNode node, Exception reason) throws IOException {
        Files.writeString(file(node, ".log"), reason + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String key(RunNode node) {
        return plan.key(node.name()) + "." + runId + "." + node.attempt();
    }

    private String jobName(RunNode node) {
        return "metasched-" + key(node);
    }

    /**
     * Submits the jobs of the node's current attempt.
     *
     * @param provisions whether other nodes wait until the job reports that resources are provisioned
     * @return the number that Slurm gave the job
     */
    String submit(RunNode node, boolean provisions, NodeExpander.DagmanMacros macros) throws IOException {
        NodeExpander.Expanded submission = plan.submission(node.node(), macros);
        List<NodeJob> jobs = submission.jobs();
        Path script = Files.writeString(file(node, ".sh"), NodeScript.text(resultFolder, key(node), jobs, provisions));
        List<String> options = new ArrayList<>(List.of("--no-requeue"));
        options.addAll(submission.options());
        reservation.ifPresent(name -> options.add("--reservation=" + name));
        if (jobs.size() > 1) {
            options.add("--array=0-" + (jobs.size() - 1));
        }
        return queue.submit(queue.submission(jobName(node), plan.top(), file(node, ".log"), options, script));
    }

    /** Whether the current attempt has a job in the queue, or had one that began, or its inner DAG has begun. */
    boolean isSubmitted(RunNode node) throws IOException {
        if (node.node().kind() == NodeKind.SUBDAG) {
            return !new RunJournal(file(node, "")).entries().isEmpty();
        }
        if (!Files.exists(file(node, ".sh"))) {
            return false;
        }
        for (int proc = 0; proc < procCount(node); proc++) {
            if (hasBegun(node, proc)) {
                return true;
            }
        }
        return isQueued(node, queue.names());
    }

    /** The names in the queue. A result of a job that had left it is seen from now on, if its network file system is not slower than a poll. */
    Set<String> queuedNames() throws IOException {
        Set<String> names = queue.names();
        // An NFS client that opens a folder asks its server for new files, which it may otherwise not see for a minute.
        Files.newDirectoryStream(resultFolder).close();
        return names;
    }

    boolean isQueued(RunNode node, Set<String> names) {
        return names.contains(jobName(node));
    }

    void remove(RunNode node) throws SlurmException {
        queue.cancel(jobName(node));
    }

    boolean hasBegun(RunNode node, int proc) {
        return Files.exists(result(node, proc + ".began"));
    }

    Instant beginTime(RunNode node, int proc) throws IOException {
        return Files.getLastModifiedTime(result(node, proc + ".began")).toInstant();
    }

    boolean hasProvisioned(RunNode node) {
        return Files.exists(result(node, "provisioned"));
    }

    private Path result(RunNode node, String ending) {
        return resultFolder.resolve(key(node) + "." + ending);
    }

    /** The exit code of each proc; empty for a proc that left none, as after its removal. */
    List<Optional<Integer>> results(RunNode node) throws IOException {
        List<Optional<Integer>> results = new ArrayList<>();
        for (int proc = 0; proc < procCount(node); proc++) {
            results.add(result(node, proc));
        }
        return results;
    }

    /** The exit code of a proc, negative for a signal; empty until the proc has left one. */
    Optional<Integer> result(RunNode node, int proc) throws IOException {
        Path file = result(node, Integer.toString(proc));
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (!text.matches("\\d{1,3}")) {
            throw new IOException("The result (" + file + ") of node " + node.name() + " is no exit code: " + text);
        }
        return Optional.of(PreAndPostScripts.signalAsNegative(Integer.parseInt(text)));
    }
}
