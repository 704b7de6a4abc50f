package org.metasched.classad.gang;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.MissingAttribute;
import org.metasched.classad.index.OfferSet;

/**
 * The interchangeable values of a port under a partial binding (Freuder 1991): offers that agree in every attribute on which other
 * open ports, the offers of their domains and the preference among gangs depend, and whose own undecided clauses are the same. If
 * one of them fails, all fail. Belongs to one step of a search.
 */
final class Interchangeability {

    private final GangPool pool;
    private final List<GangMember> members;
    private final ResidualConstraint residual;
    private final @Nullable Expr gangRank;
    private boolean known;
    private @Nullable EquivalenceClasses classes;

    Interchangeability(GangPool pool, List<GangMember> members, ResidualConstraint residual, @Nullable Expr gangRank) {
        this.pool = pool;
        this.members = members;
        this.residual = residual;
        this.gangRank = gangRank;
    }

    /** Removes from a set the values interchangeable with an entry. */
    void remove(int entry, OfferSet from) {
        // An offer with further ports may differ in them from all others.
        EquivalenceClasses known = classes();
        if (known != null && pool.entry(entry).ad().ports().size() == 1) {
            from.removeAll(known.members(known.classOf(entry)));
        }
    }

    /** The classes of interchangeable values, or null if any two values may differ. */
    @Nullable
    EquivalenceClasses classes() {
        if (!known) {
            known = true;
            // An offer's demand on an attribute of the port that is not known yet still counts.
            classes = pool.index.classes(
                    significantAttributes(), residual.request().undecidedAttributes());
        }
        return classes;
    }

    /** Attributes of the coming neighbour on which another part of the gang depends. */
    private Set<String> significantAttributes() {
        var wanted = new HashSet<MissingAttribute>();
        EvaluationSite here = residual.variable().openPlace();
        for (Conjunct conjunct : residual.shunted()) {
            wanted.addAll(conjunct.read().missing());
        }
        GangMember.open(members)
                .filter(variable -> variable != residual.variable())
                .forEach(variable -> {
                    EvaluationSite place = variable.openPlace();
                    place.conjuncts()
                            .forEach(conjunct -> wanted.addAll(conjunct.read().missing()));
                    pool.index
                            .demandedAttributes()
                            .forEach(attribute ->
                                    wanted.addAll(place.attribute(attribute).missing()));
                });
        if (gangRank != null) {
            wanted.addAll(members.get(0).overview().missingFor(gangRank));
        }
        var attributes = new HashSet<String>();
        wanted.stream().filter(w -> w.bond() == here.own()).forEach(w -> attributes.add(w.attribute()));
        return attributes;
    }
}
