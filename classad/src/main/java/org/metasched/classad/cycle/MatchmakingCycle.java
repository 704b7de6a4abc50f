package org.metasched.classad.cycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Mode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.match.Autocluster;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.OfferPool;

/**
 * One pass of matchmaking over a snapshot: submitters take turns in fair-share order, each up to its share of the pool; what
 * is left over goes round again until no submitter finds an offer.
 *
 * <p>A matched offer is gone for the rest of the cycle, unless its ad says {@code WantAdRevaluate}: then its
 * {@code CurMatches} rises at once and it is evaluated anew. An autocluster for which no offer is left is not tried again in
 * the cycle and delays neither other submitters nor the next request of its own submitter (compare htcondor #4696).
 *
 * <p>Not thread-safe: one cycle at a time.
 */
public final class MatchmakingCycle {

    private final Accountant accountant;
    private final MatchListener listener;
    private final Clock clock;

    /**
     * @param accountant orders submitters and is charged for matches
     * @param listener is told of each match
     * @param clock the time of a cycle
     */
    public MatchmakingCycle(Accountant accountant, MatchListener listener, Clock clock) {
        this.accountant = accountant;
        this.listener = listener;
        this.clock = clock;
    }

    /** Matches the job ads of a collector with its other ads that have a constraint. */
    public CycleReport run(Collector collector) {
        var requests = new ArrayList<JobRequest>();
        var offers = new ArrayList<Advertisement>();
        for (var advertisement : collector.snapshot()) {
            if (advertisement.key().type().equalsIgnoreCase("Job")) {
                requests.add(JobRequest.of(advertisement));
            } else if (advertisement.ad().has("Requirements")
                    || advertisement.ad().has("Constraint")) {
                offers.add(advertisement);
            }
        }
        return run(requests, offers);
    }

    /** Matches requests with offers. {@code O(matches · offers / 64)} beside the indexes. */
    public CycleReport run(List<JobRequest> requests, List<Advertisement> offers) {
        return new Turns(requests, offers).run();
    }

    /** The state of one cycle. */
    private final class Turns {

        private final Instant began = clock.instant();
        private final List<Advertisement> offers;
        private final OfferPool pool;
        private final Autoclusters clusters;
        private final Map<String, Deque<Waiting>> queues = new LinkedHashMap<>();
        private final Map<String, Integer> made = new LinkedHashMap<>();
        private final Set<Autocluster> rejected = new HashSet<>();

        /** A request and how many matches it still waits for. */
        private static final class Waiting {
            private final JobRequest request;
            private final Autocluster cluster;
            private int left;

            private Waiting(JobRequest request, Autocluster cluster) {
                this.request = request;
                this.cluster = cluster;
                this.left = request.count();
            }
        }

        private Turns(List<JobRequest> requests, List<Advertisement> offers) {
            this.offers = offers;
            this.pool = OfferPool.of(offers.stream().map(Advertisement::ad).toList());
            this.clusters = new Autoclusters(pool);
            var bySubmitter = new LinkedHashMap<String, List<JobRequest>>();
            requests.forEach(request -> bySubmitter
                    .computeIfAbsent(request.submitter(), name -> new ArrayList<>())
                    .add(request));
            for (String submitter : accountant.order(bySubmitter.keySet())) {
                var queue = new ArrayDeque<Waiting>();
                bySubmitter.getOrDefault(submitter, List.of()).stream()
                        .sorted(Comparator.comparingDouble(JobRequest::priority).reversed())
                        .forEach(request -> queue.add(new Waiting(request, clusters.of(request.ad()))));
                queues.put(submitter, queue);
                made.put(submitter, 0);
            }
        }

        private CycleReport run() {
            // Ranks and candidates need no turn: they are the same for all requests of a cluster.
            clusters.all().parallelStream().forEach(Autocluster::prepare);
            int clusterCount = clusters.all().size();
            int before;
            do {
                before = total();
                spin();
            } while (total() > before);
            accountant.save();
            return new CycleReport(
                    offers.size(),
                    clusterCount,
                    total(),
                    made,
                    rejected.size(),
                    Duration.between(began, clock.instant()));
        }

        /** Each submitter with something to wait for takes up to its share of what is there now. */
        private void spin() {
            List<String> waiting = queues.entrySet().stream()
                    .filter(entry -> !entry.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
            if (waiting.isEmpty()) {
                return;
            }
            int there = pool.countAvailable();
            Map<String, Double> shares = accountant.shares(waiting);
            for (String submitter : waiting) {
                double due = shares.getOrDefault(submitter, 0.0) * there;
                // No share is rounded down to 0: small submitters in a small pool would starve.
                serve(submitter, (int) Math.max(1, Math.floor(due)));
            }
        }

        private void serve(String submitter, int most) {
            Deque<Waiting> queue = queues.getOrDefault(submitter, new ArrayDeque<>());
            int got = 0;
            while (got < most && !queue.isEmpty()) {
                Waiting first = queue.element();
                Optional<Match> match =
                        rejected.contains(first.cluster) ? Optional.empty() : first.cluster.best(first.request.ad());
                if (match.isEmpty()) {
                    rejected.add(first.cluster);
                    queue.remove();
                    continue;
                }
                take(first.request, match.get());
                got++;
                if (--first.left == 0) {
                    queue.remove();
                }
            }
            made.merge(submitter, got, Integer::sum);
        }

        private void take(JobRequest request, Match match) {
            ClassAd offer = match.offer();
            if (wantsRevaluation(offer)) {
                pool.replace(match.number(), offer.with("CurMatches", curMatches(offer) + 1));
            } else {
                pool.consume(match.number());
            }
            accountant.matched(request.submitter());
            listener.introduced(new Introduction(
                    request.submitter(),
                    request.ad(),
                    offer,
                    Introduction.ticketOf(offers.get(match.number()).privateAd()),
                    request.ticket(),
                    match.preempts()));
        }

        private int total() {
            return made.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    private static boolean wantsRevaluation(ClassAd offer) {
        return offer.has("WantAdRevaluate")
                && offer.evaluate("WantAdRevaluate", Scope.of(offer, Mode.OLD)).satisfies();
    }

    private static long curMatches(ClassAd offer) {
        return offer.evaluate("CurMatches", Scope.of(offer, Mode.OLD)) instanceof Value.Int current
                ? current.value()
                : 0;
    }
}
