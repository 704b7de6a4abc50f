package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
 * One negotiation: asks all places in one parallel round, decides over what they said, asks those places of the best plan again that have
 * not said enough, and reserves the plan. After a refusal it searches on, without the start that was refused; by Listing 1 from the latest
 * effective start. The kinds of request differ in how a failure is taken and how an end is named. For one use, by one thread.
 */
abstract class NegotiationLoop {

    private static final Logger LOG = LoggerFactory.getLogger(NegotiationLoop.class);

    final NegotiationContext context;
    final KnownPlaces places;
    private final List<RequestKey> stranded = new ArrayList<>();
    int rounds;
    int attempts;
    Refusal refusal;
    private final SearchStrategy strategy;
    private final String name;
    private final Instant latestStart;
    private final long begun = System.nanoTime();
    private Instant notBefore;

    /**
     * @param latestStart with which the request can be met in time
     * @param cause the site that is named when nothing else is known
     */
    NegotiationLoop(
            NegotiationContext context,
            SearchStrategy strategy,
            String name,
            KnownPlaces places,
            Instant latestStart,
            SiteId cause) {
        this.context = context;
        this.strategy = strategy;
        this.name = name;
        this.places = places;
        this.notBefore = places.request().earliest();
        this.latestStart = latestStart;
        this.refusal = new Refusal(cause, "", false);
    }

    /** Asks what has to be known before a search. */
    abstract void begin(long from) throws InterruptedException;

    /** Whether no further question may be asked. */
    abstract boolean isSpent();

    /** The instant from which to decide after the places of a plan have been asked. */
    abstract long next(Plan plan);

    /** Asks places that failed once more; false when that is of no use. */
    abstract boolean recover(long from) throws InterruptedException;

    /** The end of a search without a plan. */
    abstract NegotiationOutcome ended(Search search);

    /** The end when no further attempt is allowed. */
    abstract NegotiationOutcome givenUp();

    abstract boolean mayAttempt();

    /** Notes which places refused a plan; an end, if that is one. */
    abstract Optional<NegotiationOutcome> refused(Plan plan, End.Undone undone) throws InterruptedException;

    /** Why the last attempt failed: by which site, and whether by its own rules. */
    record Refusal(SiteId cause, String reason, boolean isByRule) {}

    /**
     * Result of a search.
     *
     * @param plan that each of its places has said itself
     * @param from the first start that was considered last
     * @param isSpent whether it was cut off
     */
    record Search(Optional<Plan> plan, long from, boolean isSpent) {}

    final NegotiationOutcome run() throws InterruptedException {
        while (mayAttempt()) {
            var search = search();
            if (search.plan().isEmpty()) {
                return blamed(ended(search));
            }
            var plan = search.plan().get();
            var made = attempt(plan);
            if (made.isPresent()) {
                return made.get();
            }
        }
        return blamed(givenUp());
    }

    /** A site whose rules forbade the last attempt is the reason why there is no other, or no further one. */
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

    final void ask(List<PlacedRequest> questions) throws InterruptedException {
        rounds++;
        places.ask(questions);
    }

    /** The part that each pick serves. */
    private static List<Integer> partsOf(Plan plan) {
        var parts = new ArrayList<Integer>();
        for (int i = 0; i < plan.picks().size(); i++) {
            parts.addAll(Collections.nCopies(plan.picks().get(i).size(), i));
        }
        return parts;
    }

    private Optional<NegotiationOutcome> attempt(Plan plan) throws InterruptedException {
        attempts++;
        Instant start = Instant.ofEpochSecond(plan.start());
        var parts = places.chosen(plan).stream()
                .map(one -> new SitePart(
                        one.place().asked().site(),
                        one.request(),
                        Duration.ofSeconds(one.start() - plan.start())
                                .plus(one.place().offset())))
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
                undone -> goOn(plan, undone));
    }

    private Optional<NegotiationOutcome> goOn(Plan plan, End.Undone undone) throws InterruptedException {
        boolean isByRule = undone.problem().filter(Forbidden.class::isInstance).isPresent();
        refusal = new Refusal(undone.cause(), undone.reason(), isByRule);
        stranded.addAll(undone.stranded());
        LOG.info("Negotiation {}: start {} failed. {}", name, Instant.ofEpochSecond(plan.start()), refusal.reason());
        var end = refused(plan, undone);
        if (strategy == SearchStrategy.LISTING1) {
            notBefore = undone.again();
        }
        return end;
    }

    /** Whole seconds, as the coarsest clock among the schedulers counts. */
    final long soonest() {
        Instant lead = context.budget().leadFrom(context.clock().instant(), latestStart);
        Instant later = notBefore.isAfter(lead) ? notBefore : lead;
        Instant whole = later.truncatedTo(ChronoUnit.SECONDS);
        return whole.equals(later) ? whole.getEpochSecond() : whole.getEpochSecond() + 1;
    }

    final boolean isOverdue() {
        return took().compareTo(context.budget().longest()) >= 0;
    }

    final Duration took() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    final NegotiationOutcome abandoned(Why why, String reason) {
        return abandoned(refusal.cause(), why, reason);
    }

    final NegotiationOutcome abandoned(SiteId site, Why why, String reason) {
        return new Abandoned(site, why, reason, stranded, effort());
    }

    final NegotiationEffort effort() {
        return new NegotiationEffort(rounds, places.calls(), attempts, took());
    }
}
