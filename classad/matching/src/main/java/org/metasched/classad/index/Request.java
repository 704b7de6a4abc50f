package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Value;

/**
 * The residual constraint of one open bond as a request to an index: the clauses that its coming neighbour alone decides, and the
 * attributes of the asker on which the offers' constraints depend. Requests with equal keys have the same domain and form an
 * autocluster, found from what the two sides refer to rather than from a list of names.
 */
public final class Request {

    /** Stands for a value that is not known yet. */
    private static final Object UNDECIDED = "undecided";

    private final CandidateIndex index;
    private final EvaluationSite place;
    private final List<Clause> clauses;
    private final List<PartialValue> judgedBy = new ArrayList<>();
    private final List<Object> key = new ArrayList<>();
    private final int hash;
    private @Nullable RequestPlan plan;

    private Request(EvaluationSite place, List<Clause> clauses, OfferIndex pool) {
        this.index = pool.indexes();
        this.place = place;
        this.clauses = clauses;
        for (Clause clause : clauses) {
            key.add(clause.key(clause instanceof Clause.Opaque && pool.hasOpenLists()));
        }
        for (AttributeRef reference : index.demands.references()) {
            PartialValue term = reference.name().equals(MissingAttribute.WHOLE)
                    ? new PartialValue.Undecided(Set.of(MissingAttribute.whole(place.own())))
                    : place.attribute(reference);
            judgedBy.add(term);
            key.add(term instanceof PartialValue.Known known ? keyOf(known.value()) : UNDECIDED);
        }
        this.hash = key.hashCode();
    }

    /**
     * The request of a place's own bond.
     *
     * @param clauses the undecided clauses that depend on this bond only
     * @param pool the offers whose constraints apply to the asker
     */
    public static Request of(EvaluationSite place, List<Clause> clauses, OfferIndex pool) {
        return new Request(place, clauses, pool);
    }

    /** How the index answers it. */
    RequestPlan plan() {
        RequestPlan known = plan;
        if (known == null) {
            known = index.plan(this);
            plan = known;
        }
        return known;
    }

    private static Object keyOf(Value value) {
        return value instanceof Value.Record ? new Object() : value;
    }

    /** Whether another request can be equal to this one. */
    public boolean isCanonical() {
        return key.stream().noneMatch(part -> part.getClass() == Object.class);
    }

    /** The unknown attributes of the asker on which the constraint of some offer depends. */
    public Set<String> undecidedAttributes() {
        var undecided = new LinkedHashSet<String>();
        for (int i = 0; i < judgedBy.size(); i++) {
            if (!(judgedBy.get(i) instanceof PartialValue.Known)) {
                undecided.add(index.demands.attributes().get(i));
            }
        }
        return undecided;
    }

    /** The place from which the request looks at offers. */
    public EvaluationSite place() {
        return place;
    }

    /** The bond to which an offer is bound while it is looked at. */
    public LabelLink bond() {
        return place.own();
    }

    List<Clause> clauses() {
        return clauses;
    }

    /** For each attribute of {@link OfferDemands#attributes}, what the asker has. */
    List<PartialValue> judgedBy() {
        return judgedBy;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Request request && hash == request.hash && key.equals(request.key);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
