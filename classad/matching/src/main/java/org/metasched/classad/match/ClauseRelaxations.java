package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

/** Weaker tests to offer in place of a test: with the nearest bounds that gain matches, or with the values that most offers have. */
record ClauseRelaxations(Clause.Test test, EvaluationSite.Conjunct conjunct, Column column) {

    /** Maximum number of weaker tests in place of one. */
    private static final int MOST_TESTS = 3;

    private static final int MOST_LISTED = 8;
    private static final Comparator<Value> BY_NUMBER = Comparator.comparingDouble(Value::rank);

    /**
     * The weaker tests.
     *
     * @param gained the offers of the ads that only this test keeps from matching
     * @param adOf the number of the ad that an offer belongs to
     * @param valueOf the tested value of an offer for which the index has none, as the value depends on the requesting ad
     * @param matching number of ads that match with the present test
     */
    List<PoolVerdict.Relaxation> of(OfferSet gained, IntUnaryOperator adOf, IntFunction<Value> valueOf, int matching) {
        if (test.operator().isComparison()
                && test.operator() != BinaryOperator.EQUAL
                && !Comparisons.isNumeric(test.value())) {
            return List.of();
        }
        Map<Value, Set<Integer>> ads = adsByValue(gained, adOf, valueOf);
        return switch (test.operator()) {
            case LESS, LESS_OR_EQUAL -> bounds(ads, matching, BinaryOperator.LESS_OR_EQUAL);
            case GREATER, GREATER_OR_EQUAL -> bounds(ads, matching, BinaryOperator.GREATER_OR_EQUAL);
            case EQUAL, IS -> otherValues(ads, matching);
            default -> List.of();
        };
    }

    /** The ads by the values of their offers; an ad with several ports may have several values. */
    private Map<Value, Set<Integer>> adsByValue(OfferSet gained, IntUnaryOperator adOf, IntFunction<Value> valueOf) {
        var ads = new HashMap<Value, Set<Integer>>();
        gained.forEach(offer -> {
            Value known = column.value(offer);
            Value value = known == null ? valueOf.apply(offer) : known;
            if (Comparisons.isScalar(value) && !value.isExceptional()) {
                ads.computeIfAbsent(value, key -> new HashSet<>()).add(adOf.applyAsInt(offer));
            }
        });
        return ads;
    }

    private List<PoolVerdict.Relaxation> bounds(Map<Value, Set<Integer>> ads, int matching, BinaryOperator operator) {
        boolean upward = operator == BinaryOperator.LESS_OR_EQUAL;
        List<Value> values = ads.keySet().stream()
                .filter(Comparisons::isNumeric)
                .sorted(upward ? BY_NUMBER : BY_NUMBER.reversed())
                .toList();
        var result = new ArrayList<PoolVerdict.Relaxation>();
        var gainedAds = new HashSet<Integer>();
        int lastCount = 0;
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            gainedAds.addAll(ads.getOrDefault(value, Set.of()));
            boolean isLast = i == values.size() - 1;
            // 1, 1.0 and true are one step.
            boolean endsStep = isLast || values.get(i + 1).rank() != value.rank();
            if (endsStep && gainedAds.size() > lastCount && (isLast || result.size() + 1 < MOST_TESTS)) {
                lastCount = gainedAds.size();
                result.add(new PoolVerdict.Relaxation(
                        subject() + " " + operator.symbol() + " " + value.print(), matching + gainedAds.size()));
            }
        }
        return result;
    }

    private List<PoolVerdict.Relaxation> otherValues(Map<Value, Set<Integer>> ads, int matching) {
        return ads.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<Value, Set<Integer>> entry) ->
                                -entry.getValue().size())
                        .thenComparing(entry -> entry.getKey().print()))
                .limit(MOST_TESTS)
                // "is" comes first: it is never an error, which a comparison of unlike types would be.
                .map(entry -> new PoolVerdict.Relaxation(
                        subject() + " is " + entry.getKey().print() + " || "
                                + conjunct.expr().print().strip(),
                        matching + entry.getValue().size()))
                .toList();
    }

    private String subject() {
        return subject(test, conjunct);
    }

    /** The tested attribute as the user wrote it, or as {@code label.attribute}. The link of the test must be open. */
    static String subject(Clause.Test test, EvaluationSite.Conjunct conjunct) {
        return operand(test, conjunct)
                .map(Expr::print)
                .orElse(test.wanted().link().label() + "." + test.wanted().attribute());
    }

    /** The operand of a conjunct that its test compares. */
    static Optional<Expr> operand(Clause.Test test, EvaluationSite.Conjunct conjunct) {
        return conjunct.expr().bare().children().stream()
                .filter(operand -> conjunct.with(operand).term() instanceof PartialValue.Reference reference
                        && reference.wanted().equals(test.wanted()))
                .findFirst();
    }

    /** Words for the values that the pool has of the attribute that a clause tests. */
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
            Value least = values.stream().min(BY_NUMBER).orElseThrow();
            Value most = values.stream().max(BY_NUMBER).orElseThrow();
            return least.print() + " to " + most.print();
        }
        List<String> first =
                values.stream().map(Value::print).sorted().limit(MOST_LISTED).toList();
        int omitted = values.size() - first.size();
        return String.join(", ", first) + (omitted > 0 ? " and " + omitted + " other values" : "");
    }
}
