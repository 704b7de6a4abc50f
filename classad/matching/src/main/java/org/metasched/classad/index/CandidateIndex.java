package org.metasched.classad.index;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;

/**
 * Answers requests from the columns of a pool, which are read when first asked about, and from what its offers demand, as a few
 * passes over bits; clauses that are no tests are evaluated once for each group of equal offers. Loses no candidate. Thread-safe.
 */
final class CandidateIndex {

    /** So few classes are evaluated in any case; more of them only if each has so many members. */
    private static final int MANY = 64;

    private static final int FEW_MEMBERS = 4;

    final OfferDemands demands;
    final OfferRanks ranks;

    /** Two-sided checks that the answers needed so far. */
    final LongAdder evaluations = new LongAdder();

    private final Offer[] offers;
    private final OfferSet none;
    private final Map<String, Column> columns = new ConcurrentHashMap<>();
    private final Map<List<Set<String>>, EquivalenceClasses> classesBy = new ConcurrentHashMap<>();

    /** Reads what the offers demand. */
    CandidateIndex(Offer[] offers) {
        this.offers = offers;
        this.demands = OfferDemands.of(offers);
        this.ranks = new OfferRanks(offers);
        this.none = OfferSet.none(offers.length);
    }

    /** How a request is answered here: reads the columns it is about. */
    RequestPlan plan(Request request) {
        return new RequestPlan(this, none, request.clauses()).with(demands, request.judgedBy());
    }

    /**
     * The domain of a request.
     *
     * @param lazily whether offers that have hardly anything in common are left undecided: who takes one offer checks fewer of them
     */
    Domain answer(Request request, boolean lazily) {
        RequestPlan plan = request.plan();
        OfferSet set = demands.willing().copy();
        plan.keep(set);
        for (OfferDemands.Rest rest : plan.rests) {
            if (set.intersects(rest.members()) && !isWilling(rest, request)) {
                set.removeAll(rest.members());
            }
        }
        OfferSet undecided = keepByEvaluation(plan, request.place(), set, lazily);
        return new Domain(set, OfferSet.union(demands.entangled(), undecided), plan.deferred);
    }

    /** Keeps the offers that meet some clauses of a place, whatever they demand themselves; returns those for which that is not sure. */
    OfferSet keepMatching(EvaluationSite place, List<Clause> clauses, OfferSet set) {
        var plan = new RequestPlan(this, none, clauses);
        plan.keep(set);
        return keepByEvaluation(plan, place, set, false);
    }

    /** Whether the clauses that make up a rest are met; those the offer has besides are in the layers. */
    private boolean isWilling(OfferDemands.Rest rest, Request request) {
        evaluations.increment();
        EvaluationSite offer = offers[rest.representative()].place();
        List<EvaluationSite.Conjunct> shared = offer.conjuncts().stream()
                .filter(conjunct -> {
                    Clause clause = conjunct.read();
                    return clause instanceof Clause.AnyOf || clause instanceof Clause.Opaque;
                })
                .toList();
        offer.own().bind(request.place());
        return shared.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
    }

    /** Keeps what meets the clauses that are no tests; returns the offers of which anything in the plan is not sure. */
    private OfferSet keepByEvaluation(RequestPlan plan, EvaluationSite place, OfferSet set, boolean lazily) {
        OfferSet undecided = plan.undecided;
        for (Clause.Opaque clause : plan.opaque) {
            undecided = OfferSet.union(undecided, keepByEvaluation(clause, place, set, lazily));
        }
        return undecided;
    }

    private OfferSet keepByEvaluation(Clause.Opaque clause, EvaluationSite place, OfferSet set, boolean lazily) {
        var attributes =
                clause.wanted().stream().map(MissingAttribute::attribute).toList();
        EquivalenceClasses classes = classes(attributes, List.of());
        if (classes == null || classes.count() > MANY && classes.count() > set.count() / FEW_MEMBERS && lazily) {
            return set.copy();
        }
        OfferSet undecided = none;
        for (String attribute : attributes) {
            undecided = OfferSet.union(undecided, column(attribute).without());
        }
        var verdicts = new byte[classes.count()];
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            int group = classes.classOf(offer);
            if (verdicts[group] == 0 && !undecided.contains(offer)) {
                evaluations.increment();
                verdicts[group] = (byte) (place.facing(offers[offer].place(), clause::isMet) ? 1 : 2);
            }
            if (verdicts[group] == 2) {
                set.remove(offer);
            }
        }
        return undecided;
    }

    /** An attribute of every offer, as its neighbours see it. */
    Column column(String attribute) {
        Column known = columns.get(attribute);
        return known != null ? known : columns.computeIfAbsent(attribute, this::read);
    }

    private Column read(String attribute) {
        var builder = new Column.Builder(offers.length);
        AttributeRef name = AttributeRef.to(attribute);
        for (int i = 0; i < offers.length; i++) {
            Value value = valueOf(offers[i], name);
            if (value != null) {
                builder.put(i, value);
            }
        }
        return builder.build();
    }

    private static @Nullable Value valueOf(Offer offer, AttributeRef name) {
        if (offer.side().attribute(name) instanceof Literal literal) {
            return literal.value();
        }
        return offer.place().attribute(name) instanceof PartialValue.Known known ? known.value() : null;
    }

    /**
     * Offers grouped by attributes, members of a group also demanding the same of some attributes of the asker; null if the attributes
     * include the whole ad, by which all offers differ.
     */
    @Nullable
    EquivalenceClasses classes(Collection<String> attributes, Collection<String> demanded) {
        if (attributes.contains(MissingAttribute.WHOLE)) {
            return null;
        }
        var key = List.<Set<String>>of(new TreeSet<>(attributes), new TreeSet<>(demanded));
        EquivalenceClasses known = classesBy.get(key);
        if (known == null) {
            known = EquivalenceClasses.ofAll(offers.length);
            for (String attribute : key.get(0)) {
                known = known.refinedBy(column(attribute).codes());
            }
            known = demands.refine(known, demanded::contains);
            classesBy.put(key, known);
        }
        return known;
    }
}
