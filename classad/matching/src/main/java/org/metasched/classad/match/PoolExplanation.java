package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.MatchParty;
import org.metasched.classad.index.MissingAttribute;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.PartialValue;
import org.metasched.classad.index.Request;

/**
 * Counts the offers of a pool by the clauses of a customer: of its whole constraint, or of one port's while other ports are open or bound.
 * Each clause is a set of offers, made by the same index that matches, so {@code c} clauses cost {@code O(c²)} passes of n/64 words, plus
 * evaluations where no index applies. A clause that is not decided yet counts as met. Used once, not thread-safe.
 */
public final class PoolExplanation {

    private static final int MOST_CONFLICTS = 10;

    private final OfferIndex pool;
    private final EvaluationSite place;
    private final OfferSet among;
    private final IntUnaryOperator adOf;
    private final List<EvaluationSite.Conjunct> here = new ArrayList<>();
    private final List<PoolVerdict.Waiting> waiting = new ArrayList<>();
    private final List<OfferSet> met = new ArrayList<>();
    private final OfferSet accepting;
    private final OfferSet matching;

    private PoolExplanation(
            EvaluationSite place,
            List<EvaluationSite.Conjunct> passedOn,
            OfferIndex pool,
            OfferSet among,
            IntUnaryOperator adOf) {
        this.pool = pool;
        this.place = place;
        this.among = among;
        this.adOf = adOf;
        if (place.side().constraint() != null) {
            place.conjuncts().forEach(this::classify);
        }
        passedOn.forEach(this::classify);
        here.forEach(conjunct -> met.add(offersMeeting(conjunct)));
        this.accepting = offersAccepting();
        this.matching = allBut(-1);
        matching.retainAll(accepting);
    }

    static PoolVerdict of(ClassAd customer, OfferPool pool) {
        var place = new EvaluationSite(MatchParty.whole(customer));
        return of(place, List.of(), pool.index(), OfferSet.all(pool.size()), IntUnaryOperator.identity())
                .verdict();
    }

    /**
     * Explains the domain of an open link.
     *
     * @param place the requesting ad, with its other links as they are
     * @param passedOn conjuncts of others that wait for this link
     * @param among the offers that are counted
     * @param adOf the ad an offer belongs to; offers of one ad follow each other and count once
     */
    public static PoolExplanation of(
            EvaluationSite place,
            List<EvaluationSite.Conjunct> passedOn,
            OfferIndex pool,
            OfferSet among,
            IntUnaryOperator adOf) {
        return new PoolExplanation(place, passedOn, pool, among, adOf);
    }

    /** The offers that match, of those that are counted. */
    public OfferSet matching() {
        return matching.copy();
    }

    /** The counts. */
    public PoolVerdict verdict() {
        OfferSet accepted = allBut(-1);
        OfferSet refusing = accepted.isEmpty() ? among.copy() : accepted.copy();
        refusing.removeAll(withAllOf(accepting));
        var clauses = new ArrayList<PoolVerdict.Clause>();
        for (int i = 0; i < here.size(); i++) {
            clauses.add(clause(i));
        }
        var refusals = new RefusalGroups(place, pool, adOf, refusing);
        String who =
                place.side().isWhole() ? "The customer" : "Port " + place.side().label();
        var notes = new ArrayList<>(Explanation.notes(who, place));
        refusals.note().ifPresent(notes::add);
        return new PoolVerdict(
                place.side().holder(),
                among.countAds(adOf),
                accepted.countAds(adOf),
                accepting.countAds(adOf),
                matching.countAds(adOf),
                clauses,
                waiting,
                refusals.worstFirst(),
                conflicts(),
                notes);
    }

    /** Adds a conjunct to those that this link decides, or to those that wait for other ports. */
    private void classify(EvaluationSite.Conjunct conjunct) {
        var labels = new ArrayList<String>();
        for (MissingAttribute wanted : conjunct.read().missing()) {
            if (wanted.link() != place.own() && !labels.contains(wanted.link().label())) {
                labels.add(wanted.link().label());
            }
        }
        if (labels.isEmpty()) {
            here.add(conjunct);
        } else {
            labels.sort(String.CASE_INSENSITIVE_ORDER);
            waiting.add(new PoolVerdict.Waiting(conjunct.expr().print(), labels));
        }
    }

    /** A set and all other offers of the same ads. */
    private OfferSet withAllOf(OfferSet set) {
        OfferSet all = set.copy();
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            int ad = adOf.applyAsInt(offer);
            for (int before = offer - 1; before >= 0 && adOf.applyAsInt(before) == ad; before--) {
                all.add(before);
            }
            for (int after = offer + 1; after < pool.size() && adOf.applyAsInt(after) == ad; after++) {
                all.add(after);
            }
        }
        return all;
    }

    private OfferSet offersMeeting(EvaluationSite.Conjunct conjunct) {
        Clause clause = conjunct.read();
        if (clause instanceof Clause.Decided) {
            return clause == Clause.Decided.MET ? OfferSet.all(pool.size()) : OfferSet.none(pool.size());
        }
        OfferSet undecided = OfferSet.none(pool.size());
        OfferSet set = pool.meeting(place, clause, undecided);
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            if (undecided.contains(offer)
                    && !mayHold(List.of(conjunct), pool.offer(offer).place())) {
                set.remove(offer);
            }
        }
        return set;
    }

    private OfferSet offersAccepting() {
        Domain willing = pool.domain(new Request(place, List.of(), pool));
        OfferSet set = willing.offers().common(among);
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            if (willing.mustCheck(offer)) {
                EvaluationSite opposite = pool.offer(offer).place();
                if (!mayHold(opposite.conjuncts(), opposite)) {
                    set.remove(offer);
                }
            }
        }
        return set;
    }

    /** Whether none of some conjuncts is false once an offer has docked here. */
    private boolean mayHold(List<EvaluationSite.Conjunct> conjuncts, EvaluationSite opposite) {
        return place.facing(
                opposite, () -> conjuncts.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET));
    }

    /** The offers that meet all clauses but one. */
    private OfferSet allBut(int dropped) {
        OfferSet set = among.copy();
        if (place.side().constraint() == null) {
            set.clear();
        }
        for (int i = 0; i < met.size(); i++) {
            if (i != dropped) {
                set.retainAll(met.get(i));
            }
        }
        return set;
    }

    private PoolVerdict.Clause clause(int index) {
        OfferSet without = allBut(index);
        without.retainAll(accepting);
        OfferSet gained = without.copy();
        gained.removeAll(met.get(index));
        OfferSet meeting = met.get(index).common(among);
        EvaluationSite.Conjunct conjunct = here.get(index);
        Clause clause = conjunct.read();
        boolean never = met.get(index).isEmpty();
        Optional<String> inPool = clause == Clause.Decided.NOT_MET
                ? Optional.of("it is " + conjunct.value().print() + " for every candidate")
                : never ? ClauseRelaxations.inPool(clause, pool) : Optional.empty();
        return new PoolVerdict.Clause(
                conjunct.expr().print(),
                meeting.countAds(adOf),
                gained.countAds(adOf),
                without.countAds(adOf),
                never,
                known(conjunct),
                inPool,
                clause instanceof Clause.Test test ? relaxations(test, conjunct, gained) : List.of());
    }

    private List<PoolVerdict.Relaxation> relaxations(
            Clause.Test test, EvaluationSite.Conjunct conjunct, OfferSet gained) {
        Expr operand = ClauseRelaxations.operand(test, conjunct).orElse(null);
        return new ClauseRelaxations(test, conjunct, pool.column(test.wanted().attribute()))
                .of(
                        gained,
                        adOf,
                        offer -> operand == null
                                ? Value.UNDEFINED
                                : place.facing(
                                        pool.offer(offer).place(),
                                        () -> conjunct.with(operand).value()),
                        matching.countAds(adOf));
    }

    /** The operands of a conjunct that no offer decides. */
    private static String known(EvaluationSite.Conjunct conjunct) {
        var parts = new ArrayList<String>();
        for (Map.Entry<Expr, Value> operand : Explanation.operands(conjunct).entrySet()) {
            if (!(conjunct.with(operand.getKey()).term() instanceof PartialValue.Reference)) {
                parts.add(operand.getKey().print() + " is " + operand.getValue().print());
            }
        }
        return String.join(", ", parts);
    }

    private List<PoolVerdict.Conflict> conflicts() {
        var conflicts = new ArrayList<PoolVerdict.Conflict>();
        for (int i = 0; i < met.size(); i++) {
            for (int j = i + 1; j < met.size() && conflicts.size() < MOST_CONFLICTS; j++) {
                boolean eachAlone = !met.get(i).isEmpty() && !met.get(j).isEmpty();
                if (eachAlone && !met.get(i).intersects(met.get(j))) {
                    conflicts.add(new PoolVerdict.Conflict(
                            here.get(i).expr().print(), here.get(j).expr().print()));
                }
            }
        }
        return conflicts;
    }
}
