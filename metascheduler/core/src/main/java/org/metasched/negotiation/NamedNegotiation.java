package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.SiteId;
import org.metasched.choice.CommonStart;
import org.metasched.choice.Plan;
import org.metasched.choice.Preference;
import org.metasched.choice.StageNetwork;
import org.metasched.negotiation.ChoiceRequest.Branch;
import org.metasched.negotiation.ChoiceRequest.OpenPart;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationAttempt.End;

/**
 * A negotiation over named sites: one place for each part. Every site is needed: a site that fails twice in a round ends the negotiation, and
 * each attempt begins with a new round to all. A failure names the site that caused it.
 *
 * <p>With sites that name only their next start it is Listing 1 of Streit et al. (ParCo 2005), with repairs: the "ask again" flag holds
 * for a whole round, the candidate moves only between rounds, the loop also stops when a common start has been found, and "none" is
 * another answer than "failed". It skips no common start: a start that suits every site is not before any site's answer. It ends, because
 * the candidate only grows: rounds &le; 1 + number of feasible intervals of all sites.
 */
final class NamedNegotiation extends NegotiationLoop {

    private final RandomGenerator random;
    /** Last start within the deadline and every site's look-ahead. */
    private final Instant limit;

    private final boolean limitIsPreview;
    /** The round after which failed places were asked once more. */
    private int roundOfRecovery;

    NamedNegotiation(
            NegotiationContext context,
            SearchStrategy strategy,
            String name,
            RandomGenerator random,
            CoAllocationRequest request) {
        this(context, strategy, name, random, request, context.lastStart(request));
    }

    private NamedNegotiation(
            NegotiationContext context,
            SearchStrategy strategy,
            String name,
            RandomGenerator random,
            CoAllocationRequest request,
            Instant limit) {
        super(context, strategy, name, places(context, strategy, request, limit), request.latestStart());
        this.random = random;
        this.limit = limit;
        this.limitIsPreview = limit.isBefore(request.latestStart());
        this.refusal = new Refusal(
                request.parts().get(0).site(), "The time for the negotiation was over before it began.", false);
    }

    /** The parts as one stage: their starts are counted without their offsets from the common start. */
    private static KnownPlaces places(
            NegotiationContext context, SearchStrategy strategy, CoAllocationRequest request, Instant limit) {
        var parts = request.parts().stream()
                .map(part -> new OpenPart(
                        part.site().value(),
                        part.request(),
                        List.of(new Place(
                                part.site(), "", 0, 0, Place.beside(part.request(), request.atOnceWith(part)))),
                        Optional.empty()))
                .toList();
        long span = StageTiming.roundedUp(request.span());
        var timing = new StageTiming(Collections.nCopies(parts.size(), 0), StageNetwork.single(span));
        var branch =
                new Branch(parts, List.of(), timing, Duration.ZERO, request.earliest(), limit.plusSeconds(span), 0);
        var offsets = request.parts().stream().map(SitePart::offset).toList();
        boolean asksWindows = strategy == SearchStrategy.WINDOWS;
        var choice = new ChoiceRequest(List.of(branch), Preference.START);
        return new KnownPlaces(context, choice, offsets, asksWindows);
    }

    /** The earliest plan. Nothing is reserved. */
    ChoicePlans plan() throws InterruptedException {
        var search = search();
        var end = search.plan().isPresent() ? Optional.<NegotiationOutcome>empty() : Optional.of(ended(search));
        return new ChoicePlans(search.plan().stream().toList(), !search.isSpent(), "", end, effort());
    }

    @Override
    void begin(long from) throws InterruptedException {
        if (from <= limit.getEpochSecond()) {
            ask(places.all(from));
        }
    }

    @Override
    boolean isSpent() {
        return rounds >= context.budget().mostRounds();
    }

    @Override
    long next(Plan plan) {
        return plan.start();
    }

    /** Asks places that failed once more, but only once in a round. */
    @Override
    boolean recover(long from) throws InterruptedException {
        var failed = places.failed();
        if (failed.isEmpty()
                || roundOfRecovery == rounds
                || !failed.get(failed.size() - 1).mayRecover()) {
            return false;
        }
        roundOfRecovery = rounds;
        places.ask(places.questions(failed, from));
        return true;
    }

    @Override
    NegotiationOutcome ended(Search search) {
        var failed = places.failed();
        var common = CommonStart.of(places.nextStarts(), search.from(), limit.getEpochSecond());
        SiteId last = places.site(common.last());
        if (!failed.isEmpty()) {
            SiteId site = failed.get(failed.size() - 1).asked.site();
            var problem = failed.get(failed.size() - 1).problem().orElseThrow();
            String reason = problem instanceof Refused ? "" : "Site " + site + " cannot be asked: ";
            return abandoned(site, Why.of(problem), reason + problem.getMessage());
        }
        if (search.isSpent() && search.from() <= limit.getEpochSecond()) {
            return abandoned(
                    last,
                    Why.BUDGET_SPENT,
                    "No common start within " + rounds + " rounds; site " + last + " moved the start last.\n"
                            + "Maybe it rounds each start up instead of covering it with its grid (rule A2).");
        }
        Instant since = Instant.ofEpochSecond(common.since());
        return new NoCommonSlot(last, since, limit, limitIsPreview, "", effort());
    }

    @Override
    boolean mayAttempt() {
        return attempts < context.budget().mostAttempts() && !isOverdue();
    }

    @Override
    NegotiationOutcome givenUp() {
        var why = attempts < context.budget().mostAttempts() ? Why.BUDGET_SPENT : Why.OUTRUN;
        return abandoned(why, "Given up after " + DisplayText.count(attempts, "attempt") + ". " + refusal.reason());
    }

    @Override
    Optional<NegotiationOutcome> refused(Plan plan, End.Undone undone) throws InterruptedException {
        if (undone.problem().filter(Misconfigured.class::isInstance).isPresent()) {
            return Optional.of(abandoned(Why.SITE_MISCONFIGURED, refusal.reason()));
        }
        places.exclude(undone.losers().stream().map(places.chosen(plan)::get).toList());
        places.forget();
        if (attempts < context.budget().mostAttempts()
                && !context.budget().pause().isZero()) {
            Thread.sleep(random.nextLong(context.budget().pause().toMillis() + 1));
        }
        return Optional.empty();
    }
}
