package org.metasched.agreement.making;

import static java.time.temporal.ChronoUnit.SECONDS;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Need;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.Commitment;
import org.metasched.agreement.ProgramRun;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.Advice.Piece;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.choice.Plan;
import org.metasched.choice.Rule;
import org.metasched.negotiation.Case;
import org.metasched.negotiation.ChoiceRequest;
import org.metasched.negotiation.ChoiceRequest.Branch;
import org.metasched.negotiation.ChoiceRequest.OpenPart;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.sites.SiteDirectory;

/** From an offer to reservations: one negotiation over all branches and all sites that may serve an open part. */
final class OfferNegotiator {

    /** Stands for no deadline: longer than any site looks ahead. */
    private static final Duration FAR = Duration.ofDays(3660);

    private static final int MOST_CLAUSES = 20;

    private final NegotiationEngine engine;
    private static final SecureRandom SECRETS = new SecureRandom();

    private final SiteSelector selector;
    private final ProgramAdmission programs;
    private final SiteDirectory sites;
    private final Clock clock;

    OfferNegotiator(
            NegotiationEngine engine,
            SiteSelector selector,
            ProgramAdmission programs,
            SiteDirectory sites,
            Clock clock) {
        this.sites = sites;
        this.programs = programs;
        this.engine = engine;
        this.selector = selector;
        this.clock = clock;
    }

    /** What came of an offer: reservations, which the caller must keep or strand, or a refusal. */
    sealed interface Made {
        /** Takes the result apart: a new case does not compile until every caller handles it. */
        <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined) throws E;

        record Allocated(TimeSlot slot, List<Commitment> commitments, NegotiationEffort effort) implements Made {
            @Override
            public <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined)
                    throws E {
                return allocated.of(this);
            }
        }

        record Declined(Refused refusal) implements Made {
            @Override
            public <R, E extends Exception> R fold(Case<Allocated, R, E> allocated, Case<Declined, R, E> declined)
                    throws E {
                return declined.of(this);
            }
        }
    }

    Made make(List<AgreementRequest> alternatives) throws InterruptedException {
        var objections = new ArrayList<String>();
        var branches = new ArrayList<AgreementRequest>();
        for (var branch : alternatives.stream().filter(this::isKnown).toList()) {
            var why = objection(branch);
            why.ifPresentOrElse(objections::add, () -> branches.add(branch));
        }
        if (branches.isEmpty()) {
            return declined(RefusalCode.NO_MATCHING_SITE, String.join("\n", new LinkedHashSet<>(objections)));
        }
        var only = branches.get(0);
        var offsets = only.timing().offsets();
        if (branches.size() == 1
                && offsets.isPresent()
                && only.parts().stream().allMatch(part -> part.site().isPresent())) {
            var request = coAllocation(only, offsets.get());
            return made(only, request.span(), engine.negotiate(request), branches);
        }
        return choose(branches);
    }

    /** Reservations like some of an agreement, at the same sites and times. */
    NegotiationOutcome again(Agreement agreement, List<Commitment> like) throws InterruptedException {
        var requester =
                agreement.offer().alternatives().get(0).parts().get(0).request().requester();
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

    private static Need wanted(Agreement agreement, Commitment part) {
        Need granted = part.reservation().granted();
        return agreement.offer().alternatives().stream()
                .flatMap(request -> request.parts().stream())
                .filter(asked -> asked.term().equals(part.term()))
                .findFirst()
                .map(asked -> asked.request().need().withAmount(granted.amount()))
                .orElse(granted);
    }

    /** All parts of an agreement once more, in its slot. */
    Made anew(Agreement agreement) throws InterruptedException {
        var slot = agreement.slot();
        return make(agreement.offer().alternatives().stream()
                .map(way -> way.with(way.parts(), slot.map(TimeSlot::start), slot.map(TimeSlot::end)))
                .toList());
    }

    private static Made declined(RefusalCode code, String reason) {
        return new Made.Declined(new Refused(code, reason, Optional.empty(), NegotiationEffort.NONE));
    }

    /** What a site that the branch names has against the program that is to run there. */
    private Optional<String> objection(AgreementRequest branch) throws InterruptedException {
        for (var part : branch.parts()) {
            var why = programs.objections(part, part.site().stream().toList());
            if (!why.isEmpty()) {
                return why.values().stream().findFirst();
            }
        }
        return Optional.empty();
    }

    /** The candidates without those sites that would not run the program of the part. */
    private Candidates willing(AgreementRequest branch, Candidates candidates) throws InterruptedException {
        var open = branch.parts().stream().filter(part -> part.site().isEmpty()).toList();
        var places = new ArrayList<List<Place>>();
        var reasons = new ArrayList<>(candidates.whyNone().stream().toList());
        for (int i = 0; i < open.size(); i++) {
            var all = candidates.places().get(i);
            var why = programs.objections(
                    open.get(i), all.stream().map(Place::site).toList());
            places.add(
                    all.stream().filter(place -> !why.containsKey(place.site())).toList());
            reasons.addAll(why.values());
        }
        return new Candidates(
                places,
                candidates.rules(),
                reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", reasons)));
    }

    private boolean isKnown(AgreementRequest branch) {
        return branch.parts().stream()
                .flatMap(part -> part.site().stream())
                .allMatch(site -> sites.find(site).isPresent());
    }

    /**
     * Alternatives that have places for each of their parts.
     *
     * @param reasons why the others have not
     */
    private record Placed(List<AgreementRequest> requests, List<Branch> choices, List<String> reasons) {
        ChoiceRequest choice() {
            return new ChoiceRequest(choices, requests.get(0).preference());
        }

        String whyNone() {
            return "No known site satisfies every term that leaves the place open.\n" + String.join("\n", reasons);
        }
    }

    /** Everything that is open as one choice; a branch that has a part without any place is left out. */
    private Placed placed(List<AgreementRequest> branches) throws InterruptedException {
        var placeable = new ArrayList<AgreementRequest>();
        var choices = new ArrayList<Branch>();
        var reasons = new ArrayList<String>();
        for (var wanted : branches) {
            var variants = wanted.variants();
            var shortest = variants.get(0).timing().span();
            for (var branch : variants) {
                var smallest = branch.with(
                        branch.parts().stream().map(RequestedPart::smallest).toList(),
                        branch.earliest(),
                        branch.deadline());
                var candidates = willing(branch, selector.candidates(smallest));
                if (candidates.places().stream().anyMatch(List::isEmpty)) {
                    reasons.add(candidates.whyNone().orElse("A part has no site that could serve it."));
                } else {
                    placeable.add(branch);
                    choices.add(
                            branch(branch, candidates, branch.timing().span().minus(shortest)));
                }
            }
        }
        return new Placed(placeable, choices, reasons);
    }

    /**
     * The best ways to have one of the alternatives, which are not held.
     *
     * @param sure whether ways are left out that want one site twice at the same time
     */
    Advice plan(List<AgreementRequest> alternatives, int most, boolean sure) throws InterruptedException {
        var willing = new ArrayList<AgreementRequest>();
        for (var branch : alternatives) {
            if (isKnown(branch) && objection(branch).isEmpty()) {
                willing.add(branch);
            }
        }
        var placed = placed(willing);
        if (placed.choices().isEmpty()) {
            return new Advice(Optional.of(RefusalCode.NO_MATCHING_SITE), List.of(), true, placed.whyNone(), List.of());
        }
        var found = engine.plan(placed.choice(), most);
        var ways = found.plans().stream()
                .filter(plan -> !sure || isSure(plan, placed.requests().get(plan.branch())))
                .map(plan -> way(plan, placed))
                .toList();
        boolean proven = found.proven() && ways.size() == found.plans().size();
        return new Advice(
                ways.isEmpty() ? Optional.of(RefusalCode.NO_COMMON_SLOT) : Optional.empty(),
                ways,
                proven,
                found.plans().size() > ways.size() && ways.isEmpty()
                        ? "One site would have to serve several parts of a kind, which it is asked only when it"
                                + " reserves."
                        : found.reason(),
                List.of());
    }

    private static Advice.Way way(Plan plan, Placed placed) {
        var request = placed.requests().get(plan.branch());
        var pieces = pieces(plan, request);
        var end = pieces.stream().map(Piece::end).max(Instant::compareTo).orElseThrow();
        return new Advice.Way(request, Instant.ofEpochSecond(plan.start()), end, plan.rank(), plan.cost(), pieces);
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

    /** A site's windows are for one part: whether it has room for two of them at once is not known. */
    private static boolean isSure(Plan plan, AgreementRequest request) {
        var pieces = pieces(plan, request);
        return pieces.stream().allMatch(one -> pieces.stream().noneMatch(other -> one != other && one.meets(other)));
    }

    private Made choose(List<AgreementRequest> branches) throws InterruptedException {
        var placed = placed(branches);
        if (placed.choices().isEmpty()) {
            return declined(RefusalCode.NO_MATCHING_SITE, placed.whyNone() + clauses(branches));
        }
        var chosen = engine.choose(placed.choice());
        int branch = chosen.<Integer, RuntimeException>fold(CoAllocated::branch, none -> 0, abandoned -> 0);
        return made(
                placed.requests().get(branch),
                placed.choices().get(branch).timing().span(),
                chosen,
                branches);
    }

    /** What the clauses cost the parts that leave the place open: a line for each. */
    String clauses(List<AgreementRequest> branches) {
        return branches.stream()
                .flatMap(branch -> branch.parts().stream())
                .filter(part -> part.site().isEmpty())
                .flatMap(part -> selector.clauses(part).stream())
                .map(clause -> "\n" + clause.words())
                .distinct()
                .limit(MOST_CLAUSES)
                .collect(Collectors.joining());
    }

    private Branch branch(AgreementRequest request, Candidates candidates, Duration delay) {
        var parts = new ArrayList<OpenPart>();
        var open = new ArrayList<Integer>();
        for (int i = 0; i < request.parts().size(); i++) {
            var part = request.parts().get(i);
            List<Place> places;
            if (part.site().isPresent()) {
                places = List.of(new Place(part.site().get(), "", 0, 0));
            } else {
                double scale = part.request().need().amount()
                        / (double) part.smallest().request().need().amount();
                places = candidates.places().get(open.size()).stream()
                        .map(place -> new Place(place.site(), place.advertised(), place.rank(), place.cost() * scale))
                        .toList();
                open.add(i);
            }
            parts.add(new OpenPart(part.term(), part.request(), places, part.split()));
        }
        var rules = candidates.rules().stream()
                .map(rule -> new Rule(rule.parts().stream().map(open::get).toList(), rule.holds()))
                .toList();
        var earliest = earliest(request);
        return new Branch(parts, rules, request.timing(), delay, earliest, deadline(request, earliest));
    }

    private Instant earliest(AgreementRequest request) {
        Instant now = clock.instant();
        return request.earliest().filter(e -> e.isAfter(now)).orElse(now);
    }

    private static Instant deadline(AgreementRequest request, Instant earliest) {
        return request.deadline().orElseGet(() -> earliest.plus(FAR).plus(FAR));
    }

    private Made made(
            AgreementRequest placed, Duration span, NegotiationOutcome outcome, List<AgreementRequest> branches) {
        return outcome.<Made, RuntimeException>fold(
                allocated -> new Made.Allocated(
                        slot(placed, span, allocated), commitments(placed, allocated), allocated.effort()),
                none -> new Made.Declined(none.reason().isEmpty() ? refusal(none) : refusal(none, branches)),
                abandoned -> new Made.Declined(refusal(abandoned)));
    }

    /** From the start of the first part to the end of the last; of stages that waited, as they were reserved. */
    private static TimeSlot slot(AgreementRequest placed, Duration span, CoAllocated allocated) {
        Instant end = allocated.start().plus(span);
        for (int i = 0;
                i < allocated.parts().size() && placed.timing().offsets().isEmpty();
                i++) {
            var held = allocated.reservations().get(i).reservation().slot().end();
            end = held.isAfter(end) ? held : end;
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
        Instant earliest = earliest(placed);
        return new CoAllocationRequest(parts, earliest, deadline(placed, earliest));
    }

    private static List<Commitment> commitments(AgreementRequest placed, CoAllocated allocated) {
        var commitments = new ArrayList<Commitment>();
        String secret = secret();
        for (int i = 0; i < allocated.parts().size(); i++) {
            var part = placed.parts().get(allocated.parts().get(i));
            var made = allocated.reservations().get(i);
            commitments.add(new Commitment(
                    part.term(),
                    part.service(),
                    made.site(),
                    made.reservation(),
                    ReservationState.RESERVED,
                    List.of(),
                    part.program()
                            .map(program ->
                                    new ProgramRun(program, part.request().requester(), secret, JobStatus.NEW))));
        }
        return commitments;
    }

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

    private Refused refusal(NoCommonSlot none, List<AgreementRequest> branches) {
        return new Refused(code(none), none.reason() + clauses(branches), Optional.empty(), none.effort());
    }

    private static RefusalCode code(NoCommonSlot none) {
        return none.byPreview() ? RefusalCode.PREVIEW_WINDOW_EXCEEDED : RefusalCode.NO_COMMON_SLOT;
    }

    private static Refused refusal(Abandoned abandoned) {
        var code = switch (abandoned.why()) {
            case SITE_UNAVAILABLE -> RefusalCode.ADAPTER_DOWN;
            case OUTRUN -> RefusalCode.RESOURCE_LOST_RACE;
            case BUDGET_SPENT -> RefusalCode.NO_COMMON_SLOT;
        };
        return new Refused(code, abandoned.reason(), Optional.of(abandoned.cause()), abandoned.effort());
    }
}
