package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.match.PoolExplanation;
import org.metasched.classad.match.PoolVerdict;

/**
 * Follows the choices of a root that gets no gang, fewest candidates first as the dynamic matcher does, and notes at which port each
 * of them came to an end. Bounded: it explains, it does not decide. Used once, not thread-safe.
 */
final class DeadEnds {

    static final int MOST_CHOICES = 1_000;
    /** More domains than this are not computed: only a hostile root with many ports has them. */
    private static final int MOST_PROBES = 20_000;

    private static final int MOST_ENDS = 5;
    private static final int MOST_MEMBERS = 100;

    /** An open port and the available values of its domain. */
    private record Open(GangMember.Variable variable, List<Conjunct> pending, OfferSet free) {}

    private final GangPool pool;
    private final OfferSet available;
    private final List<GangMember> members = new ArrayList<>();
    private final Deque<RootExplanation.Bound> path = new ArrayDeque<>();
    private final Map<List<String>, RootExplanation.DeadEnd> ends = new LinkedHashMap<>();
    private int choices;
    private int probes;
    private boolean givenUp;

    DeadEnds(PortedAd root, GangPool pool) {
        this.pool = pool;
        this.available = pool.free().copy();
        members.add(new GangMember(root));
        extend(List.of());
    }

    /** Whether all choices were followed. */
    boolean exhaustive() {
        return !givenUp;
    }

    List<RootExplanation.DeadEnd> mostFrequentFirst() {
        return ends.values().stream()
                .sorted(Comparator.comparingInt(RootExplanation.DeadEnd::times).reversed())
                .limit(MOST_ENDS)
                .toList();
    }

    static String list(List<RootExplanation.Bound> given) {
        return given.isEmpty()
                ? "no port bound"
                : given.stream().map(bound -> bound.port() + " = " + bound.ad()).collect(Collectors.joining(", "));
    }

    private void extend(List<Conjunct> pending) {
        Open fewest = null;
        for (GangMember.Variable variable : GangMember.open(members).toList()) {
            Open open = open(variable, pending);
            if (open.free().isEmpty() && !variable.mayClose()) {
                end(open);
                return;
            }
            if (fewest == null || open.free().count() < fewest.free().count()) {
                fewest = open;
            }
        }
        if (fewest != null) {
            bind(fewest, pending);
        }
    }

    private Open open(GangMember.Variable variable, List<Conjunct> pending) {
        givenUp |= ++probes > MOST_PROBES;
        ResidualConstraint residual = ResidualConstraint.of(variable, pending, pool.index);
        OfferSet free = residual.unsatisfiable()
                ? OfferSet.none(pool.entries())
                : pool.index.domain(residual.request()).offers().copy();
        free.retainAll(available);
        return new Open(variable, pending, free);
    }

    private void bind(Open open, List<Conjunct> pending) {
        GangMember.Variable variable = open.variable();
        boolean any = false;
        int last = variable.lastEntry();
        for (int entry = open.free().next(last + 1);
                entry >= 0 && !givenUp;
                entry = open.free().next(entry + 1)) {
            givenUp |= ++choices > MOST_CHOICES || members.size() >= MOST_MEMBERS;
            any |= !givenUp && tryOne(open, entry, pending);
        }
        if (!any && !variable.mayClose() && !givenUp) {
            end(open);
        }
        if (variable.mayClose() && !givenUp) {
            variable.close();
            extend(pending);
            variable.reopen();
        }
    }

    /** Whether an offer may dock; then goes on from there. */
    private boolean tryOne(Open open, int entry, List<Conjunct> pending) {
        GangMember.Variable variable = open.variable();
        GangMember member = pool.newMember(entry);
        String port = name(variable);
        EvaluationSite place = variable.openPlace();
        variable.dock(member);
        List<Conjunct> left = EvaluatedDomains.check(place, member.dockPlace(), pending);
        if (left != null) {
            members.add(member);
            pool.entriesOf(member.number, available::remove);
            path.addLast(new RootExplanation.Bound(port, pool.nameOf(member.number)));
            extend(left);
            path.removeLast();
            pool.entriesOf(member.number, available::add);
            members.remove(members.size() - 1);
        }
        variable.undock();
        return left != null;
    }

    private void end(Open open) {
        var key = new ArrayList<String>();
        key.add(name(open.variable()));
        path.forEach(bound -> key.add(bound.port()));
        var known = ends.get(key);
        ends.put(
                key,
                known == null
                        ? new RootExplanation.DeadEnd(key.get(0), List.copyOf(path), 1, verdict(open))
                        : new RootExplanation.DeadEnd(known.port(), known.given(), known.times() + 1, known.verdict()));
    }

    private PoolVerdict verdict(Open open) {
        return PoolExplanation.of(open.variable().openPlace(), open.pending(), pool.index, available, pool::adOf)
                .verdict();
    }

    private String name(GangMember.Variable variable) {
        GangMember member = variable.member();
        return member.number < 0 ? variable.port.label() : variable.port.label() + " of " + pool.nameOf(member.number);
    }
}
