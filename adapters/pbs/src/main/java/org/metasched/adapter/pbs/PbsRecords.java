package org.metasched.adapter.pbs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.LocalSchedulerException;

/**
 * A snapshot of a PBS site: the records of {@code pbsnodes}, {@code qstat} and {@code pbs_rstat}. Immutable.
 *
 * @param unlisted ids of jobs on nodes that the listing does not show: jobs of arrays, and jobs that the adapter's account may not see
 * @param firstSeen time at which each unlisted job was first seen
 * @param byName virtual nodes by name
 * @param arrays job arrays by id
 */
record PbsRecords(
        List<PbsOutput.Vnode> vnodes,
        List<PbsJob> jobs,
        List<PbsOutput.Resv> reservations,
        Set<String> unlisted,
        Map<String, Instant> firstSeen,
        Map<String, PbsOutput.Vnode> byName,
        Map<String, PbsJob> arrays) {

    /** A node whose state has any other word cannot be reserved. */
    private static final Set<String> WORKING_STATES =
            Set.of("free", "busy", "job-busy", "job-exclusive", "resv-exclusive", "job-sharing", "sleep");
    /** States of a job on nodes: running, exiting, suspended, being moved. */
    private static final Set<String> PLACED_JOB_STATES = Set.of("R", "E", "S", "U", "T");

    private static final Set<String> QUEUED_JOB_STATES = Set.of("Q", "H", "W");

    /**
     * Asks the site for its records.
     *
     * @param before the previous snapshot, whose {@code firstSeen} is kept
     */
    static PbsRecords read(PbsCommands commands, Optional<PbsRecords> before, Instant now)
            throws LocalSchedulerException {
        List<PbsJob> jobs = commands.jobs();
        List<PbsOutput.Vnode> vnodes = commands.nodes();
        Set<String> unlisted = unlisted(vnodes, jobs);
        if (unlisted.stream().anyMatch(id -> PbsJob.arrayOf(id).isEmpty())) {
            // A job that began between the two listings is in the second one; one that may not be seen stays unlisted.
            jobs = commands.jobs();
            unlisted = unlisted(vnodes, jobs);
        }
        var firstSeen = new HashMap<String, Instant>();
        for (String id : unlisted) {
            firstSeen.put(
                    id, before.map(snapshot -> snapshot.firstSeen().get(id)).orElse(now));
        }
        var arrays = new HashMap<String, PbsJob>();
        jobs.stream().filter(job -> job.id().contains("[]")).forEach(job -> arrays.put(job.id(), job));
        return new PbsRecords(vnodes, jobs, commands.reservations(), unlisted, firstSeen, byName(vnodes), arrays);
    }

    static Map<String, PbsOutput.Vnode> byName(List<PbsOutput.Vnode> vnodes) {
        var byName = new HashMap<String, PbsOutput.Vnode>();
        vnodes.forEach(vnode -> byName.put(vnode.name(), vnode));
        return byName;
    }

    private static Set<String> unlisted(List<PbsOutput.Vnode> vnodes, List<PbsJob> jobs) {
        var unlisted = new HashSet<String>();
        vnodes.forEach(vnode -> unlisted.addAll(vnode.jobs()));
        jobs.stream().filter(job -> job.odd().isEmpty()).forEach(job -> unlisted.remove(job.id()));
        return unlisted;
    }

    Optional<PbsJob> arrayOf(String id) {
        return PbsJob.arrayOf(id).map(arrays::get);
    }

    static boolean works(PbsOutput.Vnode vnode) {
        return WORKING_STATES.containsAll(vnode.states());
    }

    static boolean isPlaced(PbsJob job) {
        return PLACED_JOB_STATES.contains(job.state());
    }

    /** Number of running jobs; jobs of arrays are counted by the nodes that name them. */
    int running() {
        long ofArrays = unlisted.stream().filter(id -> arrayOf(id).isPresent()).count();
        return (int) (jobs.stream().filter(PbsRecords::isPlaced).count() + ofArrays);
    }

    /** Number of waiting jobs; an array counts once, and not at all when it has begun. */
    int waiting() {
        return (int) jobs.stream()
                .filter(job -> QUEUED_JOB_STATES.contains(job.state()))
                .count();
    }

    /** Remarks about records that cannot be read, and about reservations of any owner that lost nodes. */
    List<String> remarks() {
        var remarks = new ArrayList<String>();
        for (PbsOutput.Resv resv : reservations) {
            resv.odd().ifPresent(remarks::add);
            var lost = new TreeSet<String>();
            resv.shares().stream()
                    .map(share -> share.node())
                    .filter(name -> !byName.containsKey(name) || !works(byName.get(name)))
                    .forEach(lost::add);
            if (!lost.isEmpty()) {
                remarks.add("Reservation " + resv.id() + " has lost " + String.join(", ", lost) + ".");
            }
        }
        vnodes.forEach(vnode -> vnode.odd().ifPresent(remarks::add));
        jobs.forEach(job -> job.odd().ifPresent(remarks::add));
        return remarks;
    }
}
