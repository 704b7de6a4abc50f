package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.gang.Question.Consequence;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Grouping;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Ranking;
import org.metasched.classad.index.Wanted;

/**
 * A port of a root as far as it makes a difference: ports of one form ask the same, whatever their roots are called and whatever
 * their other ports say. What it asks depends on the other ports' neighbours only by the attributes it looks at, so it is read
 * once for each combination of their values, from the first root that has such a port.
 *
 * <p>Belongs to a pool; not thread-safe.
 */
final class PortForm {

    /** An attribute of the neighbour of another port, and the number of its value for each entry, negative if it cannot be told. */
    private record Look(int port, String attribute, int[] codes) {}

    private static final int OPEN = -1;

    /** More combinations of values than this are not remembered. */
    private static final int MOST_QUESTIONS = 1 << 14;

    private final GangPool pool;
    private final Member.Slots slots;
    private final Question first;
    private final List<Look> looks = new ArrayList<>();

    /** The only look, if there is just one. */
    private final @Nullable Look onlyLook;

    private final boolean told;
    private final boolean choosy;
    private final int @Nullable [] order;

    /** By the number of the value that is looked at, or by a list of such numbers. */
    private final Map<Object, Question> questions = new HashMap<>();

    private int users;

    /** The form of a port, read from a root whose ports are all open. */
    PortForm(GangPool pool, Member.Slots slots) {
        this.pool = pool;
        this.slots = slots;
        this.first = ask();
        this.told = slots.member().slots().stream().noneMatch(other -> other.port.isList()) && findLooks();
        Ranking ranking = Ranking.of(pool.index(), slots.waiting());
        this.order = ranking == null ? null : ranking.order();
        this.choosy = ranking != null && order == null;
        this.onlyLook = looks.size() == 1 ? looks.get(0) : null;
    }

    private Question ask() {
        Ask ask = Ask.of(slots, List.of(), pool.index());
        pool.index().prepare(ask.request());
        Shortlist shortlist = pool.shortlist(ask.request());
        shortlist.expect(users);
        return new Question(ask, shortlist);
    }

    private boolean findLooks() {
        var seen = new HashSet<Wanted>();
        for (Wanted wanted : first.waitsFor()) {
            int port = portOf(wanted);
            if (port < 0 || wanted.isWhole()) {
                return false;
            }
            if (port != slots.port.index() && seen.add(wanted)) {
                looks.add(new Look(port, wanted.attribute(), pool.index().codes(wanted.attribute())));
            }
        }
        return true;
    }

    /** The port of the root whose neighbour is wanted, or -1. */
    private int portOf(Wanted wanted) {
        for (Member.Slots other : slots.member().slots()) {
            if (other.isOpen() && other.waiting().own() == wanted.bond()) {
                return other.port.index();
            }
        }
        return -1;
    }

    /** Says that so many more roots have a port of this form. */
    void expect(int moreRoots) {
        users += moreRoots;
        first.shortlist().expect(moreRoots);
        questions.values().forEach(question -> question.shortlist().expect(moreRoots));
    }

    /** Whether numbers of offers say who may come: one neighbour, and nothing that wants whole ads. */
    boolean isTold() {
        return told;
    }

    /** Whether one neighbour may be liked better than another, and only looking at them all tells which. */
    boolean isChoosy() {
        return choosy;
    }

    /** All entries in the order in which they are liked; null for the order of the pool. Not to be changed. */
    int @Nullable [] order() {
        return order;
    }

    /** What the port asks while every port is open. */
    Question first() {
        return first;
    }

    /** The attributes at which it looks in the neighbour of another port. */
    Set<String> looksAt(int port) {
        var attributes = new HashSet<String>();
        looks.stream().filter(look -> look.port() == port).forEach(look -> attributes.add(look.attribute()));
        return attributes;
    }

    /** Neighbours of another port that are equal in what this one looks at; null if any two may differ. */
    @Nullable
    Grouping groupsLookedAt(int port) {
        return pool.index().grouping(looksAt(port), Set.of());
    }

    /**
     * What the port asks with these neighbours at the other ports.
     *
     * @param bound for each port of the root its entry, or -1
     * @return null if only evaluation tells
     */
    @Nullable
    Question given(int[] bound) {
        Look look = onlyLook;
        if (look == null) {
            return looks.isEmpty() ? first : givenMany(bound);
        }
        int entry = bound[look.port()];
        if (entry < 0) {
            return first;
        }
        int code = look.codes()[entry];
        return code < 0 ? null : known(code, bound);
    }

    private @Nullable Question givenMany(int[] bound) {
        var key = new ArrayList<Integer>(looks.size());
        boolean allOpen = true;
        for (Look look : looks) {
            int entry = bound[look.port()];
            int code = entry < 0 ? OPEN : look.codes()[entry];
            if (entry >= 0 && code < 0) {
                return null;
            }
            allOpen &= entry < 0;
            key.add(code);
        }
        return allOpen ? first : known(key, bound);
    }

    private @Nullable Question known(Object key, int[] bound) {
        Question known = questions.get(key);
        if (known == null) {
            known = read(bound);
            if (known != null && questions.size() < MOST_QUESTIONS) {
                questions.put(key, known);
            }
        }
        return known;
    }

    private @Nullable Question read(int[] bound) {
        List<Member.Slots> docked = dockLookedAt(bound);
        Question question = ask();
        // What has to be evaluated is evaluated while the neighbours are docked.
        boolean answered = !pool.index().mustEvaluate(question.ask().request())
                || question.shortlist().keep();
        docked.forEach(Member.Slots::undock);
        return answered ? question : null;
    }

    /** Docks those neighbours at which this port looks. */
    private List<Member.Slots> dockLookedAt(int[] bound) {
        var docked = new ArrayList<Member.Slots>();
        for (Member.Slots other : slots.member().slots()) {
            int entry = bound[other.port.index()];
            if (entry >= 0 && !looksAt(other.port.index()).isEmpty()) {
                dock(other, entry);
                docked.add(other);
            }
        }
        return docked;
    }

    private Member dock(Member.Slots at, int entry) {
        Member member = pool.memberOf(entry);
        at.dock(member, member.dockPlace(), entry);
        return member;
    }

    /** What a neighbour at this port means for the ports still open. */
    Consequence consequence(Question question, int entry, int[] bound) {
        if (question.isSettledBy(entry)) {
            return Consequence.NONE;
        }
        Grouping groups = question.groups(pool);
        if (groups == null) {
            return Consequence.UNTOLD;
        }
        int group = groups.groupOf(entry);
        Consequence known = question.consequence(group);
        if (known == null) {
            List<Member.Slots> docked = dockLookedAt(bound);
            known = readConsequence(question, dock(slots, entry));
            slots.undock();
            docked.forEach(Member.Slots::undock);
            if (pool.reserve(known.bytes())) {
                question.remember(group, known);
            }
        }
        return known;
    }

    private Consequence readConsequence(Question question, Member neighbour) {
        var conjuncts = new ArrayList<>(question.ask().shunted());
        conjuncts.addAll(neighbour.dockPlace().conjuncts());
        var limits = new OfferSet[slots.member().slots().size()];
        for (Place.Conjunct conjunct : conjuncts) {
            Clause clause = conjunct.read();
            if (clause == Clause.Decided.NOT_MET) {
                return Consequence.MISFIT;
            }
            if (clause != Clause.Decided.MET && !limit(clause, limits)) {
                return Consequence.UNTOLD;
            }
        }
        return new Consequence(limits);
    }

    /** Limits the one port that a clause is about; false if it is about several or its candidates must be looked at one by one. */
    private boolean limit(Clause clause, @Nullable OfferSet[] limits) {
        int port = -1;
        for (Wanted wanted : clause.missing()) {
            int wantedAt = portOf(wanted);
            if (wantedAt < 0 || wanted.isWhole() || port >= 0 && port != wantedAt) {
                return false;
            }
            port = wantedAt;
        }
        OfferSet unsure = OfferSet.none(pool.entries());
        Place place = slots.member().slots().get(port).waiting();
        OfferSet met = pool.index().meeting(place, clause, unsure);
        OfferSet before = limits[port];
        if (before != null) {
            met.retainAll(before);
        }
        limits[port] = met;
        return unsure.isEmpty();
    }
}
