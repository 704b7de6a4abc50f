package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The dead ends of a root that gets no gang: its choices are followed, the port with the fewest candidates first as in the dynamic matcher,
 * and the port at which each choice fails is recorded. The search is bounded, since it only explains. Used once, not thread-safe.
 */
final class DeadEnds {

    /** The most values that are bound. */
    static final int MOST_CHOICES = 1_000;
    /** The most domains that are computed: only a hostile root with many ports needs more. */
    private static final int MOST_PROBES = 20_000;

    /** The most dead ends in the result. */
    private static final int MOST_ENDS = 5;
    /** The most members of a partial gang that are followed. */
    private static final int MOST_MEMBERS = 100;

    private final GangPool pool;
    private final EvaluatedDomains domains;
    private final Deque<RootExplanation.Bound> path = new ArrayDeque<>();
    private final Map<List<String>, RootExplanation.DeadEnd> ends = new LinkedHashMap<>();
    private int choices;
    private int probes;
    /** Whether some choices were not followed. */
    boolean givenUp;

    DeadEnds(PortedAd root, GangPool pool) {
        this.pool = pool;
        this.domains = new EvaluatedDomains(root, pool, false);
        extend();
    }

    /** The dead ends at which most choices ended, at most {@value #MOST_ENDS}. */
    List<RootExplanation.DeadEnd> mostFrequentFirst() {
        return ends.values().stream()
                .sorted(Comparator.comparingInt(RootExplanation.DeadEnd::times).reversed())
                .limit(MOST_ENDS)
                .toList();
    }

    /** The ports that are bound and their ads, as text. */
    static String list(List<RootExplanation.Bound> given) {
        return given.isEmpty()
                ? "no port bound"
                : given.stream().map(bound -> bound.port() + " = " + bound.ad()).collect(Collectors.joining(", "));
    }

    private void extend() {
        EvaluatedDomains.PortValues fewest = null;
        for (GangMember.Variable variable :
                GangMember.open(domains.found.members).toList()) {
            givenUp |= ++probes > MOST_PROBES;
            EvaluatedDomains.PortValues values = domains.unranked(variable);
            if (values.untried.isEmpty() && !variable.mayClose()) {
                end(variable);
                return;
            }
            if (fewest == null || values.untried.count() < fewest.untried.count()) {
                fewest = values;
            }
        }
        if (fewest != null) {
            bind(fewest);
        }
    }

    private void bind(EvaluatedDomains.PortValues values) {
        String port = name(values.variable);
        boolean any = false;
        for (int entry = values.next(); entry >= 0 && !givenUp; entry = values.next()) {
            givenUp |= ++choices > MOST_CHOICES || domains.found.members.size() >= MOST_MEMBERS;
            if (!givenUp && values.bind(entry) == PortDomains.Outcome.CONSISTENT) {
                any = true;
                path.addLast(new RootExplanation.Bound(port, pool.nameOf(pool.adOf(entry))));
                extend();
                path.removeLast();
                values.unbind();
            }
        }
        if (!any && !values.variable.mayClose() && !givenUp) {
            end(values.variable);
        }
        if (!givenUp && values.close()) {
            extend();
            values.reopen();
        }
    }

    private void end(GangMember.Variable variable) {
        var key = new ArrayList<String>();
        key.add(name(variable));
        path.forEach(bound -> key.add(bound.port()));
        ends.compute(
                key,
                (same, known) -> known == null
                        ? new RootExplanation.DeadEnd(key.get(0), List.copyOf(path), 1, domains.verdict(variable))
                        : new RootExplanation.DeadEnd(known.port(), known.given(), known.times() + 1, known.verdict()));
    }

    private String name(GangMember.Variable variable) {
        GangMember member = variable.member();
        return member.number < 0 ? variable.port.label() : variable.port.label() + " of " + pool.nameOf(member.number);
    }
}
