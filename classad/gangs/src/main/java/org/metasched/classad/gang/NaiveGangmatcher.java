package org.metasched.classad.gang;

import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Ranking;

/**
 * Tries every offer at every port, in the order of the text, and evaluates both constraints: the definition, made to run. The
 * oracle of the other algorithms; its effort grows with the product of candidates.
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
            if (!variable.mayClose()) {
                return false;
            }
            variable.close();
            boolean over = extend();
            variable.reopen();
            return over;
        }

        private boolean bindAny(GangMember.Variable variable) {
            Ranking ranking = Ranking.of(pool.index(), variable.openPlace());
            OfferSet free = pool.free();
            if (ranking == null) {
                for (int entry = free.next(variable.lastEntry() + 1); entry >= 0; entry = free.next(entry + 1)) {
                    if (tryOne(variable, entry)) {
                        return true;
                    }
                }
                return false;
            }
            OfferSet passing = OfferSet.none(pool.entries());
            free.forEach(entry -> {
                if (!taken[pool.entry(entry).number()] && accepts(variable, entry)) {
                    passing.add(entry);
                }
            });
            for (int entry : EvaluatedDomains.ranked(ranking, passing, variable.lastEntry())) {
                if (tryOne(variable, entry)) {
                    return true;
                }
            }
            return false;
        }

        private boolean accepts(GangMember.Variable variable, int entry) {
            GangPool.Entry offer = pool.entry(entry);
            GangMember member = pool.memberOf(entry);
            variable.dock(member, entry);
            boolean accepted = holds(variable, offer);
            variable.undock();
            return accepted;
        }

        /** The constraint of an offer with further ports is decided only when these are bound, too. */
        private boolean holds(GangMember.Variable variable, GangPool.Entry offer) {
            return offer.ad().ports().size() > 1 || holds(variable.places().get(variable.filled() - 1));
        }

        private boolean tryOne(GangMember.Variable variable, int entry) {
            GangPool.Entry offer = pool.entry(entry);
            if (taken[offer.number()]) {
                return false;
            }
            GangMember member = pool.memberOf(entry);
            variable.dock(member, entry);
            boolean over = false;
            if (holds(variable, offer)) {
                found.members.add(member);
                taken[offer.number()] = true;
                over = extend();
                taken[offer.number()] = false;
                found.members.remove(found.members.size() - 1);
                backtracks += over ? 0 : 1;
            }
            variable.undock();
            return over;
        }

        /** One two-sided check. */
        private boolean holds(EvaluationSite place) {
            evaluations++;
            return isMutual(place);
        }

        private boolean complete() {
            for (GangMember member : found.members) {
                for (GangMember.Variable variable : member.variables()) {
                    if (!variable.isAnswer() && !variable.places().stream().allMatch(this::isMutual)) {
                        return false;
                    }
                }
            }
            return found.isEnough();
        }

        private boolean isMutual(EvaluationSite place) {
            EvaluationSite other = place.own().peer();
            return other != null && place.isSatisfied() && other.isSatisfied();
        }
    }
}
