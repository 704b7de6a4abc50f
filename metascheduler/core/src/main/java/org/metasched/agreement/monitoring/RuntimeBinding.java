package org.metasched.agreement.monitoring;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.BoundedMaps;
import org.metasched.adapter.Job;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.agreement.SiteCommitment;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the names of the compute nodes to the sites when a job starts: to networks by the 2005 paper's {@code Bind}, to compute sites as an
 * MPI machine file by its {@code Publish}. Only for agreements that have both bandwidth and compute nodes.
 *
 * <p>The site of a part is called once the reservation is active, and again if nodes were replaced or the call failed. Successful calls are
 * kept in memory only, so that each is repeated once after a restart; both operations allow that. Not thread-safe.
 */
final class RuntimeBinding {

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeBinding.class);
    /** Longest file that {@link RuntimeSupport#publish} takes. */
    private static final int LONGEST_FILE = 1 << 20;

    /** Most reservations in one {@linkplain #newestReservations map}. */
    private static final int MOST_REMEMBERED = 20_000;

    private final SiteCalls calls;
    /** The nodes that were last sent for each reservation. */
    private final Map<RequestKey, List<String>> sentNodes = newestReservations();

    /** Reservations whose last call failed: of failures in a row the first is logged. */
    private final Map<RequestKey, Boolean> failing = newestReservations();

    RuntimeBinding(SiteCalls calls) {
        this.calls = calls;
    }

    /** A call that sends the nodes of all parts to the site of one part. */
    private record NodeCall(SiteCommitment part, List<String> nodes) {

        RequestKey key() {
            return part.reservation().key();
        }

        /** Calls the site; returns false if it has no run-time support. */
        boolean send(LocalScheduler site) throws LocalSchedulerException {
            var support = site.runtimeSupport();
            if (support.isPresent()) {
                send(support.get());
            }
            return support.isPresent();
        }

        private void send(RuntimeSupport support) throws LocalSchedulerException {
            var id = part.reservation().id();
            if (isNetwork(part)) {
                support.bind(id, nodes);
                return;
            }
            String content = String.join("\n", nodes) + "\n";
            if (content.length() > LONGEST_FILE) {
                throw new LocalSchedulerException.Refused("The machine file of " + nodes.size()
                        + " nodes is longer than the 1 MiB that may be published.");
            }
            support.publish(id, Job.MACHINE_FILE, content);
        }
    }

    /**
     * Makes the calls that are due, to all sites at once.
     *
     * @param groups parts of observed agreements that begin together, as last reported
     */
    void follow(Collection<List<SiteCommitment>> groups) throws InterruptedException {
        var due = groups.stream().flatMap(parts -> due(parts).stream()).toList();
        if (due.isEmpty()) {
            return;
        }
        var answers = calls.askAll(due.stream()
                .map(call -> new Call<Boolean>(call.part().site(), call::send))
                .toList());
        for (int i = 0; i < due.size(); i++) {
            recordAnswer(due.get(i), answers.get(i));
        }
    }

    /** A map that keeps only the newest entries. The calls for a removed one are repeated, which does no harm. Thread-safe. */
    static <T> Map<RequestKey, T> newestReservations() {
        return Collections.synchronizedMap(BoundedMaps.newest(MOST_REMEMBERED));
    }

    private List<NodeCall> due(List<SiteCommitment> parts) {
        var held = parts.stream().filter(c -> c.state().isHeld()).toList();
        var compute = held.stream().filter(RuntimeBinding::isCompute).toList();
        if (compute.isEmpty()
                || held.stream().noneMatch(RuntimeBinding::isNetwork)
                || !JobSynchronization.areNamed(compute)) {
            return List.of();
        }
        var nodes = compute.stream()
                .flatMap(c -> JobSynchronization.nodes(c).stream())
                .toList();
        return held.stream()
                .filter(c -> c.state() == ReservationState.ACTIVE && (isNetwork(c) || isCompute(c)))
                .filter(c -> calls.directory().find(c.site()).isPresent())
                .filter(c -> !nodes.isEmpty()
                        && !nodes.equals(sentNodes.get(c.reservation().key())))
                .map(c -> new NodeCall(c, nodes))
                .toList();
    }

    private void recordAnswer(NodeCall call, Answer<Boolean> answer) {
        var part = call.part();
        if (answer.fold(taken -> taken, problem -> false)) {
            sentNodes.put(call.key(), call.nodes());
            failing.remove(call.key());
            LOG.info(
                    "Told {}/{} the {} nodes of its agreement",
                    part.site(),
                    part.reservation().id(),
                    call.nodes().size());
        } else if (failing.put(call.key(), true) == null) {
            warning(part, answer).ifPresent(LOG::warn);
        }
    }

    /** Warning for the log about a failed call. Sites without run-time support are called again: an unreached remote site seems to have none. */
    private static Optional<String> warning(SiteCommitment part, Answer<Boolean> answer) {
        return answer.fold(
                taken -> isNetwork(part)
                        ? Optional.of(
                                "Site " + part.site() + " sells bandwidth, but cannot be told the nodes it connects")
                        : Optional.empty(),
                problem -> Optional.of("Site " + part.site() + " was not told the nodes of the agreement of "
                        + part.reservation().id() + "; the next poll tries again: " + problem.getMessage()));
    }

    private static boolean isNetwork(SiteCommitment part) {
        return part.reservation().granted() instanceof Need.Bandwidth;
    }

    private static boolean isCompute(SiteCommitment part) {
        return part.reservation().granted() instanceof Need.Nodes;
    }
}
