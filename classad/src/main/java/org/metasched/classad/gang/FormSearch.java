package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.gang.Gangmatcher.Marshalled;
import org.metasched.classad.gang.Question.Consequence;
import org.metasched.classad.index.Grouping;
import org.metasched.classad.index.OfferSet;

/**
 * The search for a gang of a {@linkplain RootForm#isSimple simple} root by numbers of offers alone: what each port asks, and what
 * a neighbour means for the other ports, is known from roots of the same form, so nobody is docked and nothing evaluated. The same
 * search as {@link GangSearch}, which takes over where only evaluation tells. Used once, not thread-safe.
 */
final class FormSearch {

    private static final long MOST_BINDINGS = 5_000_000;
    private static final int NOBODY = -1;
    private static final Marshalled NOTHING_LEFT = new Marshalled(Optional.empty(), Effort.NONE, true);

    private final GangPool pool;
    private final RootForm form;
    private final boolean fewestFirst;

    /** For each port the entry that is bound there, and what that means for the others. */
    private final int[] bound;

    private final Consequence[] consequences;

    /** For each open port what it asks now, who answers, and who answered what was asked there last. */
    private final @Nullable Question[] questions;

    private final @Nullable Shortlist[] lists;
    private final @Nullable Shortlist[] askedLast;
    private long probes;
    private long bindings;
    private long backtracks;
    private long evaluations;

    /** How often a member of this gang was missing from the candidates of another port. */
    private long shared;

    private boolean untold;
    private boolean givenUp;

    /**
     * Prepares a search.
     *
     * @param fewestFirst whether the port with the fewest candidates is filled first and what was in vain is not tried again;
     *     else ports are filled in the order of the text
     */
    FormSearch(RootForm form, GangPool pool, boolean fewestFirst) {
        this.pool = pool;
        this.form = form;
        this.fewestFirst = fewestFirst;
        this.bound = new int[form.size()];
        this.consequences = new Consequence[bound.length];
        this.questions = new Question[bound.length];
        this.lists = new Shortlist[bound.length];
        this.askedLast = new Shortlist[bound.length];
        Arrays.fill(bound, NOBODY);
    }

    /** Seeks a gang for a root by numbers as far as that goes, else by putting it together. */
    static Marshalled marshal(PortedAd root, GangPool pool, boolean fewestFirst) {
        RootForm form = pool.formOf(root);
        Effort effort = Effort.NONE;
        if (form.isSimple()) {
            if (fewestFirst && form.isExhausted()) {
                return NOTHING_LEFT;
            }
            var search = new FormSearch(form, pool, fewestFirst);
            Optional<Gang> gang = search.run(root);
            effort = search.effort();
            if (form.isSimple()) {
                return new Marshalled(gang, effort, !search.givenUp);
            }
        }
        PortChoice choice = fewestFirst ? PortChoice.FEWEST_FIRST : PortChoice.LEFT_TO_RIGHT;
        Marshalled byBonds = new GangSearch(root, pool, choice, fewestFirst).run();
        return new Marshalled(byBonds.gang(), byBonds.effort().plus(effort), byBonds.exhaustive());
    }

    /** Seeks a gang; without effect if only evaluation tells, which the form then knows. */
    private Optional<Gang> run(PortedAd root) {
        long before = pool.index().evaluations();
        boolean found = extend(bound.length) && !untold && !givenUp;
        evaluations = pool.index().evaluations() - before;
        for (Shortlist list : askedLast) {
            if (list != null) {
                list.release(null);
            }
        }
        if (untold) {
            form.becomeDifficult();
        } else if (!found && fewestFirst && !givenUp) {
            form.exhaust();
        }
        return found ? Optional.of(gang(root)) : Optional.empty();
    }

    private Effort effort() {
        return new Effort(probes, evaluations, backtracks);
    }

    private Gang gang(PortedAd root) {
        var dockings = new ArrayList<Gang.Docking>(bound.length);
        for (Port port : root.ports()) {
            GangPool.Entry entry = pool.entry(bound[port.index()]);
            var member = new Gang.Member(entry.ad(), entry.number(), entry.dock(), List.of());
            dockings.add(new Gang.Docking(port.label(), port, List.of(member)));
        }
        return new Gang(new Gang.Member(root, NOBODY, NOBODY, dockings));
    }

    /** Goes on with so many ports open; true if the search is over. */
    private boolean extend(int open) {
        if (open == 0) {
            return true;
        }
        int port = fewestFirst ? fewest(open) : leftmost();
        return port < 0 ? untold : bindAny(port, open);
    }

    private int leftmost() {
        int port = 0;
        while (bound[port] != NOBODY) {
            port++;
        }
        Shortlist list = look(port);
        return list != null && ask(port, list) ? port : NOBODY;
    }

    /** The open port with the fewest candidates, or -1 if there is one without any. */
    private int fewest(int open) {
        for (int port = 0; port < bound.length; port++) {
            if (bound[port] == NOBODY) {
                Shortlist list = look(port);
                if (list == null || list.isExhausted()) {
                    return NOBODY;
                }
            }
        }
        int best = NOBODY;
        for (int port = 0; port < bound.length; port++) {
            if (bound[port] == NOBODY) {
                Shortlist list = list(port);
                if (!ask(port, list)) {
                    return NOBODY;
                }
                if (best == NOBODY || open > 1 && isShorter(list, list(best))) {
                    best = port;
                }
            }
        }
        return best;
    }

    private boolean isShorter(Shortlist one, Shortlist other) {
        int mine = countBoundIn(one);
        int others = countBoundIn(other);
        return mine == 0 && others == 0 ? one.isShorterThan(other) : one.count() - mine < other.count() - others;
    }

    /** Who answers what an open port asks now; null if nobody can, or if that cannot be told. */
    private @Nullable Shortlist look(int port) {
        Question question = form.port(port).given(bound);
        questions[port] = question;
        if (question == null) {
            untold = true;
            return null;
        }
        Shortlist list = question.shortlist();
        OfferSet limit = limit(port);
        Shortlist last = askedLast[port];
        if (limit != null) {
            list = last != null && last.isWithin(list, limit) ? last : list.within(limit);
        }
        lists[port] = list;
        return question.isHopeless() ? null : list;
    }

    /** To whom a port is limited by those who are bound already, or null. */
    private @Nullable OfferSet limit(int port) {
        OfferSet limit = null;
        for (int other = 0; other < bound.length; other++) {
            OfferSet one = bound[other] == NOBODY ? null : consequences[other].limit(port);
            if (one != null && limit != null) {
                one = one.copy();
                one.retainAll(limit);
            }
            limit = one == null ? limit : one;
        }
        return limit;
    }

    /** Asks the index who may come to a port, or how many; what a port asked last it is not asked again. False if nobody may. */
    private boolean ask(int port, Shortlist list) {
        Shortlist last = askedLast[port];
        if (last != list) {
            if (last != null) {
                last.release(list);
            }
            askedLast[port] = list;
            probes++;
        }
        if (list.first() < 0) {
            return false;
        }
        int mine = countBoundIn(list);
        shared += mine;
        return mine == 0 || list.count() > mine;
    }

    private int countBoundIn(Shortlist list) {
        int count = 0;
        for (int entry : bound) {
            count += entry != NOBODY && list.contains(entry) ? 1 : 0;
        }
        return count;
    }

    private boolean isBound(int entry) {
        for (int other : bound) {
            if (other == entry) {
                return true;
            }
        }
        return false;
    }

    private boolean bindAny(int port, int open) {
        Shortlist list = list(port);
        Question question = question(port);
        boolean firstToBeFilled = fewestFirst && open == bound.length;
        BitSet spent = firstToBeFilled ? form.spent(port) : null;
        Grouping alike = spent == null ? null : form.alike(port);
        int[] order = form.port(port).order();
        int place = firstToBeFilled ? form.cursor(port) : 0;
        boolean nobodyBefore = firstToBeFilled;
        for (place = next(list, order, place); place >= 0; place = next(list, order, place + 1)) {
            int entry = order == null ? place : order[place];
            if (isBound(entry) || spent != null && alike != null && spent.get(alike.groupOf(entry))) {
                continue;
            }
            if (nobodyBefore) {
                form.moveCursor(port, place);
            }
            long sharedBefore = shared;
            if (bind(port, question, entry, open)) {
                return true;
            }
            // Others that are alike share its fate only if it was the rest of the gang that failed, and not for want of
            // this very offer.
            if (fewestFirst && shared == sharedBefore) {
                alike = form.alike(port);
                spent = alike == null ? null : spend(firstToBeFilled, spent, port, alike.groupOf(entry));
            } else {
                nobodyBefore = false;
            }
        }
        return false;
    }

    /** The place of the next candidate to be had, in the order in which a port likes them; -1 if there is none. */
    private int next(Shortlist list, int @Nullable [] order, int from) {
        if (order == null) {
            return list.next(Math.max(from, list.first()));
        }
        OfferSet free = pool.free();
        for (int place = from; place < order.length; place++) {
            if (free.contains(order[place]) && list.contains(order[place])) {
                return place;
            }
        }
        return NOBODY;
    }

    private BitSet spend(boolean forGood, @Nullable BitSet spent, int port, int group) {
        if (forGood) {
            return form.spend(port, group);
        }
        BitSet groups = spent == null ? new BitSet() : spent;
        groups.set(group);
        return groups;
    }

    /** Binds an entry and goes on; true if the search is over. */
    private boolean bind(int port, Question question, int entry, int open) {
        if (++bindings > MOST_BINDINGS) {
            givenUp = true;
            return true;
        }
        Consequence consequence = pool.hasMorePorts(entry)
                        || question.shortlist().candidates().unsure().contains(entry)
                ? Consequence.UNTOLD
                : form.port(port).consequence(question, entry, bound);
        if (consequence == Consequence.UNTOLD) {
            untold = true;
            return true;
        }
        if (consequence != Consequence.MISFIT) {
            bound[port] = entry;
            consequences[port] = consequence;
            if (extend(open - 1)) {
                return true;
            }
            bound[port] = NOBODY;
        }
        backtracks++;
        return false;
    }

    private Question question(int port) {
        Question question = questions[port];
        if (question == null) {
            throw new IllegalStateException("Port " + port + " was not looked at.");
        }
        return question;
    }

    private Shortlist list(int port) {
        Shortlist list = lists[port];
        if (list == null) {
            throw new IllegalStateException("Port " + port + " was not looked at.");
        }
        return list;
    }
}
