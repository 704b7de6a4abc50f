package org.metasched.classad.cycle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.MatchContext;
import org.metasched.classad.Mode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.match.Autocluster;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.OfferPool;

/**
 * The offers and requests of one cycle. An offer is gone once it is matched, unless its ad says {@code WantAdRevaluate}: then its
 * {@code CurMatches} rises at once and it is evaluated anew. An autocluster for which no offer is left is not tried again.
 *
 * <p>Where the best offer is too heavy for what a submitter may still take, the next best that is not is taken.
 */
final class PoolMarket implements Market {

    private static final double TINY = 1e-9;

    /** An introduction is made for each match. */
    interface Introducing {
        void introduced(JobRequest request, Match match, Advertisement offer, UUID id);
    }

    private final List<Advertisement> offers;
    private final OfferPool pool;
    private final Autoclusters clusters;
    private final Taking taking;
    private final Introducing introducing;
    private final Map<String, List<Waiting>> queues = new LinkedHashMap<>();
    private final Map<String, Integer> made = new LinkedHashMap<>();
    private final Set<Autocluster> rejected = new HashSet<>();
    private final Map<String, Double> inUse = new HashMap<>();
    private final PoolRules rules;
    private final ToDoubleFunction<String> priority;
    /** What is taken of each limit of concurrency. */
    private final Map<String, Double> limited = new HashMap<>();

    private double weight;
    private double leastWeight = Double.POSITIVE_INFINITY;

    /** A request and how many matches it still waits for. */
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

    /** @param priority of a submitter, as it is at the moment */
    PoolMarket(
            List<JobRequest> requests,
            List<Advertisement> offers,
            PoolRules rules,
            boolean considersPreemption,
            ToDoubleFunction<String> priority,
            Taking taking,
            Introducing introducing) {
        this.offers = offers;
        this.rules = rules;
        this.priority = priority;
        this.taking = taking;
        this.introducing = introducing;
        this.pool = OfferPool.of(offers.stream().map(Advertisement::ad).toList());
        pool.prepare();
        this.clusters = new Autoclusters(pool);
        var heldByCustomer = new HashMap<String, Integer>();
        var heldByOffer = new HashMap<String, List<String>>();
        for (var held : taking.held()) {
            heldByCustomer.merge(key(held.customer()), 1, Integer::sum);
            heldByOffer
                    .computeIfAbsent(key(held.offer()), offer -> new ArrayList<>())
                    .add(held.submitter());
        }
        long wanted = 0;
        for (var request : requests) {
            wanted += request.count();
            int left = request.count() - heldByCustomer.getOrDefault(key(request.name()), 0);
            var queue = queues.computeIfAbsent(request.submitter(), submitter -> new ArrayList<>());
            made.put(request.submitter(), 0);
            if (left > 0) {
                queue.add(new Waiting(request, clusters.of(request.ad()), left));
            }
        }
        queues.values()
                .forEach(queue -> queue.sort(Comparator.comparingDouble((Waiting waiting) -> waiting.request.priority())
                        .reversed()));
        for (var offer : offers) {
            weigh(offer.ad(), heldByOffer.getOrDefault(key(offer.key().name()), List.of()), wanted);
        }
        countLimits(requests, taking.held());
        for (int i = 0; i < offers.size() && !considersPreemption; i++) {
            if (payerOf(offers.get(i).ad()).isPresent()) {
                pool.consume(i);
            }
        }
    }

    /** By the ads of claimed machines; where those do not say that they are claimed, by the ads of their customers. */
    private void countLimits(List<JobRequest> requests, List<Taking.Held> held) {
        var saying = new HashSet<String>();
        for (var offer : offers) {
            if (payerOf(offer.ad()).isPresent()) {
                saying.add(key(offer.key().name()));
                limit(offer.ad());
            }
        }
        var customers = new HashMap<String, ClassAd>();
        requests.forEach(request -> customers.put(key(request.name()), request.ad()));
        held.stream()
                .filter(match -> !saying.contains(key(match.offer())))
                .flatMap(match -> Optional.ofNullable(customers.get(key(match.customer()))).stream())
                .forEach(this::limit);
    }

    private void limit(ClassAd ad) {
        rules.takes(ad).forEach((name, count) -> limited.merge(name, count, Double::sum));
    }

    /** Whether the limits of concurrency leave room for one more. */
    private boolean isWithinLimits(ClassAd request) {
        return rules.takes(request).entrySet().stream()
                .allMatch(need -> limited.getOrDefault(need.getKey(), 0.0) + need.getValue()
                        <= rules.limit(need.getKey()) + TINY);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Adds an offer to the pool, and what is used of it to its payers. */
    private void weigh(ClassAd offer, List<String> claimants, long wanted) {
        double each = weightOf(offer);
        leastWeight = Math.min(leastWeight, each);
        weight += each * (wantsRevaluation(offer) ? number(offer, "MaxMatches").orElse((double) wanted) : 1);
        Optional<String> payer = payerOf(offer);
        if (payer.isPresent()) {
            inUse.merge(payer.get(), each, Double::sum);
        } else {
            claimants.forEach(submitter -> inUse.merge(submitter, each, Double::sum));
        }
    }

    /** Who pays for an offer that says that it is claimed, as a machine's ad does. */
    private static Optional<String> payerOf(ClassAd offer) {
        boolean claimed = text(offer, "State")
                .filter(state -> state.equalsIgnoreCase("Claimed") || state.equalsIgnoreCase("Preempting"))
                .isPresent();
        return claimed ? text(offer, "AccountingGroup").or(() -> text(offer, "RemoteUser")) : Optional.empty();
    }

    private static Optional<String> text(ClassAd ad, String attribute) {
        return ad.has(attribute)
                        && ad.evaluate(attribute, Scope.of(ad, Mode.OLD)) instanceof Value.Text text
                        && !text.text().isBlank()
                ? Optional.of(text.text())
                : Optional.empty();
    }

    private static double weightOf(ClassAd offer) {
        return number(offer, "SlotWeight").filter(value -> value >= 0).orElse(1.0);
    }

    private static Optional<Double> number(ClassAd ad, String attribute) {
        if (!ad.has(attribute)) {
            return Optional.empty();
        }
        Value value = ad.evaluate(attribute, Scope.of(ad, Mode.OLD));
        if (value instanceof Value.Int whole) {
            return Optional.of((double) whole.value());
        }
        return value instanceof Value.Real real ? Optional.of(real.value()) : Optional.empty();
    }

    /** What each submitter uses, by weight, as claims and claimed offers say. */
    Map<String, Double> inUse() {
        return inUse;
    }

    List<String> submitters() {
        return List.copyOf(queues.keySet());
    }

    Map<String, Integer> made() {
        return made;
    }

    int clusters() {
        return clusters.all().size();
    }

    int rejected() {
        return rejected.size();
    }

    /** Ranks and candidates need no turn: they are the same for all requests of a cluster. */
    void prepare() {
        clusters.all().parallelStream().forEach(Autocluster::prepare);
    }

    @Override
    public double weight() {
        return weight;
    }

    @Override
    public double leastWeight() {
        return leastWeight;
    }

    @Override
    public boolean isEmpty() {
        return pool.countAvailable() == 0;
    }

    @Override
    public int idle(String submitter) {
        int idle = 0;
        for (var waiting : queues.getOrDefault(submitter, List.of())) {
            idle += waiting.left;
        }
        return idle;
    }

    @Override
    public Talk talk(String submitter) {
        List<Waiting> queue = queues.getOrDefault(submitter, List.of());
        return new Talk() {
            private final Set<Autocluster> refused = new HashSet<>();
            private int at;

            @Override
            public Optional<Sale> next(Admission admission) {
                for (; at < queue.size(); at++) {
                    Waiting first = queue.get(at);
                    while (first.left > 0 && !refused.contains(first.cluster) && isWithinLimits(first.request.ad())) {
                        Optional<Choice> choice = choose(first, admission);
                        if (choice.isEmpty()) {
                            refused.add(first.cluster);
                        } else if (take(first, choice.get().match())) {
                            return choice.map(PoolMarket::sale);
                        }
                    }
                }
                return Optional.empty();
            }
        };
    }

    /** An offer, and how it is come by. */
    private record Choice(Match match, Kind kind) {}

    private static Sale sale(Choice choice) {
        ClassAd offer = choice.match().offer();
        return new Sale(weightOf(offer), choice.kind(), payerOf(offer));
    }

    /** The best offer that the submitter may have. Beyond the very best one {@code O(offers)}, where others may be lighter, or claimed. */
    private Optional<Choice> choose(Waiting waiting, Admission admission) {
        Optional<Match> best = best(waiting);
        if (best.isPresent()) {
            if (!best.get().preempts() && admission.admits(weightOf(best.get().offer()), Kind.IDLE)) {
                return Optional.of(new Choice(best.get(), Kind.IDLE));
            }
            if (pool.hasClaimed() || weightOf(best.get().offer()) > leastWeight) {
                Optional<Choice> next = firstAdmitted(waiting, admission);
                if (next.isPresent()) {
                    return next;
                }
            }
        }
        return fromWorse(waiting.request, admission).map(match -> new Choice(match, Kind.PRIORITY_PREEMPTION));
    }

    /** By rank; an idle offer goes before a claimed one that the customer likes no better. */
    private Optional<Choice> firstAdmitted(Waiting waiting, Admission admission) {
        return waiting.cluster.all(waiting.request.ad()).stream()
                .sorted(Comparator.comparingDouble(Match::rank).reversed().thenComparing(Match::preempts))
                .map(match -> new Choice(match, match.preempts() ? Kind.RANK_PREEMPTION : Kind.IDLE))
                .filter(choice -> choice.kind() == Kind.IDLE
                        || letsGo(rules.rankPreemption(), choice.match().offer(), waiting.request))
                .filter(choice -> admission.admits(weightOf(choice.match().offer()), choice.kind()))
                .findFirst();
    }

    /**
     * The best claimed offer that the rules let the request take from a submitter of worse priority: by the request's rank, then from
     * the worst, then the one whose job has run for the shortest time. {@code O(offers)}, and only where there are such rules and nothing
     * else is left.
     */
    private Optional<Match> fromWorse(JobRequest request, Admission admission) {
        if (rules.preemption().isEmpty() || !pool.hasClaimed()) {
            return Optional.empty();
        }
        var context = new MatchContext(Mode.OLD);
        context.left(request.ad());
        Optional<Match> best = Optional.empty();
        double[] bestKey = {};
        for (int i = 0; i < offers.size(); i++) {
            Optional<String> payer = pool.isAvailable(i) ? payerOf(pool.ad(i)) : Optional.empty();
            if (payer.isEmpty() || payer.get().equalsIgnoreCase(request.submitter())) {
                continue;
            }
            double remote = priority.applyAsDouble(payer.get());
            context.right(pool.ad(i));
            double[] key = {
                context.leftRank(),
                remote,
                -number(pool.ad(i), "TotalJobRuntime").orElse(0.0)
            };
            if ((best.isEmpty() || Arrays.compare(key, bestKey) > 0)
                    && context.symmetricMatch()
                    && context.rightRank() >= pool.ad(i).evaluate("CurrentRank").rank()
                    && letsGo(rules.preemption(), pool.ad(i), request)
                    && admission.admits(weightOf(pool.ad(i)), Kind.PRIORITY_PREEMPTION)) {
                best = Optional.of(new Match(request.ad(), pool.ad(i), i, key[0], context.rightRank(), true));
                bestKey = key;
            }
        }
        return best;
    }

    /** Whether a rule lets a claimed offer go to a request; no rule does. */
    private boolean letsGo(Optional<Expr> rule, ClassAd offer, JobRequest request) {
        return rule.isEmpty()
                || rule.get()
                        .evaluate(Scope.matching(
                                payerOf(offer)
                                        .map(payer -> offer.with("RemoteUserPrio", priority.applyAsDouble(payer)))
                                        .orElse(offer),
                                request.ad().with("SubmitterUserPrio", priority.applyAsDouble(request.submitter())),
                                Mode.OLD))
                        .satisfies();
    }

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

    /** Whether there was one to take: others may have been faster. */
    private boolean take(Waiting waiting, Match match) {
        ClassAd offer = match.offer();
        Optional<UUID> taken = taking.take(waiting.request, offer, match.preempts());
        if (taken.isEmpty()) {
            pool.consume(match.number());
            return false;
        }
        if (wantsRevaluation(offer)) {
            long current = number(offer, "CurMatches").orElse(0.0).longValue();
            pool.replace(match.number(), offer.with("CurMatches", current + 1));
        } else {
            pool.consume(match.number());
        }
        waiting.left--;
        limit(waiting.request.ad());
        made.merge(waiting.request.submitter(), 1, Integer::sum);
        introducing.introduced(waiting.request, match, offers.get(match.number()), taken.get());
        return true;
    }

    private static boolean wantsRevaluation(ClassAd offer) {
        return offer.has("WantAdRevaluate")
                && offer.evaluate("WantAdRevaluate", Scope.of(offer, Mode.OLD)).satisfies();
    }
}
