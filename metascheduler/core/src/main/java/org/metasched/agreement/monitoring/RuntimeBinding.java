package org.metasched.agreement.monitoring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * Tells a network which compute nodes it connects, when the job starts: the 2005 paper's {@code Bind}, and its {@code Publish}
 * of an MPI machine file to the compute sites. Concerns agreements over bandwidth and compute nodes.
 *
 * <p>The site of a part is told once the reservation is active, and again if nodes were replaced or the call failed. Only this object
 * remembers the calls, so that each is repeated once after a restart, which both allow. Not thread-safe.
 */
final class RuntimeBinding {

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeBinding.class);
    /** Longest file that {@link RuntimeSupport#publish} takes. */
    private static final int LONGEST_FILE = 1 << 20;

    /** Most reservations in one {@link #newestReservations() memory}. */
    private static final int MOST_TOLD = 20_000;

    private final SiteCalls calls;
    /** The nodes that were last told for each reservation. */
    private final Map<RequestKey, List<String>> toldNodes = newestReservations();

    private final Map<RequestKey, Boolean> failing = newestReservations();

    RuntimeBinding(SiteCalls calls) {
        this.calls = calls;
    }

    /** A call that tells the site of one part the nodes of all parts. */
    private record Telling(SiteCommitment part, List<String> nodes) {

        RequestKey key() {
            return part.reservation().key();
        }

        /** Tells the site; returns false if it has no run-time support. */
        boolean tell(LocalScheduler site) throws LocalSchedulerException {
            var support = site.runtimeSupport();
            if (support.isPresent()) {
                tell(support.get());
            }
            return support.isPresent();
        }

        private void tell(RuntimeSupport support) throws LocalSchedulerException {
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
     * @param agreements the parts of each observed agreement, as last seen
     */
    void follow(Collection<List<SiteCommitment>> agreements) throws InterruptedException {
        List<Telling> due = new ArrayList<>();
        agreements.forEach(parts -> due.addAll(due(parts)));
        if (due.isEmpty()) {
            return;
        }
        List<Call<Boolean>> questions = new ArrayList<>();
        due.forEach(telling -> questions.add(new Call<>(telling.part().site(), telling::tell)));
        var answers = calls.askAll(questions);
        for (int i = 0; i < due.size(); i++) {
            recordAnswer(due.get(i), answers.get(i));
        }
    }

    /** A map that keeps entries of the newest reservations: a forgotten one is told again, which does no harm. Thread-safe. */
    static <T> Map<RequestKey, T> newestReservations() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {

            @Override
            protected boolean removeEldestEntry(Map.Entry<RequestKey, T> eldest) {
                return size() > MOST_TOLD;
            }
        });
    }

    private List<Telling> due(List<SiteCommitment> parts) {
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
                        && !nodes.equals(toldNodes.get(c.reservation().key())))
                .map(c -> new Telling(c, nodes))
                .toList();
    }

    private void recordAnswer(Telling telling, Answer<Boolean> answer) {
        var part = telling.part();
        if (answer.fold(taken -> taken, problem -> false)) {
            toldNodes.put(telling.key(), telling.nodes());
            failing.remove(telling.key());
            LOG.info(
                    "Told {}/{} the {} nodes of its agreement",
                    part.site(),
                    part.reservation().id(),
                    telling.nodes().size());
        } else if (failing.put(telling.key(), true) == null) {
            complaint(part, answer).ifPresent(LOG::warn);
        }
    }

    /** Warning for the log. Sites without run-time support are called again: a remote site that was never reached seems to have none. */
    private static Optional<String> complaint(SiteCommitment part, Answer<Boolean> answer) {
        return answer.fold(
                taken -> isNetwork(part)
                        ? Optional.of(
                                "Site " + part.site() + " sells bandwidth, but cannot be told the nodes it connects")
                        : Optional.empty(),
                problem -> Optional.of("Site " + part.site() + " was not told the nodes of the agreement of "
                        + part.reservation().id() + "; the next looks will try again: " + problem.getMessage()));
    }

    private static boolean isNetwork(SiteCommitment part) {
        return part.reservation().granted() instanceof Need.Bandwidth;
    }

    private static boolean isCompute(SiteCommitment part) {
        return part.reservation().granted() instanceof Need.Nodes;
    }
}
