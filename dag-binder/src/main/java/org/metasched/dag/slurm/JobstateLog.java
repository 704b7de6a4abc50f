package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.RunNode;

/**
 * The log of {@code JOBSTATE_LOG}, in condor_dagman's format: {@code TIME NODE EVENT JOB - - NUMBER}. Each attempt of a node has its own
 * number. A job's EXECUTE is written when the job has ended, with the time at which it began. Not thread-safe.
 */
final class JobstateLog {

    private final DagmanPlan plan;
    private final Optional<Path> file;
    private final ReplayedRun replayed;
    private final NodeJobs jobs;
    private final Clock clock;
    /** The highest NUMBER in earlier runs. */
    private int before;

    JobstateLog(DagmanPlan plan, ReplayedRun replayed, NodeJobs jobs, Clock clock) throws IOException {
        this.plan = plan;
        this.file = plan.command("JOBSTATE_LOG").map(command -> plan.top().resolve(command.subject()));
        this.replayed = replayed;
        this.jobs = jobs;
        this.clock = clock;
        int most = 0;
        boolean isThere = file.filter(Files::isRegularFile).isPresent();
        for (String line : isThere ? RunFolder.lines(file.orElseThrow()) : List.<String>of()) {
            String number = line.substring(line.lastIndexOf(' ') + 1);
            most = number.matches("\\d{1,9}") ? Math.max(most, Integer.parseInt(number)) : most;
            before = line.contains(" INTERNAL *** DAGMAN_FINISHED ") ? most : before;
        }
    }

    /** @param isResumed whether an earlier process has begun the run */
    void begin(boolean isResumed) throws IOException {
        internal("DAGMAN_STARTED " + System.getenv().getOrDefault("SLURM_JOB_ID", "0") + ".0");
        if (isResumed) {
            internal("RECOVERY_STARTED");
            internal("RECOVERY_FINISHED");
        }
    }

    void end(int exit) throws IOException {
        internal("DAGMAN_FINISHED " + exit);
    }

    private void internal(String event) throws IOException {
        write(clock.instant(), "INTERNAL *** " + event + " ***");
    }

    /** Logs an entry of the journal; to be called before the run accepts it. */
    void note(List<String> entry) throws IOException {
        RunNode node = entry.size() < 3 ? null : replayed.run.nodes().get(entry.get(1));
        if (node == null || file.isEmpty()) {
            return;
        }
        String outcome = entry.get(2).equals("0") ? "SUCCESS" : "FAILURE";
        switch (entry.get(0)) {
            case "pre" -> write(node, "PRE_SCRIPT_" + outcome, "-");
            case "refused" -> write(node, "SUBMIT_FAILURE", "-");
            case "submitted" -> {
                for (int proc = 0; proc < Integer.parseInt(entry.get(3)); proc++) {
                    write(node, "SUBMIT", entry.get(2) + "." + proc);
                }
            }
            case "post" -> {
                write(node, "POST_SCRIPT_TERMINATED", id(node, 0));
                write(node, "POST_SCRIPT_" + outcome, id(node, 0));
            }
            case "provisioned", "withheld" -> {
                // No event of condor's.
            }
            default -> ended(node, Integer.parseInt(entry.get(0).substring("proc".length())), entry.get(2));
        }
    }

    void scriptBegins(RunNode node, boolean isPre) throws IOException {
        write(node, isPre ? "PRE_SCRIPT_STARTED" : "POST_SCRIPT_STARTED", isPre ? "-" : id(node, 0));
    }

    private void ended(RunNode node, int proc, String code) throws IOException {
        PendingAction action = replayed.pending.byNode.get(node);
        if (jobs.hasBegun(node, proc)) {
            write(jobs.beginTime(node, proc), line(node, "EXECUTE", id(node, proc)));
        }
        boolean isRemoved = code.equals(Integer.toString(DagRun.REMOVED));
        write(node, isRemoved ? "JOB_ABORTED" : "JOB_TERMINATED", id(node, proc));
        if (action != null && action.missing().size() == 1) {
            // The node's value is the first code that is not 0.
            int value = Integer.parseInt(code);
            for (Optional<Integer> result : jobs.results(node)) {
                value = value == 0 ? result.orElse(DagRun.REMOVED) : value;
            }
            write(node, value == 0 ? "JOB_SUCCESS" : "JOB_FAILURE", Integer.toString(value));
        }
    }

    private String id(RunNode node, int proc) {
        return replayed.jobs.getOrDefault(node.name(), "0") + "." + proc;
    }

    private void write(RunNode node, String event, String job) throws IOException {
        write(clock.instant(), line(node, event, job));
    }

    private String line(RunNode node, String event, String job) {
        int attempts = node.attempt() * replayed.run.nodes().size();
        return node.name() + " " + event + " " + job + " - - " + (before + attempts + plan.number(node.name()));
    }

    private void write(Instant time, String text) throws IOException {
        if (file.isPresent()) {
            String line = time.getEpochSecond() + " " + text + "\n";
            Files.writeString(file.get(), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
