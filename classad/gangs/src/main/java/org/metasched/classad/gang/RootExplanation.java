package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.match.PoolExplanation;
import org.metasched.classad.match.PoolVerdict;

/**
 * The explanation why a root gets no gang from a pool: each port by itself, and, if every port has candidates, the ports at which choices
 * of them fail.
 *
 * @param reasons the reasons as sentences, in the order of the ports
 * @param ports the finding about each port while all ports are open
 * @param deadEnds the ports that run out of candidates once others are bound, the most frequent first
 */
public record RootExplanation(List<String> reasons, List<PortFinding> ports, List<DeadEnd> deadEnds) {

    /**
     * The finding about one port by itself.
     *
     * @param label the label of the port
     * @param least the least number of neighbours that it needs
     * @param verdict counts over all offers of the pool, available or not
     * @param available number of matching offers that are available in this cycle
     */
    public record PortFinding(String label, int least, PoolVerdict verdict, int available) {}

    /** The name of an ad that was tried at a port, and the label of the port. */
    public record Bound(String port, String ad) {}

    /**
     * A port whose domain is empty once others are bound.
     *
     * @param port the label of the port; with the offer's name for a port of an offer
     * @param given the first choice of neighbours that ended here
     * @param times the number of choices of neighbours for the same other ports that ended here
     * @param verdict the counts after that choice, over available offers that are not in the gang
     */
    public record DeadEnd(String port, List<Bound> given, int times, PoolVerdict verdict) {
        public DeadEnd {
            given = List.copyOf(given);
        }
    }

    public RootExplanation {
        reasons = List.copyOf(reasons);
        ports = List.copyOf(ports);
        deadEnds = List.copyOf(deadEnds);
    }

    /** Explains a root that got no gang from a pool as it is now. */
    public static RootExplanation of(PortedAd root, GangPool pool) {
        return new Explaining(root, pool, new ArrayList<>(), new ArrayList<>()).explain();
    }

    /** The making of one explanation. */
    private record Explaining(PortedAd root, GangPool pool, List<String> reasons, List<PortFinding> ports) {

        RootExplanation explain() {
            for (GangMember.Variable variable : new GangMember(root).variables) {
                noteLaterLabels(variable.port);
                ports.add(port(variable));
            }
            boolean eachAlone = ports.stream().noneMatch(port -> port.verdict().matching() < port.least());
            return new RootExplanation(reasons, ports, eachAlone ? noteTogether() : List.of());
        }

        /** The finding about a port; adds its reasons. */
        private PortFinding port(GangMember.Variable variable) {
            Port port = variable.port;
            OfferSet all = OfferSet.all(pool.index.size());
            var explanation = new PoolExplanation(variable.openSite(), List.of(), pool.index, all, pool::adOf);
            PoolVerdict verdict = explanation.verdict();
            OfferSet free = explanation.matching();
            free.retainAll(pool.free());
            var finding = new PortFinding(port.label(), port.least(), verdict, free.countAds(pool::adOf));
            reasons.addAll(verdict.notes());
            if (port.side().constraint() != null) {
                reasons.add(sentence(finding));
                noteCauses(finding);
            }
            return finding;
        }

        /** The counts of a port as a sentence. */
        private static String sentence(PortFinding port) {
            PoolVerdict verdict = port.verdict();
            int taken = verdict.matching() - port.available();
            return "Port " + port.label() + ": " + verdict.matching() + " of " + verdict.offers() + " offers may dock"
                    + (verdict.waiting().isEmpty() ? "" : " until clauses that also need other ports are read")
                    + (taken == 0 ? "" : "; others before took " + (port.available() == 0 ? "all" : taken) + " of them")
                    + (port.least() > 1 ? "; it needs " + port.least() : "") + ".";
        }

        /** Collects the causes that leave a port without candidates by themselves. */
        private void noteCauses(PortFinding port) {
            PoolVerdict verdict = port.verdict();
            for (PoolVerdict.Clause clause : verdict.clauses()) {
                if (clause.neverMet()) {
                    reasons.add("Port " + port.label() + ": nothing in the pool can ever satisfy " + clause.expression()
                            + clause.inPool().map(text -> "; " + text).orElse("")
                            + (clause.sees().isEmpty() ? "." : "; " + clause.sees() + "."));
                }
            }
            String among = verdict.meetingConstraint() == 0 ? "" : " of " + verdict.meetingConstraint() + " acceptable";
            if (verdict.matching() == 0) {
                for (PoolVerdict.Refusal refusal : verdict.refusals()) {
                    boolean isSingle = refusal.offers() == 1 && among.isEmpty();
                    reasons.add("Port " + port.label() + ": " + refusal.offers() + among
                            + (isSingle ? " offer refuses" : " offers refuse") + " the root by " + refusal.expression()
                            + (refusal.because().isEmpty() ? "." : ": " + refusal.because() + "."));
                }
            }
        }

        /** Notes the reasons why no choice of candidates fits together; returns the dead ends. */
        private List<DeadEnd> noteTogether() {
            boolean alone = pool.whenAllAreFree(
                    () -> new DynamicGangmatcher().marshal(root, pool).gang().isPresent());
            if (alone) {
                reasons.add("Alone it would get a gang: others before it took what it needs.");
                boolean eachLeft = ports.stream().noneMatch(port -> port.available() < port.least());
                return eachLeft ? noteDeadEnds() : List.of();
            }
            reasons.add("Every port has candidates, but no choice of them fits together.");
            return pool.whenAllAreFree(this::noteDeadEnds);
        }

        /** Notes the dead ends of the root among the available ads; returns them. */
        private List<DeadEnd> noteDeadEnds() {
            var followed = new DeadEnds(root, pool);
            List<DeadEnd> ends = followed.mostFrequentFirst();
            for (DeadEnd end : ends) {
                reasons.add("With " + DeadEnds.list(end.given()) + " no candidate is left for port " + end.port() + "; "
                        + end.times() + (end.times() == 1 ? " choice ends" : " choices end") + " there.");
            }
            if (followed.givenUp) {
                reasons.add("Not all choices were followed: after " + DeadEnds.MOST_CHOICES
                        + ", or earlier if ports are many, the search for reasons stops.");
            }
            return ends;
        }

        /** Notes labels that a port uses before their own port: there they are UNDEFINED, which is seldom intended. */
        private void noteLaterLabels(Port port) {
            ClassAd inner = port.side().port();
            if (inner == null) {
                return;
            }
            Set<String> used = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            for (Expr expr : inner.expressions()) {
                used.addAll(expr.names());
            }
            for (Port later :
                    root.ports().subList(port.index() + 1, root.ports().size())) {
                boolean attribute = inner.has(later.label()) || root.ad().has(later.label());
                if (used.contains(later.label()) && !attribute) {
                    reasons.add("Port " + port.label() + " refers to label " + later.label()
                            + ", which is declared later; there it is UNDEFINED.");
                }
            }
        }
    }
}
