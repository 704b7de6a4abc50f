package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;

/**
 * Counts over a pool what each clause of a customer costs it. Each clause is a set of offers, made by the same index that matches,
 * so {@code c} clauses cost {@code O(c²)} passes of n/64 words, plus evaluations where no index applies.
 */
final class PoolExplanation {

    private static final int MOST_RELAXATIONS = 3;
    private static final int MOST_REFUSALS = 20;
    private static final int MOST_REFUSING_OFFERS = 20_000;
    private static final int MOST_CONFLICTS = 10;

    private final OfferPool pool;
    private final Place place;
    private final List<Place.Conjunct> conjuncts;
    private final List<OfferSet> met = new ArrayList<>();
    private final OfferSet accepting;

    private PoolExplanation(ClassAd customer, OfferPool pool) {
        this.pool = pool;
        Side side = Side.whole(customer);
        this.place = new Place(side, new Bond(side.label()));
        this.conjuncts = side.constraint() == null ? List.of() : place.conjuncts();
        conjuncts.forEach(conjunct -> met.add(offersMeeting(conjunct)));
        this.accepting = offersAccepting();
    }

    static PoolVerdict of(ClassAd customer, OfferPool pool) {
        return new PoolExplanation(customer, pool).verdict();
    }

    private PoolVerdict verdict() {
        OfferSet accepted = allBut(-1);
        if (place.side().constraint() == null) {
            accepted.clear();
        }
        OfferSet matching = accepted.copy();
        matching.retainAll(accepting);
        OfferSet refusing = accepted.copy();
        refusing.removeAll(accepting);
        var clauses = new ArrayList<PoolVerdict.Clause>();
        for (int i = 0; i < conjuncts.size(); i++) {
            clauses.add(clause(i));
        }
        return new PoolVerdict(
                place.side().holder(),
                pool.size(),
                accepted.count(),
                accepting.count(),
                matching.count(),
                clauses,
                refusals(refusing),
                conflicts(),
                Explanation.notes("The customer", place));
    }

    private OfferSet offersMeeting(Place.Conjunct conjunct) {
        Clause clause = conjunct.read();
        if (clause instanceof Clause.Decided) {
            return clause == Clause.Decided.MET ? OfferSet.all(pool.size()) : OfferSet.none(pool.size());
        }
        OfferSet unsure = OfferSet.none(pool.size());
        OfferSet set = pool.meeting(place, clause, unsure);
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            if (unsure.contains(offer) && !valueWith(conjunct, offer).satisfies()) {
                set.remove(offer);
            }
        }
        return set;
    }

    private Value valueWith(Place.Conjunct conjunct, int offer) {
        Place opposite = pool.offer(offer).place();
        opposite.own().bind(place);
        place.own().bind(opposite);
        try {
            return conjunct.value();
        } finally {
            place.own().release();
        }
    }

    private OfferSet offersAccepting() {
        Request request = Request.of(place, List.of(), pool);
        Candidates willing = pool.candidates(request);
        OfferSet set = willing.offers().copy();
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            if (willing.mustCheck(offer)
                    && !Place.facing(pool.offer(offer).side(), place.side()).isSatisfied()) {
                set.remove(offer);
            }
        }
        return set;
    }

    /** The offers that meet all clauses but one. */
    private OfferSet allBut(int dropped) {
        OfferSet set = OfferSet.all(pool.size());
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
        Clause clause = conjuncts.get(index).read();
        boolean never = met.get(index).isEmpty();
        boolean indexed = clause instanceof Clause.Test;
        return new PoolVerdict.Clause(
                conjuncts.get(index).expr().print(),
                met.get(index).count(),
                without.count(),
                never,
                never ? poolHas(clause) : Optional.empty(),
                indexed ? relaxations((Clause.Test) clause, conjuncts.get(index).expr(), without, index) : List.of());
    }

    /** Weaker tests that let more offers match: the nearest value that helps and the one that lets most match. */
    private List<PoolVerdict.Relaxation> relaxations(Clause.Test test, Expr written, OfferSet without, int index) {
        Column column = pool.column(test.wanted().attribute());
        OfferSet gained = without.copy();
        gained.removeAll(met.get(index));
        int already = without.count() - gained.count();
        var counts = new HashMap<Value, Integer>();
        gained.forEach(offer -> {
            Value value = column.value(offer);
            if (value != null && !value.isExceptional()) {
                counts.merge(value, 1, Integer::sum);
            }
        });
        return switch (test.operator()) {
            case LESS, LESS_OR_EQUAL -> bounds(test, written, counts, already, BinaryOperator.LESS_OR_EQUAL);
            case GREATER, GREATER_OR_EQUAL -> bounds(test, written, counts, already, BinaryOperator.GREATER_OR_EQUAL);
            case EQUAL, IS -> otherValues(test, written, counts, already);
            default -> List.of();
        };
    }

    private static List<PoolVerdict.Relaxation> bounds(
            Clause.Test test, Expr written, Map<Value, Integer> counts, int already, BinaryOperator operator) {
        boolean upward = operator == BinaryOperator.LESS_OR_EQUAL;
        Comparator<Value> byNumber = Comparator.comparingDouble(Value::rank);
        List<Value> values = counts.keySet().stream()
                .filter(Comparisons::isNumeric)
                .sorted(upward ? byNumber : byNumber.reversed())
                .toList();
        var result = new ArrayList<PoolVerdict.Relaxation>();
        int matching = already;
        for (int i = 0; i < values.size(); i++) {
            matching += counts.getOrDefault(values.get(i), 0);
            boolean shown = i < MOST_RELAXATIONS - 1 || i == values.size() - 1;
            if (shown) {
                result.add(new PoolVerdict.Relaxation(
                        subject(written, test) + " " + operator.symbol() + " "
                                + values.get(i).print(),
                        matching));
            }
        }
        return result;
    }

    private static List<PoolVerdict.Relaxation> otherValues(
            Clause.Test test, Expr written, Map<Value, Integer> counts, int already) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<Value, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().print()))
                .limit(MOST_RELAXATIONS)
                .map(entry -> new PoolVerdict.Relaxation(
                        written.print() + " || " + subject(written, test) + " == "
                                + entry.getKey().print(),
                        already + entry.getValue()))
                .toList();
    }

    /** The attribute as the customer wrote it. */
    private static String subject(Expr written, Clause.Test test) {
        for (Expr operand : written.bare().children()) {
            String text = operand.print();
            if (text.toLowerCase(java.util.Locale.ROOT).endsWith(test.wanted().attribute())) {
                return text;
            }
        }
        return "TARGET." + test.wanted().attribute();
    }

    private Optional<String> poolHas(Clause clause) {
        if (!(clause instanceof Clause.Test test)) {
            return Optional.empty();
        }
        Column column = pool.column(test.wanted().attribute());
        List<Value> values =
                column.values().stream().filter(value -> !value.isExceptional()).toList();
        if (values.isEmpty()) {
            return Optional.of("no offer has " + test.wanted().attribute());
        }
        if (values.stream().allMatch(Comparisons::isNumeric)) {
            Comparator<Value> byNumber = Comparator.comparingDouble(Value::rank);
            Value least = values.stream().min(byNumber).orElseThrow();
            Value most = values.stream().max(byNumber).orElseThrow();
            return Optional.of("offers have " + least.print() + " to " + most.print());
        }
        return Optional.of("offers have "
                + String.join(
                        ", ",
                        values.stream().map(Value::print).sorted().limit(8).toList())
                + (values.size() > 8 ? " and " + (values.size() - 8) + " other values" : ""));
    }

    private List<PoolVerdict.Refusal> refusals(OfferSet refusing) {
        var counts = new HashMap<String, Integer>();
        int seen = 0;
        for (int offer = refusing.next(0);
                offer >= 0 && seen < MOST_REFUSING_OFFERS;
                offer = refusing.next(offer + 1)) {
            seen++;
            Place opposite = Place.facing(pool.offer(offer).side(), place.side());
            if (opposite.side().constraint() == null) {
                counts.merge("(no Requirements)", 1, Integer::sum);
                continue;
            }
            for (Place.Conjunct conjunct : opposite.conjuncts()) {
                if (!conjunct.value().satisfies()) {
                    counts.merge(conjunct.expr().print(), 1, Integer::sum);
                }
            }
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry::getKey))
                .limit(MOST_REFUSALS)
                .map(entry -> new PoolVerdict.Refusal(entry.getKey(), entry.getValue()))
                .toList();
    }

    private List<PoolVerdict.Conflict> conflicts() {
        var conflicts = new ArrayList<PoolVerdict.Conflict>();
        for (int i = 0; i < met.size(); i++) {
            for (int j = i + 1; j < met.size() && conflicts.size() < MOST_CONFLICTS; j++) {
                boolean eachAlone = !met.get(i).isEmpty() && !met.get(j).isEmpty();
                if (eachAlone && !met.get(i).intersects(met.get(j))) {
                    conflicts.add(new PoolVerdict.Conflict(
                            conjuncts.get(i).expr().print(),
                            conjuncts.get(j).expr().print()));
                }
            }
        }
        return conflicts;
    }
}
