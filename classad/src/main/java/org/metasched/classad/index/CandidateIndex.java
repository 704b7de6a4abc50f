package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers requests from the columns of a pool and from what its offers demand, as a few passes over bits; clauses that are no
 * tests are evaluated once for each group of equal offers. Loses no candidate. Thread-safe.
 */
final class CandidateIndex {

    private final Offer[] offers;
    private final OfferColumns columns;
    private final Demands demands;
    private final OfferSet nobody;
    private final OfferSet entangled;
    private final LongAdder evaluations = new LongAdder();

    CandidateIndex(Offer[] offers, OfferColumns columns, Demands demands) {
        this.offers = offers;
        this.columns = columns;
        this.demands = demands;
        this.nobody = OfferSet.none(offers.length);
        this.entangled = demands.entangled().isEmpty() ? nobody : demands.entangled();
    }

    /** Two-sided checks that the answers needed so far. */
    long evaluations() {
        return evaluations.sum();
    }

    /** How a request is answered here: reads the columns it is about. */
    RequestPlan plan(Request request) {
        RequestPlan known = request.planOf(this);
        if (known == null) {
            known = new RequestPlan.Builder(columns, nobody)
                    .clauses(request.clauses())
                    .demands(demands, request.judgedBy())
                    .build();
            request.plan(this, known);
        }
        return known;
    }

    /** The offers that may dock where a request asks. */
    Candidates answer(Request request) {
        RequestPlan plan = plan(request);
        OfferSet set = demands.willingOffers();
        plan.keep(set);
        for (Demands.Rest rest : plan.rests) {
            if (set.intersects(rest.members()) && !isWilling(rest, request)) {
                set.removeAll(rest.members());
            }
        }
        OfferSet unsure = RequestPlan.union(entangled, keepByEvaluation(plan, request, set), nobody);
        return new Candidates(set, unsure, plan.waiting);
    }

    /** Keeps the offers that meet some clauses of a place, whatever they demand themselves; returns those for which that is not sure. */
    OfferSet keepMatching(Place place, List<Clause> clauses, OfferSet set) {
        RequestPlan plan =
                new RequestPlan.Builder(columns, nobody).clauses(clauses).build();
        plan.keep(set);
        return keepByEvaluation(plan, Request.ofQuery(place, clauses), set);
    }

    /** Whether the clauses that make up a rest are met; those the offer has besides are in the layers. */
    private boolean isWilling(Demands.Rest rest, Request request) {
        evaluations.increment();
        Place offer = offers[rest.representative()].place();
        var shared = new ArrayList<Place.Conjunct>();
        for (Place.Conjunct conjunct : offer.conjuncts()) {
            Clause clause = conjunct.read();
            if (clause instanceof Clause.AnyOf || clause instanceof Clause.Opaque) {
                shared.add(conjunct);
            }
        }
        offer.own().bind(request.place());
        return shared.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
    }

    /** Keeps what meets the clauses that are no tests; returns the offers of which anything in the plan is not sure. */
    private OfferSet keepByEvaluation(RequestPlan plan, Request request, OfferSet set) {
        OfferSet unsure = plan.unsure;
        for (Clause.Opaque clause : plan.opaque) {
            unsure = RequestPlan.union(unsure, keepByEvaluation(clause, request, set), nobody);
        }
        return unsure;
    }

    private OfferSet keepByEvaluation(Clause.Opaque clause, Request request, OfferSet set) {
        var attributes = clause.wanted().stream().map(Wanted::attribute).toList();
        Grouping grouping = columns.grouping(attributes);
        if (grouping == null) {
            return set.copy();
        }
        OfferSet untold = nobody;
        for (String attribute : attributes) {
            untold = RequestPlan.union(untold, columns.column(attribute).without(), nobody);
        }
        var verdicts = new byte[grouping.count()];
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            int group = grouping.groupOf(offer);
            if (verdicts[group] == 0 && !untold.contains(offer)) {
                verdicts[group] = (byte) (isMetBy(offer, clause, request) ? 1 : 2);
            }
            if (verdicts[group] == 2) {
                set.remove(offer);
            }
        }
        return untold;
    }

    private boolean isMetBy(int offer, Clause.Opaque clause, Request request) {
        evaluations.increment();
        Place place = offers[offer].place();
        place.own().bind(request.place());
        request.bond().bind(place);
        try {
            return clause.isMet();
        } finally {
            request.bond().release();
        }
    }
}
