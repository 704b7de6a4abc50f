package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.List;

/**
 * How an index answers a request: which sets of offers have to be intersected, and what is then left to evaluate. Made once
 * for a request; running it is what a probe costs. Immutable.
 *
 * @param opaque clauses that are no tests of one attribute
 * @param rests other clauses of offers that the asker's attributes decide
 * @param undecided offers without a known value of an attribute that is tested
 * @param deferred offers whose constraint depends on an attribute of the asker that is not known yet
 */
record RequestPlan(
        CandidateFilter[] filters,
        List<Clause.Opaque> opaque,
        List<OfferDemands.Rest> rests,
        OfferSet undecided,
        OfferSet deferred,
        boolean unsatisfiable) {

    /** Keeps of a set what all tests keep. */
    void keep(OfferSet set) {
        if (unsatisfiable) {
            set.clear();
        }
        for (CandidateFilter filter : filters) {
            filter.keep(set);
        }
    }

    boolean mustEvaluate() {
        return !opaque.isEmpty() || !rests.isEmpty();
    }

    /** Collects what a request comes to. */
    static final class Builder {
        private final List<CandidateFilter> filters = new ArrayList<>();
        private final List<Clause.Opaque> opaque = new ArrayList<>();
        private final List<OfferDemands.Rest> rests = new ArrayList<>();
        private final OfferColumns columns;
        private final OfferSet none;
        private OfferSet undecided;
        private OfferSet deferred;
        private boolean unsatisfiable;

        Builder(OfferColumns columns, OfferSet none) {
            this.columns = columns;
            this.none = none;
            this.undecided = none;
            this.deferred = none;
        }

        /** The asker's own clauses. */
        Builder clauses(List<Clause> clauses) {
            for (Clause clause : clauses) {
                if (clause instanceof Clause.Test test) {
                    filters.add(filter(test));
                } else if (clause instanceof Clause.AnyOf any) {
                    filters.add(anyOf(any));
                } else if (clause instanceof Clause.Opaque other) {
                    opaque.add(other);
                } else {
                    unsatisfiable |= clause == Clause.Decided.NOT_MET;
                }
            }
            return this;
        }

        private CandidateFilter filter(Clause.Test test) {
            Column column = columns.column(test.wanted().attribute());
            if (!column.isComplete()) {
                undecided = union(undecided, column.without(), none);
            }
            return column.filter(test.operator(), test.value());
        }

        private CandidateFilter anyOf(Clause.AnyOf any) {
            var union = OfferSet.none(none.poolSize());
            for (Clause.Test test : any.tests()) {
                var one = OfferSet.all(none.poolSize());
                filter(test).keep(one);
                union.addAll(one);
            }
            return new CandidateFilter.Members(union);
        }

        /** What the offers demand of the asker. */
        Builder demands(OfferDemands demands, List<PartialValue> judgedBy) {
            List<String> attributes = demands.attributes();
            for (int i = 0; i < attributes.size(); i++) {
                if (!(judgedBy.get(i) instanceof PartialValue.Known)) {
                    deferred = union(deferred, demands.demanding(attributes.get(i)), none);
                }
            }
            for (OfferDemands.Layer layer : demands.layers()) {
                if (judgedBy.get(layer.place()) instanceof PartialValue.Known known) {
                    filters.add(
                            Comparisons.isScalar(known.value())
                                    ? layer.constants().filter(layer.operator().mirrored(), known.value())
                                    : new CandidateFilter.Members(
                                            layer.constants().without()));
                }
            }
            for (OfferDemands.Rest rest : demands.rests()) {
                if (rest.attributes().stream()
                        .allMatch(name -> judgedBy.get(attributes.indexOf(name)) instanceof PartialValue.Known)) {
                    rests.add(rest);
                }
            }
            return this;
        }

        RequestPlan build() {
            return new RequestPlan(
                    filters.toArray(CandidateFilter[]::new), opaque, rests, undecided, deferred, unsatisfiable);
        }
    }

    /** The members of either set: one of the two if the other is none, or a new one. */
    static OfferSet union(OfferSet a, OfferSet b, OfferSet none) {
        if (a == none) {
            return b;
        }
        if (b == none || a == b) {
            return a;
        }
        OfferSet both = a.copy();
        both.addAll(b);
        return both;
    }
}
