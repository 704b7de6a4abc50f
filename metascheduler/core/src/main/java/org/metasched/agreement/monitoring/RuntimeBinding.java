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
 * <p>A part is told when its reservation is active, and told again when nodes were replaced or the site did not take it. What
 * was told is remembered here and nowhere else: both calls may be repeated, and after a restart they are, once. Not
 * thread-safe.
 */
final class RuntimeBinding {

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeBinding.class);
    /** Longest file that {@link RuntimeSupport#publish} takes. */
    private static final int LONGEST_FILE = 1 << 20;

    private static final int MOST_TOLD = 20_000;

    private final SiteCalls calls;
    private final Map<RequestKey, List<String>> told = newest();
    private final Map<RequestKey, Boolean> failing = newest();

    RuntimeBinding(SiteCalls calls) {
        this.calls = calls;
    }

    /** One part that is to be told the nodes of all. */
    private record Telling(SiteCommitment part, List<String> nodes) {

        RequestKey key() {
            return part.reservation().key();
        }

        /** Whether the site takes such things at all. */
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
     * Tells what has not been told, to all sites at once.
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
            hear(due.get(i), answers.get(i));
        }
    }

    /** A memory for the newest reservations: one that is forgotten is told again, which does no harm. Thread-safe. */
    static <T> Map<RequestKey, T> newest() {
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
                        && !nodes.equals(told.get(c.reservation().key())))
                .map(c -> new Telling(c, nodes))
                .toList();
    }

    private void hear(Telling telling, Answer<Boolean> answer) {
        var part = telling.part();
        if (answer.fold(taken -> taken, problem -> false)) {
            told.put(telling.key(), telling.nodes());
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

    /** A remote site that was never reached shows no abilities, so that one without them is asked again, which is cheap. */
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
