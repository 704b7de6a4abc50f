package org.metasched.dag.slurm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Submits a plan. All of it hangs on one job that is held until the last one is in Slurm's hands, so that nothing runs of a DAG that
 * cannot be submitted as a whole, and no parent is forgotten by Slurm before its children are known. For one plan, once.
 */
public final class SlurmSubmission {

    /**
     * What was submitted.
     *
     * @param jobs numbers of Slurm jobs by the names of nodes
     * @param last the job that marks the end
     * @param all numbers of all jobs, those without a node too
     */
    public record Submitted(Map<String, String> jobs, String last, List<String> all) {
        public Submitted {
            jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
            all = List.copyOf(all);
        }
    }

    /** Jobs one job waits for directly; beyond that, jobs that do nothing gather them. */
    private static final int MOST_PARENTS = 200;

    private static final int BATCH = 500;
    /** The name of the job on which all others hang. */
    static final String START = "metasched-start";

    private static final String FIRST = "first";
    private static final String LAST = "last";
    private static final String GATHER = "gather";

    private final SlurmPlan plan;
    private final SlurmClient client;
    private final SlurmCommands commands;
    private final Optional<String> reservation;
    private final RunFolder folder;
    private final boolean rehearsal;
    private final List<String> all = new ArrayList<>();
    private final Map<String, String> jobs = new LinkedHashMap<>();

    private SlurmSubmission(
            SlurmPlan plan,
            SlurmClient client,
            SlurmCommands commands,
            Optional<String> reservation,
            boolean rehearsal) {
        this.plan = plan;
        this.client = client;
        this.commands = commands;
        this.reservation = reservation;
        this.folder = new RunFolder(plan.top());
        this.rehearsal = rehearsal;
    }

    /**
     * Writes the wrappers and submits the jobs.
     *
     * @param reservation in whose nodes and hours they run
     * @throws SlurmException if Slurm took some of them and not all; those it took are cancelled
     */
    public static Submitted submit(
            SlurmPlan plan, SlurmClient client, SlurmCommands commands, Optional<String> reservation)
            throws IOException {
        return new SlurmSubmission(plan, client, commands, reservation, false).run();
    }

    /** Runs the same commands, but writes nothing: for a client that only shows them. */
    public static Submitted rehearse(
            SlurmPlan plan, SlurmClient client, SlurmCommands commands, Optional<String> reservation)
            throws IOException {
        return new SlurmSubmission(plan, client, commands, reservation, true).run();
    }

    private Submitted run() throws IOException {
        if (!rehearsal) {
            folder.prepare(plan.nodes());
            folder.beginsToSubmit();
            folder.script(FIRST, "#!/bin/sh\nexit 0\n");
            folder.script(GATHER, "#!/bin/sh\nexit 0\n");
            folder.script(
                    LAST,
                    "#!/bin/sh\n: > "
                            + ShellText.quote(SlurmRun.mark(plan.top()).toString()) + "\n");
        }
        try {
            String first = submit(START, FIRST, List.of("--hold"), List.of());
            String last = submitNodes(first);
            client.run(commands.program("scontrol", "release", first));
            if (!rehearsal) {
                folder.isWhole();
            }
            return new Submitted(jobs, last, all);
        } catch (SlurmException e) {
            throw new SlurmException(e.getMessage() + "\n" + undone());
        }
    }

    private String submitNodes(String first) throws IOException {
        List<List<String>> ends = new ArrayList<>();
        for (PlannedNode node : plan.nodes()) {
            Set<String> before = new LinkedHashSet<>();
            for (int parent : node.parents()) {
                before.addAll(ends.get(parent));
            }
            List<String> waits = gathered(before);
            if (!node.runs()) {
                // A node that is done waits for nobody, but its children may still wait for others; a join only hands
                // on.
                ends.add(node.name().isEmpty() ? waits : List.of());
                continue;
            }
            String id = submit(node.name(), node.key(), node.options(), waits.isEmpty() ? List.of(first) : waits);
            jobs.put(node.name(), id);
            ends.add(List.of(id));
        }
        List<String> waits = gathered(unwaited());
        return submit("metasched-end", LAST, List.of(), waits.isEmpty() ? List.of(first) : waits);
    }

    /** The jobs for which no other waits: without children, or with such only as are done already. */
    private List<String> unwaited() {
        List<PlannedNode> nodes = plan.nodes();
        boolean[] waited = new boolean[nodes.size()];
        List<String> ids = new ArrayList<>();
        for (int i = nodes.size() - 1; i >= 0; i--) {
            PlannedNode node = nodes.get(i);
            boolean isJoin = node.name().isEmpty();
            if (node.runs() || (isJoin && waited[i])) {
                node.parents().forEach(parent -> waited[parent] = true);
            }
            String id = jobs.get(node.name());
            if (id != null && !waited[i]) {
                ids.add(id);
            }
        }
        Collections.reverse(ids);
        return ids;
    }

    /** The same jobs, or a few that wait for them. */
    private List<String> gathered(Collection<String> ids) throws IOException {
        List<String> left = new ArrayList<>(ids);
        while (left.size() > MOST_PARENTS) {
            List<String> fewer = new ArrayList<>();
            for (int from = 0; from < left.size(); from += MOST_PARENTS) {
                List<String> some = left.subList(from, Math.min(left.size(), from + MOST_PARENTS));
                fewer.add(submit("metasched-gather", GATHER, List.of(), some));
            }
            left = fewer;
        }
        return left;
    }

    private String submit(String name, String key, List<String> options, List<String> waits) throws IOException {
        List<String> words = commands.submission();
        words.add("--job-name=" + name);
        words.add("--chdir=" + plan.top());
        words.add("--output=" + RunFolder.NAME + "/" + key + ".log");
        words.addAll(options);
        reservation.ifPresent(window -> words.add("--reservation=" + window));
        if (!waits.isEmpty()) {
            words.add("--kill-on-invalid-dep=yes");
            words.add("--dependency=afterok:" + String.join(":", waits));
        }
        words.add(folder.script(key).toString());
        String answer = client.run(words).strip();
        // On a federation the cluster's name stands behind a semicolon.
        String id = answer.split(";", 2)[0];
        if (!id.matches("\\d{1,18}")) {
            throw new SlurmException(
                    "The answer of sbatch (" + answer + ") to the job of (" + name + ") must be a job's number.");
        }
        all.add(id);
        if (!rehearsal) {
            folder.submitted(id, key);
        }
        return id;
    }

    private String undone() throws IOException {
        if (all.isEmpty()) {
            return "Nothing had been submitted before.";
        }
        // The last first: none of them can start meanwhile anyway, as the first one is held.
        List<String> kept = new ArrayList<>();
        for (int to = all.size(); to > 0; to -= BATCH) {
            List<String> some = all.subList(Math.max(0, to - BATCH), to);
            try {
                client.run(commands.program("scancel", some.toArray(String[]::new)));
            } catch (SlurmException e) {
                kept.addAll(some);
            }
        }
        if (kept.isEmpty() && !rehearsal) {
            folder.forgetJobs();
        }
        return kept.isEmpty()
                ? "The " + all.size() + " jobs submitted before were cancelled; none of them had run."
                : "Of the jobs submitted before these could not be cancelled: " + String.join(" ", kept)
                        + ".\nMaybe scancel does it later; none of them runs, as the first is held.";
    }
}
