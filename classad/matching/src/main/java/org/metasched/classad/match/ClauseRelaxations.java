package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Column;
import org.metasched.classad.index.Comparisons;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.PartialValue;

/** Weaker tests in place of one that too few offers meet: the nearest values that help, and the one that most offers meet. */
record ClauseRelaxations(Clause.Test test, EvaluationSite.Conjunct written, Column column) {

    private static final int MOST = 3;
    private static final int MOST_VALUES = 8;

    /**
     * The weaker tests.
     *
     * @param gained the offers that would match without this test
     * @param adOf the number of the ad that an offer belongs to
     * @param seen the tested value of an offer, if it depends on the requesting ad
     * @param already number of offers that match with this test
     */
    List<PoolVerdict.Relaxation> of(OfferSet gained, IntUnaryOperator adOf, IntFunction<Value> seen, int already) {
        if (test.operator().isComparison()
                && test.operator() != BinaryOperator.EQUAL
                && !Comparisons.isNumeric(test.value())) {
            return List.of();
        }
        Map<Value, Integer> counts = countByValue(gained, adOf, seen);
        return switch (test.operator()) {
            case LESS, LESS_OR_EQUAL -> bounds(counts, already, BinaryOperator.LESS_OR_EQUAL);
            case GREATER, GREATER_OR_EQUAL -> bounds(counts, already, BinaryOperator.GREATER_OR_EQUAL);
            case EQUAL, IS -> otherValues(counts, already);
            default -> List.of();
        };
    }

    private Map<Value, Integer> countByValue(OfferSet gained, IntUnaryOperator adOf, IntFunction<Value> seen) {
        var counts = new HashMap<Value, Integer>();
        int last = -1;
        for (int offer = gained.next(0); offer >= 0; offer = gained.next(offer + 1)) {
            Value known = column.value(offer);
            Value value = known == null ? seen.apply(offer) : known;
            int ad = adOf.applyAsInt(offer);
            if (ad != last && Comparisons.isScalar(value) && !value.isExceptional()) {
                counts.merge(value, 1, Integer::sum);
                last = ad;
            }
        }
        return counts;
    }

    private List<PoolVerdict.Relaxation> bounds(Map<Value, Integer> counts, int already, BinaryOperator operator) {
        boolean upward = operator == BinaryOperator.LESS_OR_EQUAL;
        Comparator<Value> byNumber = Comparator.comparingDouble(Value::rank);
        List<Value> values = counts.keySet().stream()
                .filter(Comparisons::isNumeric)
                .sorted(upward ? byNumber : byNumber.reversed())
                .toList();
        var result = new ArrayList<PoolVerdict.Relaxation>();
        int matching = already;
        int steps = 0;
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            matching += counts.getOrDefault(value, 0);
            boolean last = i == values.size() - 1;
            // 1, 1.0 and true are one step.
            boolean whole = last || values.get(i + 1).rank() != value.rank();
            if (whole && (last || ++steps < MOST)) {
                result.add(new PoolVerdict.Relaxation(
                        subject() + " " + operator.symbol() + " " + value.print(), matching));
            }
        }
        return result;
    }

    private List<PoolVerdict.Relaxation> otherValues(Map<Value, Integer> counts, int already) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<Value, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().print()))
                .limit(MOST)
                // In this order and with "is" no value makes it an error, as a comparison of unlike types would be.
                .map(entry -> new PoolVerdict.Relaxation(
                        subject() + " is " + entry.getKey().print() + " || "
                                + written.expr().print().strip(),
                        already + entry.getValue()))
                .toList();
    }

    private String subject() {
        return subject(test, written);
    }

    /** The attribute of a test, as it was written; read while its link is open. */
    static String subject(Clause.Test test, EvaluationSite.Conjunct written) {
        return operand(test, written)
                .map(Expr::print)
                .orElse(test.wanted().link().label() + "." + test.wanted().attribute());
    }

    /** The operand of a conjunct that its test compares. */
    static Optional<Expr> operand(Clause.Test test, EvaluationSite.Conjunct written) {
        for (Expr operand : written.expr().bare().children()) {
            boolean asked = written.with(operand).term() instanceof PartialValue.Reference asks
                    && asks.wanted().equals(test.wanted());
            if (asked) {
                return Optional.of(operand);
            }
        }
        return Optional.empty();
    }

    /** Values in the pool of the attribute that a clause tests. */
    static Optional<String> inPool(Clause clause, OfferIndex pool) {
        if (!(clause instanceof Clause.Test test)) {
            return Optional.empty();
        }
        String attribute = test.wanted().attribute();
        List<Value> values = pool.column(attribute).values().stream()
                .filter(value -> !value.isExceptional())
                .toList();
        return Optional.of(values.isEmpty() ? "no offer has " + attribute : "offers have " + list(values));
    }

    /** A few words for many values: the least and greatest number, or the first texts. */
    static String list(Collection<Value> values) {
        if (values.size() > 1 && values.stream().allMatch(Comparisons::isNumeric)) {
            Comparator<Value> byNumber = Comparator.comparingDouble(Value::rank);
            Value least = values.stream().min(byNumber).orElseThrow();
            Value most = values.stream().max(byNumber).orElseThrow();
            return least.print() + " to " + most.print();
        }
        List<String> first =
                values.stream().map(Value::print).sorted().limit(MOST_VALUES).toList();
        int more = values.size() - first.size();
        return String.join(", ", first) + (more > 0 ? " and " + more + " other values" : "");
    }
}
