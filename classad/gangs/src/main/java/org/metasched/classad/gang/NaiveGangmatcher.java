package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Ranking;

/**
 * Tries every offer at every port, in the order of the text, and evaluates both constraints: the definition, made to run. The
 * oracle of the other algorithms; its effort grows with the product of candidates.
 */
public final class NaiveGangmatcher implements Gangmatcher {

    private static final int MOST_MEMBERS = 1_000;
    private static final int MOST_COMPLETE_GANGS = 10_000;

    @Override
    public Marshalled marshal(PortedAd root, GangPool pool) {
        return new Search(root, pool).run();
    }

    private static final class Search {

        private final GangPool pool;
        private final List<Member> members = new ArrayList<>();
        private final boolean[] taken;
        private final @Nullable Expr gangRank;
        private long evaluations;
        private long backtracks;
        private int complete;
        private boolean givenUp;
        private Gang.@Nullable Member best;
        private double bestRank;

        Search(PortedAd root, GangPool pool) {
            this.pool = pool;
            this.taken = new boolean[pool.size()];
            this.gangRank = root.ad().lookup("GangRank").orElse(null);
            members.add(new Member(root, -1, -1));
        }

        Marshalled run() {
            extend();
            Gang.Member found = best;
            return new Marshalled(
                    found == null ? Optional.empty() : Optional.of(new Gang(found)),
                    new Effort(0, evaluations, backtracks),
                    !givenUp);
        }

        private Member.@Nullable Variable nextOpen() {
            for (int i = members.size() - 1; i >= 0; i--) {
                for (Member.Variable variable : members.get(i).variables()) {
                    if (variable.isOpen()) {
                        return variable;
                    }
                }
            }
            return null;
        }

        private boolean extend() {
            Member.Variable variable = nextOpen();
            if (variable == null) {
                return complete();
            }
            if (members.size() >= MOST_MEMBERS) {
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

        private boolean bindAny(Member.Variable variable) {
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

        private boolean accepts(Member.Variable variable, int entry) {
            GangPool.Entry offer = pool.entry(entry);
            Member member = pool.memberOf(entry);
            variable.dock(member, member.dockPlace(), entry);
            boolean accepted =
                    offer.ad().ports().size() > 1 || holds(variable.places().get(variable.filled() - 1));
            variable.undock();
            return accepted;
        }

        private boolean tryOne(Member.Variable variable, int entry) {
            GangPool.Entry offer = pool.entry(entry);
            if (taken[offer.number()]) {
                return false;
            }
            Member member = pool.memberOf(entry);
            variable.dock(member, member.dockPlace(), entry);
            boolean over = false;
            // The constraint of an offer with further ports is decided only when these are bound, too.
            if (offer.ad().ports().size() > 1 || holds(variable.places().get(variable.filled() - 1))) {
                members.add(member);
                taken[offer.number()] = true;
                over = extend();
                taken[offer.number()] = false;
                members.remove(members.size() - 1);
                backtracks += over ? 0 : 1;
            }
            variable.undock();
            return over;
        }

        /** One two-sided check. */
        private boolean holds(Place place) {
            evaluations++;
            Place other = place.own().peer();
            return other != null && place.isSatisfied() && other.isSatisfied();
        }

        private boolean complete() {
            for (Member member : members) {
                for (Member.Variable variable : member.variables()) {
                    if (!variable.isAnswer() && !variable.places().stream().allMatch(this::isMutual)) {
                        return false;
                    }
                }
            }
            Member root = members.get(0);
            if (gangRank == null) {
                best = root.toGang();
                return true;
            }
            double rank = root.overview().evaluate(gangRank).rank();
            if (best == null || rank > bestRank) {
                best = root.toGang();
                bestRank = rank;
            }
            givenUp = ++complete >= MOST_COMPLETE_GANGS;
            return givenUp;
        }

        private boolean isMutual(Place place) {
            Place other = place.own().peer();
            return other != null && place.isSatisfied() && other.isSatisfied();
        }
    }
}
