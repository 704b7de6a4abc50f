package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * The values of a column, numbers first and ascending, with their offers. The numbers are divided into steps, and for each step the set of
 * all offers before it is kept. A step ends with the value by which it reaches n/128 offers, at least 64. A range query takes one or two
 * passes over n/64 words, no new set, and single bits for the offers of at most one step and of values that equal the bound. Immutable,
 * thread-safe.
 */
final class SortedValues {

    /** The most steps, about. */
    private static final int STEPS = 128;

    private final List<Value> values;

    /** The numbers among the values, as far as a double holds them. */
    private final double[] keys;

    /** The places of values that {@code ==} or {@code is} may find equal. */
    private final Map<Object, List<Integer>> placesByKey = new HashMap<>();

    private final OfferSet without;

    /** The offers in the order of their values, and where in it each value begins. */
    private final int[] offers;

    private final int[] startOf;

    /** The places of the values at which steps begin, then the end; and the offers before each. */
    private final int[] stepAt;

    private final OfferSet[] below;

    /** The offers whose values are no numbers, which no range keeps; null if there are none. */
    private final @Nullable OfferSet neverKept;

    /**
     * The values of a column.
     *
     * @param dictionary the distinct values; the code of a value is its index here
     * @param codes for each offer the code of its value, negative if the offer has none
     * @param without the offers that have none
     */
    SortedValues(List<Value> dictionary, int[] codes, OfferSet without) {
        this.without = without;
        List<Integer> codesInOrder = IntStream.range(0, dictionary.size())
                .boxed()
                .sorted(Comparator.comparingDouble(code -> key(dictionary.get(code))))
                .toList();
        values = codesInOrder.stream().map(dictionary::get).toList();
        int[] placeOf = new int[values.size()];
        for (int place = 0; place < values.size(); place++) {
            placeOf[codesInOrder.get(place)] = place;
            placesByKey
                    .computeIfAbsent(Comparisons.hashKey(values.get(place)), key -> new ArrayList<>(1))
                    .add(place);
        }
        startOf = new int[values.size() + 1];
        offers = offersByPlace(codes, placeOf);
        keys = values.stream()
                .mapToDouble(SortedValues::key)
                .takeWhile(key -> !Double.isNaN(key))
                .toArray();
        stepAt = steps(Math.max(64, codes.length / STEPS));
        below = new OfferSet[stepAt.length];
        OfferSet soFar = OfferSet.none(codes.length);
        for (int step = 0; step < stepAt.length; step++) {
            addOffers(step == 0 ? 0 : stepAt[step - 1], stepAt[step], soFar);
            below[step] = soFar.copy();
        }
        OfferSet rest = OfferSet.none(codes.length);
        addOffers(keys.length, values.size(), rest);
        neverKept = rest.isEmpty() ? null : rest;
    }

    /** Computes {@code startOf}, and sorts the offers by their values. */
    private int[] offersByPlace(int[] codes, int[] placeOf) {
        for (int code : codes) {
            if (code >= 0) {
                startOf[placeOf[code] + 1]++;
            }
        }
        for (int place = 0; place < placeOf.length; place++) {
            startOf[place + 1] += startOf[place];
        }
        int[] next = startOf.clone();
        int[] sorted = new int[startOf[placeOf.length]];
        for (int offer = 0; offer < codes.length; offer++) {
            if (codes[offer] >= 0) {
                sorted[next[placeOf[codes[offer]]]++] = offer;
            }
        }
        return sorted;
    }

    /** The number by which a value is sorted; NaN for a value that is no number, which comes after them. */
    static double key(Value value) {
        return Comparisons.isNumeric(value) ? value.rank() + 0.0 : Double.NaN;
    }

    /** The places of the values at which steps begin: the first, one after every {@code every} offers, and the end. */
    private int[] steps(int every) {
        var steps = IntStream.builder();
        int since = every;
        for (int i = 0; i < keys.length; i++) {
            if (since >= every) {
                steps.add(i);
                since = 0;
            }
            since += startOf[i + 1] - startOf[i];
        }
        return steps.add(keys.length).build().toArray();
    }

    private void addOffers(int from, int end, OfferSet into) {
        for (int i = startOf[from]; i < startOf[end]; i++) {
            into.add(offers[i]);
        }
    }

    /** Keeps of a set the offers for which {@code value of the offer OP value} is true, and those without a value. */
    void retain(BinaryOperator operator, Value value, OfferSet set) {
        boolean equal = operator == BinaryOperator.EQUAL || operator == BinaryOperator.IS;
        if (!equal && operator.isComparison() && operator != BinaryOperator.NOT_EQUAL && Comparisons.isNumeric(value)) {
            retainRange(operator, value, set);
            return;
        }
        OfferSet kept = without.copy();
        IntStream places = equal
                ? placesByKey.getOrDefault(Comparisons.hashKey(value), List.of()).stream()
                        .mapToInt(Integer::intValue)
                : IntStream.range(0, values.size());
        places.filter(place -> operator.holds(values.get(place), value))
                .forEach(place -> addOffers(place, place + 1, kept));
        set.retainAll(kept);
    }

    private void retainRange(BinaryOperator operator, Value value, OfferSet set) {
        if (neverKept != null) {
            set.removeAll(neverKept);
        }
        double key = value.rank() + 0.0;
        if (Double.isNaN(key)) {
            removeBetween(0, keys.length, set);
            return;
        }
        int from = lowerBound(key);
        int end = from;
        // Equal as doubles may still differ as integers: those few are compared one by one.
        while (end < keys.length && keys[end] == key) {
            if (!operator.holds(values.get(end), value)) {
                removeOffers(end, end + 1, set);
            }
            end++;
        }
        if (operator == BinaryOperator.LESS || operator == BinaryOperator.LESS_OR_EQUAL) {
            removeBetween(end, keys.length, set);
        } else {
            removeBetween(0, from, set);
        }
    }

    private int lowerBound(double key) {
        int at = Arrays.binarySearch(keys, key);
        if (at < 0) {
            return -at - 1;
        }
        while (at > 0 && keys[at - 1] == key) {
            at--;
        }
        return at;
    }

    /** Removes the offers of the values in {@code [from, end)}, where {@code from} is 0 or {@code end} is the number of {@link #keys}. */
    private void removeBetween(int from, int end, OfferSet set) {
        if (from >= end) {
            return;
        }
        int step = Arrays.binarySearch(stepAt, from == 0 ? end : from);
        if (from == 0) {
            int before = step >= 0 ? step : -step - 2;
            set.removeAll(below[before]);
            removeOffers(stepAt[before], end, set);
        } else {
            int after = step >= 0 ? step : -step - 1;
            removeOffers(from, stepAt[after], set);
            set.removeBetween(below[after], below[below.length - 1]);
        }
    }

    private void removeOffers(int from, int end, OfferSet set) {
        for (int i = startOf[from]; i < startOf[end]; i++) {
            set.remove(offers[i]);
        }
    }
}
