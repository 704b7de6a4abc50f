package org.metasched.classad.gang;

import java.util.stream.IntStream;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Ranking;

/**
 * The search that tries every offer at every port: ports in the order of the text, offers by rank and then in the order of the pool. It
 * evaluates both constraints, as gang matching is defined, and serves as the oracle of tests of the other algorithms. Its effort grows with
 * the product of the numbers of candidates.
 */
public final class NaiveGangmatcher implements Gangmatcher {

    @Override
    public Marshalled marshal(PortedAd root, GangPool pool) {
        return new Search(root, pool).run();
    }

    private static final class Search {

        private final GangPool pool;
        private final BestGang found;
        private final boolean[] taken;
        private long evaluations;
        private long backtracks;
        private boolean givenUp;

        Search(PortedAd root, GangPool pool) {
            this.pool = pool;
            this.taken = new boolean[pool.size()];
            this.found = new BestGang(root);
        }

        Marshalled run() {
            extend();
            return new Marshalled(
                    found.gang(), new SearchEffort(0, evaluations, backtracks), !givenUp && !found.isCutShort());
        }

        private boolean extend() {
            GangMember.Variable variable = found.firstOpen();
            if (variable == null) {
                return complete();
            }
            if (found.members.size() > BestGang.MOST_MEMBERS) {
                givenUp = true;
                return true;
            }
            if (bindAny(variable)) {
                return true;
            }
            if (!variable.close()) {
                return false;
            }
            boolean over = extend();
            variable.reopen();
            return over;
        }

        private boolean bindAny(GangMember.Variable variable) {
            Ranking ranking = Ranking.of(pool.index, variable.openSite());
            OfferSet free = pool.free();
            int last = variable.lastEntry();
            int[] entries = ranking == null
                    ? IntStream.iterate(free.next(last + 1), entry -> entry >= 0, entry -> free.next(entry + 1))
                            .toArray()
                    : EvaluatedDomains.ranked(ranking, free, last);
            for (int entry : entries) {
                if (tryOne(variable, entry)) {
                    return true;
                }
            }
            return false;
        }

        private boolean tryOne(GangMember.Variable variable, int entry) {
            GangMember member = pool.memberOf(entry);
            if (taken[member.number]) {
                return false;
            }
            EvaluationSite site = variable.openSite();
            variable.dock(member);
            boolean over = false;
            // The constraint of an offer with further ports is decided only when these are bound, too.
            if (pool.morePorts.contains(entry) || isMutual(site)) {
                found.members.add(member);
                taken[member.number] = true;
                over = extend();
                taken[member.number] = false;
                found.members.remove(found.members.size() - 1);
                backtracks += over ? 0 : 1;
            }
            variable.undock();
            return over;
        }

        private boolean complete() {
            return found.members.stream()
                            .flatMap(member -> member.variables.stream())
                            .filter(variable -> !variable.isAnswer())
                            .flatMap(variable -> variable.sites.stream())
                            .allMatch(this::isMutual)
                    && found.keepIfBest();
        }

        /** One two-sided check. */
        private boolean isMutual(EvaluationSite site) {
            evaluations++;
            EvaluationSite other = site.own().peer();
            return other != null && site.isSatisfied() && other.isSatisfied();
        }
    }
}
