package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SiteId;
import org.metasched.choice.Plan;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.KnownPlaces.PlacedRequest;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationAttempt.End;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One negotiation: asks all places in one parallel round, decides by their answers, asks again those places of the best plan that have
 * not named their start, and reserves the plan. After a refusal it searches on without the start that was refused. With
 * {@link SearchStrategy#LISTING1} it searches on from the latest start that a site offered instead. Subclasses differ in the effect of
 * failures and in the outcomes. For one use, by one thread.
 */
abstract class NegotiationLoop {

    private static final Logger LOG = LoggerFactory.getLogger(NegotiationLoop.class);

    final NegotiationContext context;
    final KnownPlaces places;
    /** Keys under which failed attempts may still hold reservations. */
    private final List<RequestKey> orphans = new ArrayList<>();

    int rounds;
    int attempts;
    /** The failure of the last attempt; before the first, the site to blame if none is made. */
    Refusal refusal;

    private final SearchStrategy strategy;
    private final String name;
    private final Instant latestStart;
    private final long begun = System.nanoTime();
    /** No start before this instant is searched. */
    private Instant notBefore;

    /** @param latestStart latest start with which the request ends in time */
    NegotiationLoop(
            NegotiationContext context, SearchStrategy strategy, String name, KnownPlaces places, Instant latestStart) {
        this.context = context;
        this.strategy = strategy;
        this.name = name;
        this.places = places;
        this.notBefore = places.request.earliest();
        this.latestStart = latestStart;
        this.refusal = new Refusal(places.lastSite(), "", false);
    }

    /** Asks the questions that must precede a search from this instant on, in seconds since the epoch. */
    abstract void begin(long from) throws InterruptedException;

    /** Whether no further question may be asked. */
    abstract boolean isSpent();

    /** The instant from which to decide after the places of a plan have been asked, in seconds since the epoch. */
    abstract long next(Plan plan);

    /** Asks places that failed once more; returns false if it asks none. */
    abstract boolean recover(long from) throws InterruptedException;

    /** The outcome after a search without a plan. */
    abstract NegotiationOutcome ended(Search search);

    /** The outcome when no further attempt is allowed. */
    abstract NegotiationOutcome givenUp();

    /** Whether the budget allows another attempt. */
    abstract boolean mayAttempt();

    /** Excludes the starts that places refused; returns the outcome if that ends the negotiation. */
    abstract Optional<NegotiationOutcome> refused(Plan plan, End.Undone undone) throws InterruptedException;

    /** The site that failed an attempt, the reason, and whether the site's own rules forbade it. */
    record Refusal(SiteId cause, String reason, boolean isByRule) {}

    /**
     * Result of a search.
     *
     * @param plan plan whose starts its places have named themselves
     * @param from first start that the last decision considered, in seconds since the epoch
     * @param isSpent whether the budget cut it off
     */
    record Search(Optional<Plan> plan, long from, boolean isSpent) {}

    final NegotiationOutcome run() throws InterruptedException {
        while (mayAttempt()) {
            var search = search();
            if (search.plan().isEmpty()) {
                return blamed(ended(search));
            }
            var outcome = attempt(search.plan().get());
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
        return blamed(givenUp());
    }

    /** The outcome. If a site's own rules forbade the last attempt, its refusal is the reason, instead of a lack of starts or budget. */
    private NegotiationOutcome blamed(NegotiationOutcome end) {
        return !refusal.isByRule()
                ? end
                : end.fold(
                        allocated -> allocated,
                        none -> abandoned(Why.SITE_REFUSES, refusal.reason()),
                        abandoned -> abandoned.why() == Why.OUTRUN || abandoned.why() == Why.BUDGET_SPENT
                                ? abandoned(Why.SITE_REFUSES, abandoned.reason())
                                : abandoned);
    }

    /** Decides and asks until the best plan is certain, no plan is left, or the budget is spent. */
    final Search search() throws InterruptedException {
        long from = soonest();
        if (isSpent()) {
            return new Search(Optional.empty(), from, true);
        }
        begin(from);
        while (true) {
            var best = places.decide(from, 1).best();
            if (best.isEmpty()) {
                if (!recover(from)) {
                    return new Search(Optional.empty(), from, false);
                }
                continue;
            }
            var plan = best.get();
            var doubtful = places.doubtful(plan, from);
            if (doubtful.isEmpty() || isSpent()) {
                return new Search(Optional.of(plan).filter(p -> doubtful.isEmpty()), from, !doubtful.isEmpty());
            }
            ask(doubtful);
            from = next(plan);
        }
    }

    /** Asks one round of questions. */
    final void ask(List<PlacedRequest> questions) throws InterruptedException {
        rounds++;
        places.ask(questions);
    }

    /** The part that each pick serves. */
    private static List<Integer> partsOf(Plan plan) {
        return IntStream.range(0, plan.picks().size())
                .boxed()
                .flatMap(part -> plan.picks().get(part).stream().map(pick -> part))
                .toList();
    }

    private Optional<NegotiationOutcome> attempt(Plan plan) throws InterruptedException {
        attempts++;
        Instant start = Instant.ofEpochSecond(plan.start());
        var parts = places.chosen(plan).stream()
                .map(placed -> new SitePart(
                        placed.place().asked.site(),
                        placed.request(),
                        Duration.ofSeconds(placed.start() - plan.start()).plus(placed.place().offset)))
                .toList();
        var attempt = new ReservationAttempt(context, name + "-" + attempts, parts, start);
        End end;
        try {
            end = attempt.run();
        } finally {
            places.countCalls(attempt.calls());
        }
        return end.<Optional<NegotiationOutcome>, InterruptedException>fold(
                confirmed -> Optional.of(
                        new CoAllocated(start, plan.branch(), partsOf(plan), confirmed.reservations(), effort())),
                undone -> afterFailure(plan, undone));
    }

    private Optional<NegotiationOutcome> afterFailure(Plan plan, End.Undone undone) throws InterruptedException {
        boolean isByRule = undone.problem().filter(Forbidden.class::isInstance).isPresent();
        refusal = new Refusal(undone.cause(), undone.reason(), isByRule);
        orphans.addAll(undone.orphans());
        LOG.info("Negotiation {}: start {} failed. {}", name, Instant.ofEpochSecond(plan.start()), refusal.reason());
        var end = refused(plan, undone);
        if (strategy == SearchStrategy.LISTING1) {
            notBefore = undone.retryFrom();
        }
        return end;
    }

    /** First start to search now, in seconds since the epoch. */
    final long soonest() {
        Instant lead = context.budget().firstStart(context.clock().instant(), latestStart);
        Instant later = notBefore.isAfter(lead) ? notBefore : lead;
        return KnownPlace.roundedUp(later);
    }

    /** Whether the negotiation has taken as long as its budget allows. */
    final boolean isOverdue() {
        return took().compareTo(context.budget().longest()) >= 0;
    }

    /** Real time since the negotiation began. */
    final Duration took() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    final NegotiationOutcome abandoned(Why why, String reason) {
        return abandoned(refusal.cause(), why, reason);
    }

    final NegotiationOutcome abandoned(SiteId site, Why why, String reason) {
        return new Abandoned(site, why, reason, orphans, effort());
    }

    final NegotiationEffort effort() {
        return new NegotiationEffort(rounds, places.calls(), attempts, took());
    }
}
