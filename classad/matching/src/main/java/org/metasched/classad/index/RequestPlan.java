package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An index's plan for a request: the sets of offers to intersect, and the clauses left to evaluate. Made once for a request;
 * running it is what a probe costs. Not changed after that.
 */
final class RequestPlan {

    private final CandidateIndex index;
    private final List<Consumer<OfferSet>> filters = new ArrayList<>();

    /** Clauses that are no tests of one attribute. */
    final List<Clause.Opaque> opaque = new ArrayList<>();

    /** Other clauses of offers that the asker's attributes decide. */
    final List<OfferDemands.Rest> rests = new ArrayList<>();

    /** Offers without a known value of an attribute that is tested. */
    OfferSet undecided;

    /** Offers whose constraint depends on an attribute of the asker that is not known yet. */
    OfferSet deferred;

    /** The plan of the asker's own clauses. */
    RequestPlan(CandidateIndex index, OfferSet none, List<Clause> clauses) {
        this.index = index;
        this.undecided = none;
        this.deferred = none;
        for (Clause clause : clauses) {
            if (clause instanceof Clause.Test test) {
                filters.add(filter(test));
            } else if (clause instanceof Clause.AnyOf any) {
                filters.add(anyOf(any, none));
            } else if (clause instanceof Clause.Opaque other) {
                opaque.add(other);
            } else if (clause == Clause.Decided.NOT_MET) {
                filters.add(OfferSet::clear);
            }
        }
    }

    private Consumer<OfferSet> filter(Clause.Test test) {
        Column column = index.column(test.wanted().attribute());
        undecided = OfferSet.union(undecided, column.without());
        return column.filter(test.operator(), test.value());
    }

    private Consumer<OfferSet> anyOf(Clause.AnyOf any, OfferSet none) {
        OfferSet union = none.copy();
        for (Clause.Test test : any.tests()) {
            var one = OfferSet.all(none.poolSize());
            filter(test).accept(one);
            union.addAll(one);
        }
        return set -> set.retainAll(union);
    }

    /** Adds what the offers demand of the asker. */
    RequestPlan with(OfferDemands demands, List<PartialValue> judgedBy) {
        List<String> attributes = demands.attributes();
        for (int i = 0; i < attributes.size(); i++) {
            if (!(judgedBy.get(i) instanceof PartialValue.Known)) {
                OfferSet demanding = demands.demanding().getOrDefault(attributes.get(i), deferred);
                deferred = OfferSet.union(deferred, demanding);
            }
        }
        for (OfferDemands.Layer layer : demands.layers()) {
            if (judgedBy.get(layer.place()) instanceof PartialValue.Known known) {
                Column constants = layer.constants();
                filters.add(
                        Comparisons.isScalar(known.value())
                                ? constants.filter(layer.operator().mirrored(), known.value())
                                : set -> set.retainAll(constants.without()));
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

    /** Keeps of a set what all tests keep. */
    void keep(OfferSet set) {
        filters.forEach(filter -> filter.accept(set));
    }
}
