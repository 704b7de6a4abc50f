package org.metasched.classad.cycle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;
import org.metasched.classad.Scope;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.index.MatchParty;
import org.metasched.classad.match.Autocluster;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.OfferPool;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchRoom;

/**
 * The offers and requests of one cycle. An offer that is matched is consumed, unless its ad has {@code WantAdRevaluate}: then its
 * {@code CurMatches} rises and it may be matched again. An autocluster for which no offer is left is not tried again.
 *
 * <p>If the best offer is too heavy for a submitter's limit, the best lighter one is taken. Not thread-safe.
 */
final class PoolResources implements NegotiableResources {

    private final List<Advertisement> offers;
    private final OfferPool pool;
    private final Autoclusters clusters;
    private final LeaseStore leases;
    private final MatchListener listener;

    /** The requests of each submitter, the most important first. */
    private final Map<String, List<Waiting>> queues = new LinkedHashMap<>();

    /** The number of matches of each submitter in this cycle. */
    private final Map<String, Integer> made = new LinkedHashMap<>();

    /** The autoclusters for which no offer is left. */
    private final Set<Autocluster> rejected = new HashSet<>();

    private final PoolRules rules;
    private final ToDoubleFunction<String> priority;
    private final ConcurrencyUse limits;
    private final PoolUse use;

    /** A request, and the number of matches for which it still waits. */
    private static final class Waiting {
        private final JobRequest request;
        private final Autocluster cluster;
        private int left;

        private Waiting(JobRequest request, Autocluster cluster, int left) {
            this.request = request;
            this.cluster = cluster;
            this.left = left;
        }
    }

    /**
     * The resources at the beginning of a cycle.
     *
     * @param considersPreemption whether claimed offers may be matched, too
     * @param priority the current priority of a submitter, by its name
     * @param leases the store in which each match takes a lease
     * @param listener the receiver of each match
     */
    PoolResources(
            List<JobRequest> requests,
            List<Advertisement> offers,
            PoolRules rules,
            boolean considersPreemption,
            ToDoubleFunction<String> priority,
            LeaseStore leases,
            MatchListener listener) {
        this.offers = offers;
        this.rules = rules;
        this.priority = priority;
        this.leases = leases;
        this.listener = listener;
        this.pool = OfferPool.of(offers.stream().map(Advertisement::ad).toList());
        pool.prepareFor(requests.stream().mapToLong(JobRequest::count).sum());
        this.clusters = new Autoclusters(pool);
        List<Lease> held = leases.held();
        var matches = HeldMatches.of(held);
        this.use = PoolUse.of(offers, matches, enqueue(requests, held));
        this.limits = ConcurrencyUse.of(rules, requests, offers, matches);
        for (int i = 0; i < offers.size(); i++) {
            Advertisement offer = offers.get(i);
            boolean isKept = !considersPreemption
                    && (pool.isClaimed(i) || OfferFacts.payer(offer.ad()).isPresent());
            if (isKept || !matches.pending(offer).isEmpty()) {
                pool.consume(i);
            }
        }
    }

    /**
     * Queues each request with the number of matches that it lacks. A submitter has one queue, under its name as its first request
     * spells it.
     *
     * @return the number of matches that all requests want
     */
    private long enqueue(List<JobRequest> requests, List<Lease> held) {
        var heldByCustomer = new HashMap<String, Integer>();
        held.forEach(lease -> lease.customer()
                .ifPresent(customer -> heldByCustomer.merge(Accountant.key(customer), 1, Integer::sum)));
        var names = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        long wanted = 0;
        for (var waiting : requests) {
            var request = waiting.by(names.computeIfAbsent(waiting.submitter(), name -> name));
            wanted += request.count();
            int left = request.count() - heldByCustomer.getOrDefault(Accountant.key(request.name()), 0);
            var queue = queues.computeIfAbsent(request.submitter(), submitter -> new ArrayList<>());
            made.put(request.submitter(), 0);
            if (left > 0) {
                queue.add(new Waiting(request, clusters.of(request.ad()), left));
            }
        }
        queues.values()
                .forEach(queue -> queue.sort(Comparator.comparingDouble((Waiting waiting) -> waiting.request.priority())
                        .reversed()));
        return wanted;
    }

    /** The weight that each submitter uses, by leases and claimed offers. */
    Map<String, Double> inUse() {
        return use.bySubmitter();
    }

    /** The submitters of the requests, in the order of their first requests. */
    List<String> submitters() {
        return List.copyOf(queues.keySet());
    }

    /** The number of matches of each submitter in this cycle so far. */
    Map<String, Integer> made() {
        return made;
    }

    /** The number of autoclusters of the requests. */
    int clusters() {
        return clusters.all().size();
    }

    /** The number of autoclusters for which no offer is left. */
    int rejected() {
        return rejected.size();
    }

    /** Computes the candidates of all autoclusters and their ranks in parallel, before the first turn needs them. */
    void prepare() {
        clusters.all().parallelStream().forEach(Autocluster::prepare);
    }

    @Override
    public double weight() {
        return use.weight();
    }

    @Override
    public double leastWeight() {
        return use.leastWeight();
    }

    @Override
    public boolean isEmpty() {
        return pool.countAvailable() == 0;
    }

    @Override
    public int waiting(String submitter) {
        return queues.getOrDefault(submitter, List.of()).stream()
                .mapToInt(waiting -> waiting.left)
                .sum();
    }

    @Override
    public SubmitterTurn turn(String submitter) {
        return new Queue(queues.getOrDefault(submitter, List.of()))::next;
    }

    /** One submitter's requests in its turn. */
    private final class Queue {
        private final List<Waiting> requests;

        /** The autoclusters for which no admissible offer was found in this turn. */
        private final Set<Autocluster> refused = new HashSet<>();

        /** The index of the first request that may still be matched. */
        private int at;

        private Queue(List<Waiting> requests) {
            this.requests = requests;
        }

        private Optional<MatchedSlot> next(Admission admission) {
            for (; at < requests.size(); at++) {
                Waiting first = requests.get(at);
                while (first.left > 0 && !refused.contains(first.cluster) && limits.admit(first.request.ad())) {
                    Optional<Choice> choice = choose(first, admission);
                    if (choice.isEmpty()) {
                        refused.add(first.cluster);
                    } else if (take(first, choice.get().match())) {
                        return choice.map(PoolResources::matchedSlot);
                    }
                }
            }
            return Optional.empty();
        }
    }

    /** A match, and the way in which its offer is obtained. */
    private record Choice(Match match, Kind kind) {}

    private static MatchedSlot matchedSlot(Choice choice) {
        ClassAd offer = choice.match().offer();
        return new MatchedSlot(OfferFacts.weight(offer), choice.kind(), OfferFacts.payer(offer));
    }

    /**
     * The best offer that the submitter may have. {@code O(offers)} if the best of all is not admitted and others may be, because they are
     * lighter or claimed.
     */
    private Optional<Choice> choose(Waiting waiting, Admission admission) {
        Optional<Match> best = best(waiting);
        if (best.isPresent()) {
            if (!best.get().preempts()
                    && admission.admits(OfferFacts.weight(best.get().offer()), Kind.IDLE)) {
                return Optional.of(new Choice(best.get(), Kind.IDLE));
            }
            if (pool.hasClaimed() || OfferFacts.weight(best.get().offer()) > use.leastWeight()) {
                Optional<Choice> next = firstAdmitted(waiting, admission);
                if (next.isPresent()) {
                    return next;
                }
            }
        }
        return fromOther(waiting.request, admission).map(match -> new Choice(match, Kind.PRIORITY_PREEMPTION));
    }

    /** The admitted choice of the highest rank; of two with the same rank, the idle offer rather than the claimed one. */
    private Optional<Choice> firstAdmitted(Waiting waiting, Admission admission) {
        return waiting.cluster.all(waiting.request.ad()).stream()
                .sorted(Comparator.comparingDouble(Match::rank).reversed().thenComparing(Match::preempts))
                .map(match -> new Choice(match, match.preempts() ? Kind.RANK_PREEMPTION : Kind.IDLE))
                .filter(choice -> choice.kind() == Kind.IDLE
                        || permits(rules.rankPreemption(), choice.match().offer(), waiting.request))
                .filter(choice ->
                        admission.admits(OfferFacts.weight(choice.match().offer()), choice.kind()))
                .findFirst();
    }

    /**
     * The best claimed offer that the rules let the request take from another submitter: that of the highest rank, then of the
     * submitter with the worst priority, then of the job that has run for the shortest time. {@code O(offers)}; called only if there is
     * no other offer.
     */
    private Optional<Match> fromOther(JobRequest request, Admission admission) {
        if (rules.preemption().isEmpty() || !pool.hasClaimed()) {
            return Optional.empty();
        }
        MatchContext context = MatchParty.facing(request.ad());
        Optional<Match> best = Optional.empty();
        double[] bestKey = {};
        for (int i = 0; i < offers.size(); i++) {
            Optional<String> payer = pool.isAvailable(i) ? OfferFacts.payer(pool.ad(i)) : Optional.empty();
            if (payer.isEmpty() || payer.get().equalsIgnoreCase(request.submitter())) {
                continue;
            }
            double payerPriority = priority.applyAsDouble(payer.get());
            context.right(pool.ad(i));
            double[] key = {
                context.leftRank(),
                payerPriority,
                -OfferFacts.number(pool.ad(i), "TotalJobRuntime").orElse(0.0)
            };
            if ((best.isEmpty() || Arrays.compare(key, bestKey) > 0)
                    && context.symmetricMatch()
                    && context.rightRank() >= pool.ad(i).evaluate("CurrentRank").rank()
                    && permits(rules.preemption(), pool.ad(i), request)
                    && admission.admits(OfferFacts.weight(pool.ad(i)), Kind.PRIORITY_PREEMPTION)) {
                best = Optional.of(new Match(request.ad(), pool.ad(i), i, key[0], context.rightRank(), true));
                bestKey = key;
            }
        }
        return best;
    }

    /** Whether a rule permits that a request takes a claimed offer; true without a rule. */
    private boolean permits(Optional<Expr> rule, ClassAd offer, JobRequest request) {
        return rule.isEmpty()
                || rule.get()
                        .evaluate(Scope.matching(
                                OfferFacts.payer(offer)
                                        .map(payer -> offer.with("RemoteUserPrio", priority.applyAsDouble(payer)))
                                        .orElse(offer),
                                request.ad().with("SubmitterUserPrio", priority.applyAsDouble(request.submitter())),
                                LookupMode.OLD))
                        .satisfies();
    }

    /** The best offer for a request, idle or claimed; rejects the autocluster if there is none. */
    private Optional<Match> best(Waiting waiting) {
        if (rejected.contains(waiting.cluster)) {
            return Optional.empty();
        }
        Optional<Match> best = waiting.cluster.best(waiting.request.ad());
        if (best.isEmpty()) {
            rejected.add(waiting.cluster);
        }
        return best;
    }

    /** Matches a request: takes a lease of the offer and consumes it; false if the offer has no room for a lease any more. */
    private boolean take(Waiting waiting, Match match) {
        ClassAd offer = match.offer();
        JobRequest request = waiting.request;
        Advertisement advertised = offers.get(match.number());
        Optional<UUID> lease = leases.acquire(new LeaseRequest(
                advertised.key().name(),
                MatchRoom.ofOffer(offer, match.preempts()),
                Lease.INTRODUCED + request.name(),
                Claimant.elsewhere(request.submitter()),
                1));
        if (lease.isEmpty()) {
            pool.consume(match.number());
            return false;
        }
        if (OfferFacts.wantsRevaluation(offer)) {
            long current = OfferFacts.number(offer, "CurMatches").orElse(0.0).longValue();
            pool.replace(match.number(), offer.with("CurMatches", current + 1));
        } else {
            pool.consume(match.number());
        }
        waiting.left--;
        limits.take(request.ad());
        made.merge(request.submitter(), 1, Integer::sum);
        listener.introduced(Introduction.of(lease.get(), request, match, advertised.privateAd()));
        return true;
    }
}
