package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.Request;

/**
 * The part of a gang's constraints that remains for an open port under a partial binding.
 *
 * @param variable the port
 * @param request its request to the index: its own clauses and those passed on here from other ports
 * @param passedOn the clauses that also depend on another open port
 * @param unsatisfiable whether some clause is false for every offer
 */
record ResidualConstraint(
        GangMember.Variable variable, Request request, List<Conjunct> passedOn, boolean unsatisfiable) {

    /** The residual constraint of a port with the links as they are and the undecided clauses of other ports. */
    static ResidualConstraint of(GangMember.Variable variable, List<Conjunct> pending, OfferIndex index) {
        EvaluationSite site = variable.openSite();
        var here = new ArrayList<Clause>();
        var passedOn = new ArrayList<Conjunct>();
        BiConsumer<Conjunct, Clause> sort = (conjunct, clause) -> {
            if (clause.missing().stream().allMatch(wanted -> wanted.link() == site.own())) {
                here.add(clause);
            } else {
                passedOn.add(conjunct);
            }
        };
        boolean possible = eachUndecided(site.conjuncts(), sort) && eachUndecided(pending, sort);
        return new ResidualConstraint(variable, new Request(site, here, index), passedOn, !possible);
    }

    /** Reads conjuncts up to the first that is false, and runs the action for each that is undecided; returns whether none was false. */
    static boolean eachUndecided(List<Conjunct> conjuncts, BiConsumer<Conjunct, Clause> action) {
        for (Conjunct conjunct : conjuncts) {
            Clause clause = conjunct.read();
            if (clause == Clause.Decided.NOT_MET) {
                return false;
            }
            if (clause != Clause.Decided.MET) {
                action.accept(conjunct, clause);
            }
        }
        return true;
    }
}
