package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.choice.PickConstraint;
import org.metasched.negotiation.ChoiceRequest;
import org.metasched.negotiation.ChoiceRequest.Branch;
import org.metasched.negotiation.ChoiceRequest.OpenPart;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.sites.SiteDirectory;

/** Finds the alternatives of an offer that sites may serve, with the places for their parts, regardless of time. Thread-safe. */
record FeasibleAlternatives(SiteSelector selector, ProgramAdmission programs, SiteDirectory sites, Clock clock) {

    /** Stands for no deadline: longer than any site looks ahead. */
    private static final Duration FAR = Duration.ofDays(7320);

    /** Most lines of {@link #clauses}. */
    private static final int MOST_CLAUSES = 20;

    /** The same over the sites as they are advertised now. For one thread. */
    FeasibleAlternatives ofNow() {
        return new FeasibleAlternatives(selector.ofNow(), programs, sites, clock);
    }

    /** The first objection to the sites that an alternative names: one is unknown, or would not run the program of its part. */
    private Optional<String> objection(AgreementRequest alternative) throws InterruptedException {
        for (var part : alternative.parts()) {
            if (part.site().filter(site -> sites.find(site).isEmpty()).isPresent()) {
                return Optional.of(
                        "The site (" + part.site().get() + ") of term " + part.term() + " is not configured.");
            }
            var why = programs.objections(part, part.site().stream().toList());
            if (!why.isEmpty()) {
                return why.values().stream().findFirst();
            }
        }
        return Optional.empty();
    }

    /** The candidates without the sites that would not run the programs of their parts. */
    private Candidates willing(AgreementRequest variant, Candidates candidates) throws InterruptedException {
        if (variant.parts().stream().allMatch(part -> part.program().isEmpty())) {
            return candidates;
        }
        var open =
                variant.parts().stream().filter(part -> part.site().isEmpty()).toList();
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
                candidates.exhaustive(),
                reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", reasons)));
    }

    /** Alternatives that name only known sites, which would run their programs. Adds the reasons against the others to {@code objections}. */
    List<AgreementRequest> willing(List<AgreementRequest> alternatives, Set<String> objections)
            throws InterruptedException {
        var willing = new ArrayList<AgreementRequest>();
        for (var alternative : alternatives) {
            objection(alternative).ifPresentOrElse(objections::add, () -> willing.add(alternative));
        }
        return willing;
    }

    /**
     * Variants of alternatives that have places for each of their parts.
     *
     * @param branches the same variants as branches of one choice; the branch of a plan is an index into both lists
     * @param reasons reasons why other variants have no place for some part
     * @param exhaustive whether the places are all that there are; false if the search for them was cut off
     */
    record Placed(List<AgreementRequest> variants, List<Branch> branches, List<String> reasons, boolean exhaustive) {
        ChoiceRequest asOneChoice() {
            return new ChoiceRequest(branches, variants.get(0).preference());
        }

        String whyNone() {
            return "No known site satisfies every term that leaves the place open.\n" + String.join("\n", reasons);
        }
    }

    /** The variants of alternatives, with places for their parts; a variant that has a part without any place is left out. */
    Placed placed(List<AgreementRequest> alternatives) throws InterruptedException {
        var placeable = new ArrayList<AgreementRequest>();
        var branches = new ArrayList<Branch>();
        var reasons = new ArrayList<String>();
        boolean exhaustive = true;
        for (var alternative : alternatives) {
            var variants = alternative.variants();
            var shortest = variants.get(0).timing().span();
            for (var variant : variants) {
                var candidates = willing(variant, selector.candidates(smallest(variant)));
                exhaustive &= candidates.exhaustive();
                if (candidates.places().stream().anyMatch(List::isEmpty)) {
                    reasons.add(candidates.whyNone().orElse("A part has no site that could serve it."));
                } else {
                    placeable.add(variant);
                    branches.add(
                            branch(variant, candidates, variant.timing().span().minus(shortest)));
                }
            }
        }
        return new Placed(placeable, branches, reasons, exhaustive);
    }

    /** The request with the smallest piece of each split part: a place need not have room for more. */
    private static AgreementRequest smallest(AgreementRequest request) {
        return request.with(
                request.parts().stream().map(RequestedPart::smallest).toList(), request.earliest(), request.deadline());
    }

    /**
     * Lines for people, each after a line break: how many ads meet each clause of the requirements of the parts {@linkplain #toExplain to
     * explain}.
     */
    String clauses(List<AgreementRequest> alternatives) {
        return alternatives.stream()
                .flatMap(request -> selector.clauses(request, toExplain(request)).stream())
                .map(clause -> "\n" + clause.words())
                .distinct()
                .limit(MOST_CLAUSES)
                .collect(Collectors.joining());
    }

    /** The parts without a site; if some of them have no place, only those. */
    private List<RequestedPart> toExplain(AgreementRequest request) {
        var open =
                request.parts().stream().filter(part -> part.site().isEmpty()).toList();
        var places = selector.candidates(smallest(request)).places();
        boolean someHaveNone = places.stream().anyMatch(List::isEmpty);
        return IntStream.range(0, open.size())
                .filter(i -> !someHaveNone || places.get(i).isEmpty())
                .<RequestedPart>mapToObj(open::get)
                .toList();
    }

    /** @param delay time by which the request takes longer than its shortest variant */
    private Branch branch(AgreementRequest request, Candidates candidates, Duration delay) {
        var parts = new ArrayList<OpenPart>();
        // Index of each part without a site.
        var open = new ArrayList<Integer>();
        boolean isMixed = request.parts().stream().anyMatch(part -> part.site().isPresent());
        for (int i = 0; i < request.parts().size(); i++) {
            var part = request.parts().get(i);
            var all = part.site().isPresent()
                    ? List.of(new Place(part.site().get(), "", 0, 0, 0))
                    : candidates.places().get(open.size());
            if (part.site().isEmpty()) {
                open.add(i);
            }
            // The candidates' costs are those of the smallest piece.
            double scale = part.request().need().amount()
                    / (double) part.smallest().request().need().amount();
            var places = scale == 1 && !isMixed
                    ? all
                    : all.stream()
                            .map(place -> new Place(
                                    place.site(),
                                    place.advertised(),
                                    place.rank(),
                                    place.cost() * scale,
                                    beside(request, part, place.site())))
                            .toList();
            parts.add(new OpenPart(part.term(), part.request(), places, part.split()));
        }
        var rules = candidates.rules().stream()
                .map(rule ->
                        new PickConstraint(rule.parts().stream().map(open::get).toList(), rule.holds()))
                .toList();
        var earliest = earliest(request);
        return new Branch(
                parts, rules, request.timing(), delay, earliest, deadline(request, earliest), request.order());
    }

    /** The amount that other parts hold at a site while a part runs there: those that name this site, and in a workflow belong to its stage. */
    private static int beside(AgreementRequest request, RequestedPart part, SiteId site) {
        return Place.beside(
                part.request(),
                request.parts().stream()
                        .filter(other -> other.equals(part)
                                || other.site().filter(site::equals).isPresent()
                                        && (request.lags().isEmpty()
                                                || other.service().equals(part.service())))
                        .map(RequestedPart::request));
    }

    /** The earliest start of a request, but not before now. */
    Instant earliest(AgreementRequest request) {
        Instant now = clock.instant();
        return request.earliest().filter(e -> e.isAfter(now)).orElse(now);
    }

    /** The deadline of a request, or a time beyond every site's look-ahead. */
    static Instant deadline(AgreementRequest request, Instant earliest) {
        return request.deadline().orElseGet(() -> earliest.plus(FAR));
    }
}
