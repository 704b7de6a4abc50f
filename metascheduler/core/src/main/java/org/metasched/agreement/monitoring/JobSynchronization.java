package org.metasched.agreement.monitoring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.Need;
import org.metasched.adapter.ReservationState;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.ProgramRun;
import org.metasched.agreement.SiteCommitment;

/**
 * Data that the processes of all parts need to find each other: the "information necessary to configure the MPI environment" of the 2005
 * paper. Ranks are counted through the parts in the order of the agreement.
 */
record JobSynchronization(AgreementId agreement, List<SiteCommitment> parts) {

    /** Form of the names of nodes in a machine file, in which spaces and line breaks separate names. */
    static final Pattern NODE_NAME = Pattern.compile("[!-~]{1,255}");

    /** The job of one of the parts, with its present files. */
    Job job(SiteCommitment part, ProgramRun run) {
        return new Job(name(part, run), run.program().with(variables(part, run)), files(run));
    }

    static Job.Name name(SiteCommitment part, ProgramRun run) {
        return new Job.Name(part.reservation().key(), part.reservation().id(), run.requester());
    }

    private Map<String, String> variables(SiteCommitment part, ProgramRun run) {
        var all = new LinkedHashMap<String, String>();
        all.put("METASCHED_AGREEMENT", agreement.value());
        all.put("METASCHED_TERM", part.term());
        all.put("METASCHED_SITE", part.site().value());
        all.put("METASCHED_RANK_OFFSET", String.valueOf(firstRank(part)));
        all.put("METASCHED_SIZE", String.valueOf(processes(parts)));
        all.put("METASCHED_LOCAL_SIZE", String.valueOf(run.program().processes()));
        return all;
    }

    /** The job's files. The machine file is missing until every site has named its nodes; the job waits for it. */
    private Map<String, String> files(ProgramRun run) {
        var files = new TreeMap<String, String>();
        files.put("secret", run.secret() + "\n");
        files.put("sites", sites());
        var compute = parts.stream()
                .filter(part -> part.reservation().granted() instanceof Need.Nodes)
                .toList();
        if (areNamed(compute)) {
            var nodes = compute.stream().flatMap(part -> nodes(part).stream()).toList();
            files.put(Job.MACHINE_FILE, nodes.isEmpty() ? "" : String.join("\n", nodes) + "\n");
        }
        if (run.program().together().isPresent() && parts.stream().allMatch(JobSynchronization::hasBegun)) {
            files.put(Job.GO_FILE, "");
        }
        return files;
    }

    /** One line for each part with a program: site, first rank, processes, nodes. */
    private String sites() {
        var lines = new ArrayList<String>();
        for (SiteCommitment part : parts) {
            part.run()
                    .ifPresent(run -> lines.add(part.site() + " " + firstRank(part) + " "
                            + run.program().processes() + " " + String.join(" ", nodes(part))));
        }
        return String.join("\n", lines) + "\n";
    }

    /** The names of a part's nodes, without names that a machine file cannot have. */
    static List<String> nodes(SiteCommitment part) {
        return part.reservation().nodeNames().stream()
                .filter(name -> NODE_NAME.matcher(name).matches())
                .toList();
    }

    /** Whether the sites have named all nodes that they will name. A part that is only reserved may get its nodes when its slot begins. */
    static boolean areNamed(List<SiteCommitment> compute) {
        return compute.stream()
                .noneMatch(c -> c.state() == ReservationState.RESERVED
                        && c.reservation().nodeNames().isEmpty());
    }

    /** Whether the program of a part has begun; true for a part without one. */
    private static boolean hasBegun(SiteCommitment part) {
        return part.run()
                .map(run -> run.status().state() == State.RUNNING
                        || run.status().state().isFinal())
                .orElse(true);
    }

    private int firstRank(SiteCommitment part) {
        return processes(parts.subList(0, parts.indexOf(part)));
    }

    private static int processes(List<SiteCommitment> parts) {
        return parts.stream()
                .flatMap(part -> part.run().stream())
                .mapToInt(run -> run.program().processes())
                .sum();
    }
}
