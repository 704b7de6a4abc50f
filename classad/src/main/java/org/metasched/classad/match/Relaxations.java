package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;

/** Weaker tests in place of one that lets too few offers in: the nearest values that help, and the one that lets most in. */
final class Relaxations {

    private static final int MOST = 3;
    private static final int MOST_VALUES = 8;

    private final Clause.Test test;
    private final Expr written;
    private final Column column;

    Relaxations(Clause.Test test, Expr written, Column column) {
        this.test = test;
        this.written = written;
        this.column = column;
    }

    /**
     * The weaker tests.
     *
     * @param gained the offers that would match but for this test
     * @param already how many match with it
     */
    List<PoolVerdict.Relaxation> of(OfferSet gained, IntUnaryOperator adOf, int already) {
        Map<Value, Integer> counts = countByValue(gained, adOf);
        return switch (test.operator()) {
            case LESS, LESS_OR_EQUAL -> bounds(counts, already, BinaryOperator.LESS_OR_EQUAL);
            case GREATER, GREATER_OR_EQUAL -> bounds(counts, already, BinaryOperator.GREATER_OR_EQUAL);
            case EQUAL, IS -> otherValues(counts, already);
            default -> List.of();
        };
    }

    private Map<Value, Integer> countByValue(OfferSet gained, IntUnaryOperator adOf) {
        var counts = new HashMap<Value, Integer>();
        int last = -1;
        for (int offer = gained.next(0); offer >= 0; offer = gained.next(offer + 1)) {
            Value value = column.value(offer);
            int ad = adOf.applyAsInt(offer);
            if (ad != last && value != null && !value.isExceptional()) {
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
        for (int i = 0; i < values.size(); i++) {
            matching += counts.getOrDefault(values.get(i), 0);
            boolean shown = i < MOST - 1 || i == values.size() - 1;
            if (shown) {
                result.add(new PoolVerdict.Relaxation(
                        subject() + " " + operator.symbol() + " "
                                + values.get(i).print(),
                        matching));
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
                .map(entry -> new PoolVerdict.Relaxation(
                        written.print() + " || " + subject() + " == "
                                + entry.getKey().print(),
                        already + entry.getValue()))
                .toList();
    }

    /** The attribute as it was written. */
    private String subject() {
        return subject(test, written);
    }

    /** The attribute that a test is of, as it was written. */
    static String subject(Clause.Test test, Expr written) {
        for (Expr operand : written.bare().children()) {
            String text = operand.print();
            if (text.toLowerCase(Locale.ROOT).endsWith(test.wanted().attribute())) {
                return text;
            }
        }
        return test.wanted().bond().label() + "." + test.wanted().attribute();
    }

    /** What the pool has of the attribute that a clause tests. */
    static Optional<String> inPool(Clause clause, OfferPool pool) {
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
