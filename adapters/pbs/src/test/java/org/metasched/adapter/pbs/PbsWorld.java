package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;

/**
 * A made-up site of PBS: what is true there, before it is printed.
 *
 * @param zone the zone of its client
 * @param hidden jobs that nodes name and no listing does
 */
record PbsWorld(
        Instant now,
        ZoneId zone,
        List<Vnode> vnodes,
        List<Job> jobs,
        List<ArrayJob> arrays,
        List<Hidden> hidden,
        List<Resv> reservations) {

    static final String SERVER = "head1";

    /**
     * A virtual node.
     *
     * @param offered whether it may be reserved; otherwise it has no {@code resv_enable}, or a queue of its own
     * @param properties resources such as {@code bigmem}, whose value is True
     */
    record Vnode(
            String name,
            String host,
            int cores,
            String state,
            String sharing,
            boolean offered,
            boolean ownQueue,
            Set<String> properties) {

        boolean works() {
            return Set.of("free", "busy", "job-busy", "job-exclusive", "resv-exclusive", "job-sharing", "sleep")
                    .containsAll(Set.of(state.split(",")));
        }

        boolean usable() {
            return works() && offered && cores > 0;
        }
    }

    /** Cores of a virtual node; a chunk has one of these or, on one host, several. */
    record Piece(String vnode, int cores) {}

    /** A job of the listing. One that waits has no chunks. */
    record Job(
            String id,
            String state,
            String place,
            List<List<Piece>> chunks,
            Instant start,
            Optional<Duration> limit,
            Optional<String> inside) {

        boolean placed() {
            return Set.of("R", "E", "S", "U", "T").contains(state);
        }
    }

    /** An array that is one record, and the running jobs of it that only nodes name: one piece each. */
    record ArrayJob(
            int number,
            String place,
            int cores,
            Optional<Duration> limit,
            List<Piece> running,
            Optional<String> inside) {

        String id() {
            return number + "[]." + SERVER;
        }

        String idOf(int task) {
            return number + "[" + (task + 1) + "]." + SERVER;
        }
    }

    record Hidden(String id, String vnode) {}

    /**
     * A reservation.
     *
     * @param select as it was asked for
     * @param rule when it comes again, in the zone of {@code ruleZone}
     * @param occurrences the slots that the rule means, for one without a rule its own
     * @param freed whether its nodes are printed as freed memory
     */
    record Resv(
            String id,
            String name,
            String state,
            String select,
            String place,
            List<List<Piece>> chunks,
            Optional<String> rule,
            ZoneId ruleZone,
            List<TimeSlot> occurrences,
            boolean freed) {

        TimeSlot slot() {
            return occurrences.get(0);
        }

        boolean holds() {
            return !state.equals("RESV_UNCONFIRMED");
        }
    }

    Optional<Vnode> vnode(String name) {
        return vnodes.stream().filter(vnode -> vnode.name().equals(name)).findFirst();
    }

    /** A job that a node names, and its cores there. */
    record Guest(String job, int cores) {}

    List<Guest> jobsOn(String vnode) {
        var all = new ArrayList<Guest>();
        for (Job job : jobs) {
            job.chunks().stream()
                    .flatMap(List::stream)
                    .filter(piece -> piece.vnode().equals(vnode))
                    .forEach(piece -> all.add(new Guest(job.id(), piece.cores())));
        }
        for (ArrayJob array : arrays) {
            for (int task = 0; task < array.running().size(); task++) {
                if (array.running().get(task).vnode().equals(vnode)) {
                    all.add(new Guest(array.idOf(task), array.cores()));
                }
            }
        }
        hidden.stream().filter(job -> job.vnode().equals(vnode)).forEach(job -> all.add(new Guest(job.id(), 1)));
        return all;
    }

    List<String> reservationsOn(String vnode) {
        return reservations.stream()
                .filter(Resv::holds)
                .filter(resv -> resv.chunks().stream()
                        .flatMap(List::stream)
                        .anyMatch(piece -> piece.vnode().equals(vnode)))
                .map(Resv::id)
                .toList();
    }
}
