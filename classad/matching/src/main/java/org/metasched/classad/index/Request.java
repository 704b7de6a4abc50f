package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Value;

/**
 * The residual constraint of one open bond as a request to an index: the clauses that its coming neighbour alone decides, and the
 * attributes of the asker on which the offers' constraints depend. Requests with equal keys have the same domain and form an
 * autocluster, found from what the two sides refer to rather than from a list of names.
 */
public final class Request {

    /** Stands for a value that is not known yet. */
    private static final Object UNDECIDED = new Object();

    private final EvaluationSite place;
    private final List<Clause> clauses;
    private final List<String> judgedNames;
    private final List<PartialValue> judgedBy;
    private final List<Object> key;
    private final int hash;
    private final boolean canonical;

    /** The last answer of a pool: a request that is kept is not looked up again. */
    @Nullable
    Last<OfferIndex, Domain> answered;

    /** The last plan of an index. */
    @Nullable
    Last<CandidateIndex, RequestPlan> planned;

    /** What was found out last, and by which. */
    record Last<B, T>(B by, T found) {
        static <B, T> @Nullable T of(@Nullable Last<B, T> last, B by) {
            return last != null && last.by == by ? last.found : null;
        }
    }

    private Request(
            EvaluationSite place,
            List<Clause> clauses,
            List<String> judgedNames,
            List<PartialValue> judgedBy,
            List<Object> key) {
        this.place = place;
        this.judgedNames = judgedNames;
        this.clauses = clauses;
        this.judgedBy = judgedBy;
        this.key = key;
        this.hash = key.hashCode();
        this.canonical = isCanonical(key);
    }

    /**
     * The request of a place's own bond.
     *
     * @param clauses the undecided clauses that depend on this bond only
     * @param pool the offers whose constraints apply to the asker
     */
    public static Request of(EvaluationSite place, List<Clause> clauses, OfferIndex pool) {
        OfferDemands demands = pool.demands();
        List<String> attributes = demands.attributes();
        var key = new ArrayList<Object>(clauses.size() + attributes.size());
        for (Clause clause : clauses) {
            key.add(clause.key());
        }
        var terms = new ArrayList<PartialValue>(attributes.size());
        for (int i = 0; i < attributes.size(); i++) {
            PartialValue term = attributes.get(i).equals(MissingAttribute.WHOLE)
                    ? new PartialValue.Undecided(Set.of(MissingAttribute.whole(place.own())))
                    : place.attribute(demands.references().get(i));
            terms.add(term);
            key.add(term instanceof PartialValue.Known known ? keyOf(known.value()) : UNDECIDED);
        }
        return new Request(place, clauses, attributes, terms, key);
    }

    /** A request to which the constraints of offers do not apply. */
    static Request ofQuery(EvaluationSite place, List<Clause> clauses) {
        return new Request(
                place,
                List.copyOf(clauses),
                List.of(),
                List.of(),
                clauses.stream().map(Clause::key).toList());
    }

    private static boolean isCanonical(List<Object> key) {
        for (Object part : key) {
            if (part.getClass() == Object.class && part != UNDECIDED) {
                return false;
            }
        }
        return true;
    }

    private static Object keyOf(Value value) {
        return value instanceof Value.Record ? new Object() : value;
    }

    /** Whether another request can be equal to this one. */
    public boolean isCanonical() {
        return canonical;
    }

    /** The unknown attributes of the asker on which the constraint of some offer depends. */
    public Set<String> undecidedAttributes() {
        var undecided = new LinkedHashSet<String>();
        for (int i = 0; i < judgedBy.size(); i++) {
            if (!(judgedBy.get(i) instanceof PartialValue.Known)) {
                undecided.add(judgedNames.get(i));
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
