package org.metasched.negotiation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.CommonSlotSearch.Result;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationAttempt.End;
import org.metasched.sites.SiteCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for a common start, reserves it at every site in parallel, checks every confirmation, and on any mismatch gives
 * all back and looks once more at all that is free, without the start that was not confirmed; by Listing 1 it goes on from the latest effective
 * start. Horizon and budget are fixed at the start of a negotiation: a look-ahead that slides with the clock is not a bound. Thread-safe; holds no lock while a site is asked.
 */
public final class ParallelNegotiation implements NegotiationEngine {

    private static final Logger LOG = LoggerFactory.getLogger(ParallelNegotiation.class);
    private static final char[] ALPHABET = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();

    private final SiteCalls calls;
    private final CommonSlotSearch search;
    private final SearchStrategy strategy;
    private final ReservationJournal journal;
    private final OrphanSweeper sweeper;
    private final NegotiationBudget budget;
    private final Clock clock;
    private final RandomGenerator random;

    /** @param random names negotiations and spreads retries; thread-safe */
    public ParallelNegotiation(
            SiteCalls calls,
            SearchStrategy strategy,
            ReservationJournal journal,
            OrphanSweeper sweeper,
            NegotiationBudget budget,
            Clock clock,
            RandomGenerator random) {
        this.calls = calls;
        this.search = new CommonSlotSearch(calls, strategy);
        this.strategy = strategy;
        this.journal = journal;
        this.sweeper = sweeper;
        this.budget = budget;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException {
        return new Run(request).run();
    }

    @Override
    public ChoicePlans plan(ChoiceRequest request, int most) throws InterruptedException {
        return new ChoiceNegotiation(calls, journal, sweeper, strategy, budget, clock, newName(), request).plan(most);
    }

    @Override
    public ChoiceOutcome choose(ChoiceRequest request) throws InterruptedException {
        return new ChoiceNegotiation(calls, journal, sweeper, strategy, budget, clock, newName(), request).run();
    }

    /** One negotiation. */
    private final class Run {
        private final CoAllocationRequest request;
        private final String name = newName();
        private final long begun = System.nanoTime();
        private final Instant limit;
        private final boolean limitIsPreview;
        private final List<RefusedStarts> refused;
        private final List<RequestKey> stranded = new ArrayList<>();
        private int rounds;
        private int callCount;
        private int attempts;
        private Instant from;
        private SiteId cause;
        private String reason = "The time for the negotiation was over before it began.";

        Run(CoAllocationRequest request) {
            this.request = request;
            Instant now = clock.instant();
            Instant horizon = request.latestStart();
            for (var part : request.parts()) {
                var preview = calls.directory().get(part.site()).previewWindow();
                Instant last = preview.endFrom(now).minus(part.offset());
                horizon = last.isBefore(horizon) ? last : horizon;
            }
            this.limit = horizon;
            this.limitIsPreview = horizon.isBefore(request.latestStart());
            this.refused =
                    request.parts().stream().map(p -> new RefusedStarts()).toList();
            this.from = request.earliest();
            this.cause = request.parts().get(0).site();
        }

        NegotiationOutcome run() throws InterruptedException {
            while (attempts < budget.mostAttempts() && took().compareTo(budget.longest()) < 0) {
                from = notBeforeLead(from);
                var result = search.search(request.parts(), refused, from, limit, budget.mostRounds() - rounds);
                rounds += result.rounds();
                callCount += result.calls();
                Optional<NegotiationOutcome> ended = result.fold(
                        this::tryAt,
                        none -> Optional.of(
                                new NoCommonSlot(none.exhausted(), none.since(), limit, limitIsPreview, effort())),
                        failed -> Optional.of(silent(failed)),
                        spent -> Optional.of(spent(spent)));
                if (ended.isPresent()) {
                    return ended.get();
                }
                pause();
            }
            var why = attempts < budget.mostAttempts() ? Why.BUDGET_SPENT : Why.OUTRUN;
            return new Abandoned(cause, why, "Given up after " + attempts + " attempts. " + reason, stranded, effort());
        }

        private Optional<NegotiationOutcome> tryAt(Result.Found found) throws InterruptedException {
            return attempt(found.start())
                    .fold(
                            confirmed ->
                                    Optional.of(new CoAllocated(found.start(), confirmed.reservations(), effort())),
                            undone -> goOn(found.start(), undone));
        }

        /** The end of a negotiation whose attempt failed for good; else nothing, and where to search from is set. */
        private Optional<NegotiationOutcome> goOn(Instant tried, End.Undone undone) {
            cause = undone.cause();
            reason = undone.reason();
            stranded.addAll(undone.stranded());
            LOG.info("Negotiation {}: start {} failed. {}", name, tried, reason);
            if (undone.hopeless()) {
                return Optional.of(new Abandoned(cause, Why.SITE_UNAVAILABLE, reason, stranded, effort()));
            }
            if (strategy == SearchStrategy.LISTING1) {
                from = undone.again();
            }
            for (int loser : undone.losers()) {
                var site = calls.directory().get(request.parts().get(loser).site());
                refused.get(loser).add(tried, site.previewWindow().grid());
            }
            return Optional.empty();
        }

        private End attempt(Instant start) throws InterruptedException {
            attempts++;
            var attempt = new ReservationAttempt(
                    journal, calls, sweeper, clock, name + "-" + attempts, request.parts(), start);
            try {
                return attempt.run();
            } finally {
                callCount += attempt.calls();
            }
        }

        private Abandoned silent(Result.Failed failed) {
            String why = "Site " + failed.site() + " cannot be asked: "
                    + failed.problem().getMessage();
            return new Abandoned(failed.site(), Why.SITE_UNAVAILABLE, why, stranded, effort());
        }

        private Abandoned spent(Result.RoundsSpent spent) {
            return new Abandoned(
                    spent.last(),
                    Why.BUDGET_SPENT,
                    "No common start within " + rounds + " rounds; site " + spent.last() + " moved the start last.\n"
                            + "Maybe it rounds each start up instead of covering it with its grid (rule A2).",
                    stranded,
                    effort());
        }

        /** Whole seconds, as the coarsest clock among the schedulers counts. */
        private Instant notBeforeLead(Instant wanted) {
            Instant soonest = budget.leadFrom(clock.instant(), request.latestStart());
            Instant later = wanted.isAfter(soonest) ? wanted : soonest;
            Instant whole = later.truncatedTo(ChronoUnit.SECONDS);
            return whole.equals(later) ? later : whole.plusSeconds(1);
        }

        private void pause() throws InterruptedException {
            if (attempts < budget.mostAttempts() && !budget.pause().isZero()) {
                Thread.sleep(random.nextLong(budget.pause().toMillis() + 1));
            }
        }

        private Duration took() {
            return Duration.ofNanos(System.nanoTime() - begun);
        }

        private NegotiationEffort effort() {
            return new NegotiationEffort(rounds, callCount, attempts, took());
        }
    }

    /** {@code m} and 80 random bits: with an attempt and a part it stays within the length of a request key. */
    private String newName() {
        var name = new StringBuilder("m");
        for (int i = 0; i < 16; i++) {
            name.append(ALPHABET[random.nextInt(ALPHABET.length)]);
        }
        return name.toString();
    }
}
