package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.metasched.classad.Value;

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

    /** The offers that may dock where a request asks. */
    Candidates answer(Request request) {
        OfferSet set = demands.willingOffers();
        OfferSet waiting = keepWilling(request, set);
        OfferSet unsure = keepMatching(request, set);
        return new Candidates(set, union(entangled, unsure), waiting);
    }

    /** Keeps the offers that meet a request's own clauses; returns those for which that cannot be told for sure, not to be changed. */
    OfferSet keepMatching(Request request, OfferSet set) {
        OfferSet unsure = nobody;
        for (Clause clause : request.clauses()) {
            if (clause == Clause.Decided.NOT_MET) {
                set.clear();
            } else if (clause instanceof Clause.Test test) {
                unsure = union(unsure, without(test));
                column(test).retain(test.operator(), test.value(), set);
            } else if (clause instanceof Clause.AnyOf any) {
                var union = OfferSet.none(offers.length);
                for (Clause.Test test : any.tests()) {
                    unsure = union(unsure, without(test));
                    union.addAll(column(test).where(test.operator(), test.value()));
                }
                set.retainAll(union);
            }
        }
        for (Clause clause : request.clauses()) {
            if (clause instanceof Clause.Opaque opaque) {
                unsure = union(unsure, keepByEvaluation(opaque, request, set));
            }
        }
        return unsure;
    }

    /** The members of either set: one of the two if the other is known to be empty, or a new one. */
    private OfferSet union(OfferSet a, OfferSet b) {
        if (a == nobody) {
            return b;
        }
        if (b == nobody || a == b) {
            return a;
        }
        OfferSet both = a.copy();
        both.addAll(b);
        return both;
    }

    private Column column(Clause.Test test) {
        return columns.column(test.wanted().attribute());
    }

    private OfferSet without(Clause.Test test) {
        Column column = column(test);
        return column.isComplete() ? nobody : column.without();
    }

    /** Keeps the offers that do not mind the asker; returns those whose clauses wait for attributes that are not known yet. */
    private OfferSet keepWilling(Request request, OfferSet set) {
        OfferSet waiting = nobody;
        List<String> attributes = demands.attributes();
        for (int i = 0; i < attributes.size(); i++) {
            if (!(request.judgedBy().get(i) instanceof Term.Known)) {
                waiting = union(waiting, demands.demanding(attributes.get(i)));
            }
        }
        for (Demands.Layer layer : demands.layers()) {
            if (request.judgedBy().get(layer.place()) instanceof Term.Known known) {
                Value value = known.value();
                if (Comparisons.isScalar(value)) {
                    layer.constants().retain(layer.operator().mirrored(), value, set);
                } else {
                    set.retainAll(layer.constants().without());
                }
            }
        }
        for (Demands.Rest rest : demands.rests()) {
            boolean known = rest.attributes().stream()
                    .allMatch(name -> request.judgedBy().get(attributes.indexOf(name)) instanceof Term.Known);
            if (known && set.intersects(rest.members()) && !isWilling(rest, request)) {
                set.removeAll(rest.members());
            }
        }
        return waiting;
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

    /** Returns the offers for which that cannot be told. */
    private OfferSet keepByEvaluation(Clause.Opaque clause, Request request, OfferSet set) {
        var attributes = clause.wanted().stream().map(Wanted::attribute).toList();
        Grouping grouping = columns.grouping(attributes);
        if (grouping == null) {
            return set.copy();
        }
        OfferSet untold = nobody;
        for (String attribute : attributes) {
            untold = union(untold, columns.column(attribute).without());
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
