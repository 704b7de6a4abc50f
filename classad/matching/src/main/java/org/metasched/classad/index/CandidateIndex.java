package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers requests from the columns of a pool and from what its offers demand, as a few passes over bits; clauses that are no
 * tests are evaluated once for each group of equal offers. Loses no candidate. Thread-safe.
 */
final class CandidateIndex {

    /** So few classes are evaluated in any case; more of them only if each has so many members. */
    private static final int MANY = 64;

    private static final int FEW_MEMBERS = 4;

    private final Offer[] offers;
    private final OfferColumns columns;
    private final OfferDemands demands;
    private final OfferSet none;
    private final OfferSet entangled;
    private final LongAdder evaluations = new LongAdder();

    CandidateIndex(Offer[] offers, OfferColumns columns, OfferDemands demands) {
        this.offers = offers;
        this.columns = columns;
        this.demands = demands;
        this.none = OfferSet.none(offers.length);
        this.entangled = demands.entangled().isEmpty() ? none : demands.entangled();
    }

    /** Two-sided checks that the answers needed so far. */
    long evaluations() {
        return evaluations.sum();
    }

    /** How a request is answered here: reads the columns it is about. */
    RequestPlan plan(Request request) {
        RequestPlan known = Request.Last.of(request.planned, this);
        if (known == null) {
            known = new RequestPlan.Builder(columns, none)
                    .clauses(request.clauses())
                    .demands(demands, request.judgedBy())
                    .build();
            request.planned = new Request.Last<>(this, known);
        }
        return known;
    }

    /** The domain of a request. */
    Domain answer(Request request) {
        return answer(request, false);
    }

    /**
     * The domain of a request.
     *
     * @param lazily whether offers that have hardly anything in common are left undecided: who takes one offer checks fewer of them
     */
    Domain answer(Request request, boolean lazily) {
        RequestPlan plan = plan(request);
        OfferSet set = demands.willingOffers();
        plan.keep(set);
        for (OfferDemands.Rest rest : plan.rests()) {
            if (set.intersects(rest.members()) && !isWilling(rest, request)) {
                set.removeAll(rest.members());
            }
        }
        OfferSet undecided = RequestPlan.union(entangled, keepByEvaluation(plan, request, set, lazily), none);
        return new Domain(set, undecided, plan.deferred());
    }

    /** Keeps the offers that meet some clauses of a place, whatever they demand themselves; returns those for which that is not sure. */
    OfferSet keepMatching(EvaluationSite place, List<Clause> clauses, OfferSet set) {
        RequestPlan plan =
                new RequestPlan.Builder(columns, none).clauses(clauses).build();
        plan.keep(set);
        return keepByEvaluation(plan, Request.ofQuery(place, clauses), set, false);
    }

    /** Whether the clauses that make up a rest are met; those the offer has besides are in the layers. */
    private boolean isWilling(OfferDemands.Rest rest, Request request) {
        evaluations.increment();
        EvaluationSite offer = offers[rest.representative()].place();
        var shared = new ArrayList<EvaluationSite.Conjunct>();
        for (EvaluationSite.Conjunct conjunct : offer.conjuncts()) {
            Clause clause = conjunct.read();
            if (clause instanceof Clause.AnyOf || clause instanceof Clause.Opaque) {
                shared.add(conjunct);
            }
        }
        offer.own().bind(request.place());
        return shared.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
    }

    /** Keeps what meets the clauses that are no tests; returns the offers of which anything in the plan is not sure. */
    private OfferSet keepByEvaluation(RequestPlan plan, Request request, OfferSet set, boolean lazily) {
        OfferSet undecided = plan.undecided();
        for (Clause.Opaque clause : plan.opaque()) {
            undecided = RequestPlan.union(undecided, keepByEvaluation(clause, request, set, lazily), none);
        }
        return undecided;
    }

    private OfferSet keepByEvaluation(Clause.Opaque clause, Request request, OfferSet set, boolean lazily) {
        var attributes =
                clause.wanted().stream().map(MissingAttribute::attribute).toList();
        EquivalenceClasses classes = columns.classes(attributes);
        if (classes == null || classes.count() > MANY && classes.count() > set.count() / FEW_MEMBERS && lazily) {
            return set.copy();
        }
        OfferSet undecided = none;
        for (String attribute : attributes) {
            undecided = RequestPlan.union(undecided, columns.column(attribute).without(), none);
        }
        var verdicts = new byte[classes.count()];
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            int group = classes.classOf(offer);
            if (verdicts[group] == 0 && !undecided.contains(offer)) {
                verdicts[group] = (byte) (isMetBy(offer, clause, request) ? 1 : 2);
            }
            if (verdicts[group] == 2) {
                set.remove(offer);
            }
        }
        return undecided;
    }

    private boolean isMetBy(int offer, Clause.Opaque clause, Request request) {
        evaluations.increment();
        return request.place().facing(offers[offer].place(), clause::isMet);
    }
}
