package org.metasched.negotiation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.DisplayText;
import org.metasched.choice.Choice;
import org.metasched.choice.Plan;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationAttempt.End;

/**
 * A negotiation over candidate places. A place that fails is left out; it is asked once more if there is no plan without it. After a refusal
 * only the place that refused is asked again, and the next best plan is tried at once. A failure is explained part by part.
 */
final class CandidateNegotiation extends NegotiationLoop {

    private static final String UNPROVEN = "\nThat is not proven: the search was cut off after " + Choice.MOST_STEPS
            + " steps.\nMaybe fewer candidates or parts, or a start that is given, help.";

    private static final int MOST_NAMES = 10;

    private final long latest;
    private boolean hasBegun;
    private boolean hasAskedTwice;

    CandidateNegotiation(NegotiationContext context, SearchStrategy strategy, String name, ChoiceRequest request) {
        super(context, strategy, name, new KnownPlaces(context, request, List.of(), true), request.latestStart());
        this.latest = request.latestStart().getEpochSecond();
    }

    /** The best plans, with starts that their places have named themselves. Nothing is reserved. */
    ChoicePlans plan(int most) throws InterruptedException {
        long from = soonest();
        ask(places.all(from));
        while (true) {
            var decision = places.decide(from, most);
            var unconfirmed = decision.plans().stream()
                    .map(plan -> places.doubtful(plan, soonest()))
                    .filter(doubtful -> !doubtful.isEmpty())
                    .findFirst();
            if (unconfirmed.isEmpty() || isSpent()) {
                var confirmed = decision.plans().stream()
                        .filter(plan -> places.doubtful(plan, from).isEmpty())
                        .toList();
                boolean isProven = decision.proven() && unconfirmed.isEmpty();
                Optional<NegotiationOutcome> end = confirmed.isEmpty()
                        ? Optional.of(ended(new Search(Optional.empty(), from, unconfirmed.isPresent())))
                        : Optional.empty();
                return new ChoicePlans(confirmed, isProven, withoutSilent(), end, effort());
            }
            ask(unconfirmed.get());
        }
    }

    @Override
    void begin(long from) throws InterruptedException {
        if (!hasBegun) {
            ask(places.all(from));
        }
        hasBegun = true;
    }

    @Override
    boolean mayAttempt() {
        return !isSpent();
    }

    @Override
    boolean isSpent() {
        return isOverdue() || rounds >= context.budget().mostRounds();
    }

    @Override
    long next(Plan plan) {
        return soonest();
    }

    /** Asks places that failed once more, but only once in a negotiation. */
    @Override
    boolean recover(long from) throws InterruptedException {
        var silent = places.failed().stream().filter(KnownPlace::mayRecover).toList();
        if (hasAskedTwice || silent.isEmpty()) {
            return false;
        }
        hasAskedTwice = true;
        ask(places.questions(silent, from));
        return true;
    }

    @Override
    Optional<NegotiationOutcome> refused(Plan plan, End.Undone undone) throws InterruptedException {
        var losers = undone.losers().stream()
                .map(places.chosen(plan)::get)
                .distinct()
                .toList();
        ask(places.questions(
                losers.stream().map(loser -> loser.place()).distinct().toList(), soonest()));
        places.exclude(losers);
        return Optional.empty();
    }

    @Override
    NegotiationOutcome givenUp() {
        String reason = "Given up after " + DisplayText.count(attempts, "attempt") + " in " + took().toSeconds()
                + " s. " + refusal.reason();
        return abandoned(attempts > 0 ? Why.OUTRUN : Why.BUDGET_SPENT, reason.strip());
    }

    /** Sentence that names the sites without whose answers the plans were made; empty if there are none. */
    private String withoutSilent() {
        var silent = places.failed().stream()
                .map(place -> place.asked.site().value())
                .distinct()
                .toList();
        return silent.isEmpty()
                ? ""
                : "Decided without " + silent.size() + " of the sites, which did not answer: "
                        + String.join(", ", silent.subList(0, Math.min(MOST_NAMES, silent.size())))
                        + (silent.size() > MOST_NAMES ? " and others." : ".");
    }

    private static Why why(KnownPlace failed) {
        return Why.of(failed.problem().orElseThrow());
    }

    private String whyNone(boolean isProven) {
        String words = new InfeasibilityExplanation(places, soonest(), latest).words();
        return isProven ? words : words + UNPROVEN;
    }

    @Override
    NegotiationOutcome ended(Search search) {
        if (search.isSpent()) {
            return givenUp();
        }
        var failed = places.failed();
        String reason = whyNone(places.isProven());
        if (!failed.isEmpty() && failed.size() == places.known().size()) {
            var cause = failed.stream()
                    .filter(place -> why(place) != Why.SITE_REFUSES)
                    .findFirst()
                    .orElse(failed.get(0));
            return abandoned(cause.asked.site(), why(cause), reason);
        }
        if (attempts > 0) {
            return abandoned(Why.OUTRUN, reason + "\n" + refusal.reason());
        }
        boolean byPreview = places.known().stream().allMatch(KnownPlace::isCut);
        long limit = byPreview
                ? places.known().stream().mapToLong(KnownPlace::latest).max().orElse(latest)
                : latest;
        Instant last = Instant.ofEpochSecond(limit);
        return new NoCommonSlot(refusal.cause(), last, last, byPreview, reason, effort());
    }
}
