package org.metasched.classad.index;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * The numbers of a column in ascending order, and at every 128th part of the offers the set of all up to there: which offers a
 * range keeps is then one pass of n/64 words and n/128 single bits at most, without a set being made. Immutable, thread-safe.
 */
final class SortedValues {

    private static final int STEPS = 128;

    /** The values of the column, numbers first and ascending, and the numbers as far as a double holds them. */
    private final List<Value> values;

    private final double[] keys;

    /** The offers in the order of their values, and where in it each value begins. */
    private final int[] offers;

    private final int[] startOf;

    /** The values before which the steps end, ascending, and the offers below each. */
    private final int[] stepAt;

    private final OfferSet[] below;

    /** Offers of which no range keeps any: their values are no numbers. Null if there are none. */
    private final @Nullable OfferSet neverKept;

    SortedValues(List<Value> values, int[] startOf, int[] offers, int size) {
        this.values = values;
        this.startOf = startOf;
        this.offers = offers;
        keys = values.stream()
                .mapToDouble(SortedValues::key)
                .takeWhile(key -> !Double.isNaN(key))
                .toArray();
        stepAt = steps(Math.max(64, size / STEPS));
        below = new OfferSet[stepAt.length];
        OfferSet soFar = OfferSet.none(size);
        for (int step = 0; step < stepAt.length; step++) {
            addOffers(step == 0 ? 0 : stepAt[step - 1], stepAt[step], soFar);
            below[step] = soFar.copy();
        }
        OfferSet rest = OfferSet.none(size);
        addOffers(keys.length, values.size(), rest);
        neverKept = rest.isEmpty() ? null : rest;
    }

    /** The place of a value among numbers; not a number for others, which follow them. */
    static double key(Value value) {
        return Comparisons.isNumeric(value) ? value.rank() + 0.0 : Double.NaN;
    }

    /** The values at which steps begin: the first, each so many offers further, and behind the last. */
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

    /** Whether a comparison is a range of numbers. */
    static boolean isRange(BinaryOperator operator, Value value) {
        return operator.isComparison()
                && operator != BinaryOperator.EQUAL
                && operator != BinaryOperator.NOT_EQUAL
                && Comparisons.isNumeric(value);
    }

    /** Keeps of a set the offers whose value lies in a range, and those without a value. */
    void retain(BinaryOperator operator, Value value, OfferSet set) {
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

    /** Removes the offers of the values from one place to another, of which one is an end of the order. */
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
