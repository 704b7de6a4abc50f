package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.MatchParty;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.PartialValue;
import org.metasched.classad.index.Request;

/**
 * The explanation of how many offers of a pool meet each clause of a customer's constraint, or of the constraint of one of its ports while
 * its other ports are open or bound. For each clause, the index that also serves matching gives the set of offers that meet it; the counts
 * are sizes of intersections of these sets. {@code c} clauses take {@code O(c²)} passes over bit sets; offers that no index decides are
 * evaluated. A clause that is not decided yet counts as met. Not thread-safe.
 */
public final class PoolExplanation {

    /** The most pairs of conflicting clauses that are reported. */
    private static final int MOST_CONFLICTS = 10;

    private final OfferIndex pool;
    private final EvaluationSite site;

    /** The offers that are counted. */
    private final OfferSet among;

    private final IntUnaryOperator adOf;

    /** The clauses that the offer at this port decides. */
    private final List<EvaluationSite.Conjunct> decidable = new ArrayList<>();

    /** The clauses that wait for other ports. */
    private final List<PoolVerdict.Waiting> waiting = new ArrayList<>();

    /** The offers that meet each clause of {@link #decidable}. */
    private final List<OfferSet> met = new ArrayList<>();

    /** The counted offers whose own constraints the customer meets. */
    private final OfferSet accepting;

    /** The counted offers that meet all clauses and accept the customer. */
    private final OfferSet matching;

    /**
     * Explains which offers may dock at an open port.
     *
     * @param site the requesting ad, with its other links open or bound
     * @param passedOn undecided conjuncts of other ports and of docked offers
     * @param pool the offers and their indexes
     * @param among the offers that are counted
     * @param adOf the number of the ad that an offer belongs to; offers of one ad have consecutive numbers and count once
     */
    public PoolExplanation(
            EvaluationSite site,
            List<EvaluationSite.Conjunct> passedOn,
            OfferIndex pool,
            OfferSet among,
            IntUnaryOperator adOf) {
        this.pool = pool;
        this.site = site;
        this.among = among;
        this.adOf = adOf;
        if (site.side().constraint() != null) {
            site.conjuncts().forEach(this::classify);
        }
        passedOn.forEach(this::classify);
        decidable.forEach(conjunct -> met.add(offersMeeting(conjunct)));
        this.accepting = offersAccepting();
        this.matching = allBut(-1);
        matching.retainAll(accepting);
    }

    /** The verdict on all offers of a pool, for a customer that matches as a whole. */
    static PoolVerdict of(ClassAd customer, OfferPool pool) {
        var site = new EvaluationSite(MatchParty.whole(customer));
        return new PoolExplanation(
                        site, List.of(), pool.index(), OfferSet.all(pool.size()), IntUnaryOperator.identity())
                .verdict();
    }

    /** The counted offers that match; a copy. */
    public OfferSet matching() {
        return matching.copy();
    }

    /** The counts, with the clauses that wait, the reasons of refusals and the conflicts. */
    public PoolVerdict verdict() {
        OfferSet wanted = allBut(-1);
        // If no offer meets the constraint, the refusals of all are shown.
        OfferSet refusing = wanted.isEmpty() ? among.copy() : wanted.copy();
        refusing.removeAll(withAllOf(accepting));
        var refusals = new RefusalGroups(site, pool, adOf, refusing);
        String who =
                site.side().isWhole() ? "The customer" : "Port " + site.side().label();
        var notes = new ArrayList<>(Explanation.notes(who, site));
        refusals.note().ifPresent(notes::add);
        return new PoolVerdict(
                site.side().holder(),
                among.countAds(adOf),
                wanted.countAds(adOf),
                accepting.countAds(adOf),
                matching.countAds(adOf),
                IntStream.range(0, decidable.size()).mapToObj(this::clause).toList(),
                waiting,
                refusals.worstFirst(),
                conflicts(),
                notes);
    }

    /** Adds a conjunct to those that this link decides, or to those that wait for other ports. */
    private void classify(EvaluationSite.Conjunct conjunct) {
        List<String> labels = conjunct.read().missing().stream()
                .filter(wanted -> wanted.link() != site.own())
                .map(wanted -> wanted.link().label())
                .distinct()
                .sorted(String.CASE_INSENSITIVE_ORDER)
                .toList();
        if (labels.isEmpty()) {
            decidable.add(conjunct);
        } else {
            waiting.add(new PoolVerdict.Waiting(conjunct.expr().print(), labels));
        }
    }

    /** The offers of a set and all other offers of the same ads. */
    private OfferSet withAllOf(OfferSet set) {
        OfferSet all = set.copy();
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            for (int step : new int[] {-1, 1}) {
                for (int i = offer;
                        i >= 0 && i < pool.size() && adOf.applyAsInt(i) == adOf.applyAsInt(offer);
                        i += step) {
                    all.add(i);
                }
            }
        }
        return all;
    }

    /** The offers of the pool that meet a conjunct. */
    private OfferSet offersMeeting(EvaluationSite.Conjunct conjunct) {
        Clause clause = conjunct.read();
        if (clause instanceof Clause.Decided) {
            return clause == Clause.Decided.MET ? OfferSet.all(pool.size()) : OfferSet.none(pool.size());
        }
        OfferSet undecided = OfferSet.none(pool.size());
        OfferSet set = pool.meeting(site, clause, undecided);
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            if (undecided.contains(offer)
                    && !mayHold(List.of(conjunct), pool.offer(offer).site())) {
                set.remove(offer);
            }
        }
        return set;
    }

    /** The counted offers whose own constraints the customer meets, or meets as far as they are decided. */
    private OfferSet offersAccepting() {
        Domain willing = pool.domain(new Request(site, List.of(), pool));
        OfferSet set = willing.offers().common(among);
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            if (willing.mustCheck(offer)) {
                EvaluationSite opposite = pool.offer(offer).site();
                if (!mayHold(opposite.conjuncts(), opposite)) {
                    set.remove(offer);
                }
            }
        }
        return set;
    }

    /** Whether no conjunct is false once an offer has docked at the customer's site; an undecided conjunct is not false. */
    private boolean mayHold(List<EvaluationSite.Conjunct> conjuncts, EvaluationSite opposite) {
        return site.facing(
                opposite, () -> conjuncts.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET));
    }

    /** The counted offers that meet all clauses except the one at an index, -1 for none. */
    private OfferSet allBut(int dropped) {
        OfferSet set = among.copy();
        if (site.side().constraint() == null) {
            // A side without a constraint matches nothing.
            set.clear();
        }
        for (int i = 0; i < met.size(); i++) {
            if (i != dropped) {
                set.retainAll(met.get(i));
            }
        }
        return set;
    }

    /** The counts of the clause at an index. */
    private PoolVerdict.Clause clause(int index) {
        OfferSet matchingWithout = allBut(index);
        matchingWithout.retainAll(accepting);
        OfferSet gained = matchingWithout.copy();
        gained.removeAll(withAllOf(matching));
        OfferSet meeting = met.get(index).common(among);
        EvaluationSite.Conjunct conjunct = decidable.get(index);
        Clause clause = conjunct.read();
        // All offers of the pool count here, also those that others took.
        boolean neverMet = met.get(index).isEmpty();
        Optional<String> inPool = clause == Clause.Decided.NOT_MET
                ? Optional.of("it is " + conjunct.value().print() + " for every candidate")
                : neverMet ? ClauseRelaxations.inPool(clause, pool) : Optional.empty();
        return new PoolVerdict.Clause(
                conjunct.expr().print(),
                meeting.countAds(adOf),
                gained.countAds(adOf),
                matchingWithout.countAds(adOf),
                neverMet,
                known(conjunct),
                inPool,
                clause instanceof Clause.Test test ? relaxations(test, conjunct, gained) : List.of());
    }

    /** Other values of a test with which some of these offers would match, too. */
    private List<PoolVerdict.Relaxation> relaxations(
            Clause.Test test, EvaluationSite.Conjunct conjunct, OfferSet gained) {
        Expr operand = ClauseRelaxations.operand(test, conjunct).orElse(null);
        return new ClauseRelaxations(test, conjunct, pool.column(test.wanted().attribute()))
                .of(
                        gained,
                        adOf,
                        offer -> operand == null
                                ? Value.UNDEFINED
                                : site.facing(
                                        pool.offer(offer).site(),
                                        () -> conjunct.with(operand).value()),
                        matching.countAds(adOf));
    }

    /** The operands of a conjunct that do not depend on the offer, with their values, as text. */
    private static String known(EvaluationSite.Conjunct conjunct) {
        var parts = new ArrayList<String>();
        for (Map.Entry<Expr, Value> operand : Explanation.operands(conjunct).entrySet()) {
            if (!(conjunct.with(operand.getKey()).term() instanceof PartialValue.Reference)) {
                parts.add(operand.getKey().print() + " is " + operand.getValue().print());
            }
        }
        return String.join(", ", parts);
    }

    /** The pairs of clauses each of which some offer of the pool, free or taken, meets while no offer meets both. */
    private List<PoolVerdict.Conflict> conflicts() {
        var conflicts = new ArrayList<PoolVerdict.Conflict>();
        for (int i = 0; i < met.size(); i++) {
            for (int j = i + 1; j < met.size() && conflicts.size() < MOST_CONFLICTS; j++) {
                if (!met.get(i).isEmpty()
                        && !met.get(j).isEmpty()
                        && !met.get(i).intersects(met.get(j))) {
                    conflicts.add(new PoolVerdict.Conflict(
                            decidable.get(i).expr().print(),
                            decidable.get(j).expr().print()));
                }
            }
        }
        return conflicts;
    }
}
