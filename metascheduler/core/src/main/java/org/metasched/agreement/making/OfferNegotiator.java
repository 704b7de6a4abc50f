package org.metasched.agreement.making;

import static java.time.temporal.ChronoUnit.SECONDS;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.ProgramRun;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.agreement.making.NegotiationResult.Declined;
import org.metasched.agreement.making.OfferAdvice.Piece;
import org.metasched.choice.Plan;
import org.metasched.negotiation.ChoiceRequest;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;

/** Makes or plans the reservations for an offer: one negotiation over all its alternatives and all sites that may serve a part. Thread-safe. */
record OfferNegotiator(NegotiationEngine engine, FeasibleAlternatives feasible) {

    private static final SecureRandom SECRETS = new SecureRandom();
    private static final String NOT_CERTAIN =
            "One site would have to serve several parts that want the same kind of resource; whether it has room for all"
                    + " of them shows only when it reserves.";
    /** Further plans to look at where some of those wanted are not certain. */
    private static final int INSTEAD = 20;

    /** Work of the engine on a request: negotiation or planning. Planning has an outcome only if it finds no plan. */
    @FunctionalInterface
    private interface Work<T> {
        Optional<NegotiationOutcome> outcome(T request) throws InterruptedException;
    }

    /** A negotiator over the sites as they are advertised now, which it reads once; unlike others, for one thread. */
    OfferNegotiator ofNow() {
        return new OfferNegotiator(engine, feasible.ofNow());
    }

    /** Reserves the first of the alternatives that can be granted. */
    NegotiationResult make(List<AgreementRequest> alternatives) throws InterruptedException {
        return outcome(
                        alternatives,
                        named -> Optional.of(engine.negotiate(named)),
                        open -> Optional.of(engine.choose(open)))
                .orElseThrow();
    }

    /** Like {@link #plan}; if there are no ways, with the refusal that an offer would get. */
    OfferAdvice advice(List<AgreementRequest> alternatives, int most, boolean onlyCertain) throws InterruptedException {
        var advice = plan(alternatives, most, onlyCertain);
        return advice.ways().isEmpty()
                ? outcome(
                                alternatives,
                                named -> engine.plan(named).end(),
                                open -> engine.plan(open, 1).end())
                        .map(result -> result.<OfferAdvice, RuntimeException>fold(
                                allocated -> advice, declined -> advice.because(declined.refusal())))
                        .orElse(advice)
                : advice;
    }

    /**
     * The result for the alternatives: of {@code named} if just one alternative is left, at named sites with fixed offsets; else of
     * {@code open}.
     */
    private Optional<NegotiationResult> outcome(
            List<AgreementRequest> alternatives, Work<CoAllocationRequest> named, Work<ChoiceRequest> open)
            throws InterruptedException {
        var objections = new LinkedHashSet<String>();
        var willing = feasible.willing(alternatives, objections);
        if (willing.isEmpty()) {
            return Optional.of(new Declined(new Refused(RefusalCode.NO_MATCHING_SITE, String.join("\n", objections))));
        }
        var only = willing.get(0);
        var offsets = only.timing().offsets();
        if (willing.size() == 1
                && offsets.isPresent()
                && only.parts().stream().allMatch(part -> part.site().isPresent())) {
            var request = coAllocation(only, offsets.get());
            return named.outcome(request).map(end -> result(only, request.span(), end, willing));
        }
        return ofNow().choose(willing, open);
    }

    /** Makes reservations like these of an agreement, at the same sites and times. */
    NegotiationOutcome reserveLike(Agreement agreement, List<SiteCommitment> like) throws InterruptedException {
        var requester = agreement.offer().requester();
        Instant first = like.stream()
                .map(part -> part.reservation().slot().start())
                .min(Instant::compareTo)
                .orElseThrow();
        var parts = new ArrayList<SitePart>();
        for (var part : like) {
            var slot = part.reservation().slot();
            var request = new ResourceRequest(wanted(agreement, part), slot.length(), requester);
            parts.add(new SitePart(part.site(), request, Duration.between(first, slot.start())));
        }
        var span = parts.stream().map(SitePart::span).max(Duration::compareTo).orElseThrow();
        return engine.negotiate(new CoAllocationRequest(parts, first, first.plus(span)));
    }

    /** The need that was agreed for the part's term, with the amount granted: the site may have granted more than was asked for. */
    private static Need wanted(Agreement agreement, SiteCommitment part) {
        Need granted = part.reservation().granted();
        return agreement.offer().alternatives().stream()
                .flatMap(request -> request.parts().stream())
                .filter(asked -> asked.term().equals(part.term()))
                .findFirst()
                .map(asked -> asked.request().need().withAmount(granted.amount()))
                .orElse(granted);
    }

    /** Reserves all parts of an agreement once more, in its slot and as early there as can be, at any sites that its terms allow. */
    NegotiationResult reserveAll(Agreement agreement) throws InterruptedException {
        var slot = agreement.slot();
        return make(agreement.offer().alternatives().stream()
                .map(agreed -> agreed.soonest(slot.map(TimeSlot::start), slot.map(TimeSlot::end)))
                .toList());
    }

    /**
     * The best ways to grant one of the alternatives. Nothing is reserved.
     *
     * @param most number of ways wanted, at least 1
     * @param onlyCertain whether to leave out ways that want the same kind of resource of one site twice at the same time
     */
    OfferAdvice plan(List<AgreementRequest> alternatives, int most, boolean onlyCertain) throws InterruptedException {
        var placed = feasible.placed(feasible.willing(alternatives, new LinkedHashSet<>()));
        if (placed.branches().isEmpty()) {
            var code = Optional.of(RefusalCode.NO_MATCHING_SITE);
            return new OfferAdvice(code, List.of(), placed.exhaustive(), placed.whyNone(), List.of());
        }
        var planned = engine.plan(placed.asOneChoice(), most);
        var ways = ways(planned.plans(), placed, onlyCertain);
        if (ways.size() < planned.plans().size()) {
            // Plans that are not certain were left out: looks at further ones.
            planned = engine.plan(placed.asOneChoice(), most + INSTEAD);
            ways = ways(planned.plans(), placed, onlyCertain).stream()
                    .limit(most)
                    .toList();
        }
        boolean proven = planned.proven()
                && placed.exhaustive()
                && (ways.size() == most || ways.size() == planned.plans().size());
        return new OfferAdvice(
                ways.isEmpty() ? Optional.of(RefusalCode.NO_COMMON_SLOT) : Optional.empty(),
                ways,
                proven,
                ways.isEmpty() ? planned.end().map(OfferNegotiator::reason).orElse(NOT_CERTAIN) : planned.reason(),
                List.of());
    }

    private static String reason(NegotiationOutcome end) {
        return end.<String, RuntimeException>fold(allocated -> "", NoCommonSlot::reason, Abandoned::reason);
    }

    private static List<OfferAdvice.Way> ways(
            List<Plan> plans, FeasibleAlternatives.Placed placed, boolean onlyCertain) {
        return plans.stream()
                .filter(plan ->
                        !onlyCertain || isCertain(plan, placed.variants().get(plan.branch())))
                .map(plan -> way(plan, placed))
                .toList();
    }

    /** The way of a plan, whose branch is an index into the variants and into the branches. */
    private static OfferAdvice.Way way(Plan plan, FeasibleAlternatives.Placed placed) {
        var request = placed.variants().get(plan.branch());
        var pieces = pieces(plan, request);
        var end = pieces.stream().map(Piece::end).max(Instant::compareTo).orElseThrow();
        return new OfferAdvice.Way(request, Instant.ofEpochSecond(plan.start()), end, plan.rank(), plan.cost(), pieces);
    }

    private static List<Piece> pieces(Plan plan, AgreementRequest request) {
        var pieces = new ArrayList<Piece>();
        for (int i = 0; i < request.parts().size(); i++) {
            var part = request.parts().get(i);
            for (var pick : plan.picks().get(i)) {
                var need = part.request().need().withAmount(pick.amount());
                Instant start = Instant.ofEpochSecond(plan.starts().get(i));
                pieces.add(new Piece(part, ((Place) pick.tag()).site(), need, start));
            }
        }
        return pieces;
    }

    /** Whether the plan wants no kind of resource of a site twice at a time: a site's windows do not tell whether it has room for two parts. */
    private static boolean isCertain(Plan plan, AgreementRequest request) {
        var pieces = pieces(plan, request);
        return pieces.stream().allMatch(a -> pieces.stream().noneMatch(b -> a != b && a.meets(b)));
    }

    private Optional<NegotiationResult> choose(List<AgreementRequest> willing, Work<ChoiceRequest> open)
            throws InterruptedException {
        var placed = feasible.placed(willing);
        if (placed.branches().isEmpty()) {
            return Optional.of(new Declined(
                    new Refused(RefusalCode.NO_MATCHING_SITE, placed.whyNone() + feasible.clauses(willing))));
        }
        return open.outcome(placed.asOneChoice()).map(end -> {
            int branch = end.<Integer, RuntimeException>fold(CoAllocated::branch, none -> 0, abandoned -> 0);
            var timing = placed.branches().get(branch).timing();
            return result(placed.variants().get(branch), timing.span(), end, willing);
        });
    }

    /** @param placed a variant of one of the {@code willing} alternatives */
    private NegotiationResult result(
            AgreementRequest placed, Duration span, NegotiationOutcome outcome, List<AgreementRequest> willing) {
        return outcome.<NegotiationResult, RuntimeException>fold(
                allocated -> new Allocated(
                        willing.stream()
                                .filter(asked -> asked.variants().contains(placed))
                                .findFirst(),
                        slot(placed, span, allocated),
                        commitments(placed, allocated),
                        allocated.effort()),
                // A negotiation at named sites has no reason of its own; the refusal names the site that has no start.
                none -> new Declined(none.reason().isEmpty() ? refusal(none) : refusal(none, willing)),
                abandoned -> new Declined(refusal(abandoned)));
    }

    /** The slot from the start of the first part to the end of the last; without fixed offsets, to the last end that was reserved. */
    private static TimeSlot slot(AgreementRequest placed, Duration span, CoAllocated allocated) {
        Instant end = allocated.start().plus(span);
        if (placed.timing().offsets().isEmpty()) {
            for (var held : allocated.reservations()) {
                end = TimeSlot.later(end, held.reservation().slot().end());
            }
        }
        return new TimeSlot(allocated.start(), end);
    }

    private CoAllocationRequest coAllocation(AgreementRequest placed, List<Duration> offsets) {
        var parts = IntStream.range(0, offsets.size())
                .mapToObj(i -> new SitePart(
                        placed.parts().get(i).site().orElseThrow(),
                        placed.parts().get(i).request(),
                        offsets.get(i)))
                .toList();
        Instant earliest = feasible.earliest(placed);
        return new CoAllocationRequest(parts, earliest, FeasibleAlternatives.deadline(placed, earliest));
    }

    private static List<SiteCommitment> commitments(AgreementRequest placed, CoAllocated allocated) {
        var commitments = new ArrayList<SiteCommitment>();
        String secret = secret();
        for (int i = 0; i < allocated.parts().size(); i++) {
            var part = placed.parts().get(allocated.parts().get(i));
            var requester = part.request().requester().map(Requester::alone);
            var run = part.program().map(program -> new ProgramRun(program, requester, secret, JobStatus.NEW));
            commitments.add(SiteCommitment.of(part, allocated.reservations().get(i), run));
        }
        return commitments;
    }

    /** 192 random bits in hexadecimal digits. */
    private static String secret() {
        var bytes = new byte[24];
        SECRETS.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static Refused refusal(NoCommonSlot none) {
        return new Refused(
                code(none),
                "No start up to " + none.limit().truncatedTo(SECONDS) + " suits every site; site " + none.exhausted()
                        + " says that it has none from "
                        + none.since().truncatedTo(SECONDS) + " on"
                        + (none.byPreview() ? " inside its look-ahead." : " that ends before the deadline."),
                Optional.of(none.exhausted()),
                none.effort());
    }

    private Refused refusal(NoCommonSlot none, List<AgreementRequest> willing) {
        return new Refused(code(none), none.reason() + feasible.clauses(willing), Optional.empty(), none.effort());
    }

    private static RefusalCode code(NoCommonSlot none) {
        return none.byPreview() ? RefusalCode.PREVIEW_WINDOW_EXCEEDED : RefusalCode.NO_COMMON_SLOT;
    }

    private static Refused refusal(Abandoned abandoned) {
        var code = RefusalCode.of(abandoned.why());
        return new Refused(code, abandoned.reason(), Optional.of(abandoned.cause()), abandoned.effort());
    }
}
