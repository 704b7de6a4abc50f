package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Value;

/**
 * The residual constraint of one open link as a request to an index: the clauses that its future neighbour alone decides, and the
 * attributes of the requesting ad on which the offers' constraints depend. Requests with equal keys have the same domain and form
 * an autocluster, found from the references of both sides rather than from a list of names.
 */
public final class Request {

    /** Stands for a value that is not known yet. */
    private static final Object UNDECIDED = "undecided";

    final List<Clause> clauses;

    /** The value in the requesting ad of each attribute of {@link OfferDemands#attributes}. */
    final List<PartialValue> judgedBy = new ArrayList<>();

    /** The tests of the request, once the pool was queried. */
    OfferIndex.@Nullable Plan plan;

    private final EvaluationSite site;
    private final List<String> undecided = new ArrayList<>(0);
    private final List<Object> key = new ArrayList<>();
    private final int hash;

    /**
     * The request of an evaluation site's own link.
     *
     * @param clauses the undecided clauses that depend on this link only
     * @param pool the offers whose constraints apply to the requesting ad
     */
    public Request(EvaluationSite site, List<Clause> clauses, OfferIndex pool) {
        this.site = site;
        this.clauses = clauses;
        for (Clause clause : clauses) {
            key.add(clause.key(clause instanceof Clause.Opaque && pool.hasOpenLists()));
        }
        OfferDemands demands = pool.demands();
        for (int i = 0; i < demands.attributes.size(); i++) {
            String name = demands.attributes.get(i);
            PartialValue term = name.equals(MissingAttribute.WHOLE)
                    ? new PartialValue.Undecided(Set.of(MissingAttribute.whole(site.own())))
                    : site.attribute(demands.references.get(i));
            judgedBy.add(term);
            if (term instanceof PartialValue.Known known) {
                key.add(known.value() instanceof Value.Record ? new Object() : known.value());
            } else {
                key.add(UNDECIDED);
                undecided.add(name);
            }
        }
        this.hash = key.hashCode();
    }

    /** Whether another request can be equal to this one. */
    public boolean isCanonical() {
        return key.stream().noneMatch(part -> part.getClass() == Object.class);
    }

    /** The unknown attributes of the requesting ad on which the constraint of some offer depends. Not to be changed. */
    public List<String> undecidedAttributes() {
        return undecided;
    }

    /** The evaluation site of the requesting side. */
    public EvaluationSite site() {
        return site;
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
