package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.OfferSet;

/**
 * The supports of one root's values by docking them, for roots that the indexes do not decide ({@link Supports} keeps the result). Not
 * thread-safe.
 */
final class EvaluatedSupports {

    private final GangPool pool;
    private final GangMember root;
    private final List<ResidualConstraint> residuals;
    private boolean exact = true;
    private long probes;
    private long evaluations;

    EvaluatedSupports(PortedAd ad, GangPool pool) {
        this.pool = pool;
        this.root = new GangMember(ad, -1, -1);
        this.residuals = root.variables().stream()
                .map(variable -> ResidualConstraint.of(variable, List.of(), pool.index()))
                .toList();
    }

    /** Whether the indexes and checks decided everything so far. */
    boolean isExact() {
        return exact;
    }

    SearchEffort effort() {
        return new SearchEffort(probes, evaluations, 0);
    }

    /** The domain of a port while the other is open. */
    OfferSet domain(int port) {
        return residuals.stream().anyMatch(ResidualConstraint::unsatisfiable)
                ? OfferSet.none(pool.entries())
                : consistent(residuals.get(port), List.of());
    }

    /** The classes of a port's values that are interchangeable; null if any two may differ. */
    @Nullable
    EquivalenceClasses interchangeable(int port) {
        return new Interchangeability(pool, List.of(root), residuals.get(port), null).classes();
    }

    /** The available values of a domain; values that the index does not decide are docked and checked. */
    private OfferSet consistent(ResidualConstraint residual, List<EvaluationSite.Conjunct> pending) {
        probes++;
        Domain domain = pool.index().domain(residual.request());
        OfferSet offers = domain.offers().copy();
        offers.retainAll(pool.free());
        exact &= !offers.intersects(pool.entriesWithMorePorts());
        for (int entry = offers.next(0); entry >= 0; entry = offers.next(entry + 1)) {
            if (domain.mustCheck(entry) && !passes(residual, entry, pending)) {
                offers.remove(entry);
            }
        }
        return offers;
    }

    private boolean passes(ResidualConstraint residual, int entry, List<EvaluationSite.Conjunct> pending) {
        evaluations++;
        EvaluationSite place = residual.variable().openPlace();
        GangMember member = dock(residual, entry);
        var all = new ArrayList<>(pending);
        all.addAll(place.conjuncts());
        all.addAll(member.dockPlace().conjuncts());
        boolean passes = all.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
        residual.variable().undock();
        return passes;
    }

    private GangMember dock(ResidualConstraint residual, int entry) {
        GangMember member = pool.newMember(entry);
        residual.variable().dock(member, entry);
        return member;
    }

    /** The domain of a second port once an entry is bound to the first. */
    OfferSet support(int firstPort, int entry, int secondPort) {
        ResidualConstraint first = residuals.get(firstPort);
        GangMember member = dock(first, entry);
        var pending = new ArrayList<>(first.shunted());
        for (EvaluationSite.Conjunct conjunct : member.dockPlace().conjuncts()) {
            if (conjunct.read() != Clause.Decided.MET) {
                pending.add(conjunct);
            }
        }
        ResidualConstraint second = ResidualConstraint.of(root.variables().get(secondPort), pending, pool.index());
        exact &= second.shunted().isEmpty();
        OfferSet offers = second.unsatisfiable() ? OfferSet.none(pool.entries()) : consistent(second, pending);
        first.variable().undock();
        return offers;
    }
}
