package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * An index with one value for each offer of a pool, or none: an attribute of the offers, or the constant of a test in their constraints. It
 * tells the offers whose value satisfies a comparison, by a dictionary of the distinct values or, if these are many, {@link SortedValues}.
 *
 * <p>Offers without a value are in every answer: they have no such test, or only evaluation decides. With few distinct values, queries
 * that the same values satisfy share one answer, for any number of constants; with many, each query is computed. Thread-safe.
 */
public final class Column {

    /** Maximum number of distinct values that have a bit each in one word. */
    private static final int ONE_WORD = 64;

    private final int[] codes;
    private final List<Value> dictionary;
    private final OfferSet without;

    /** Whether some offer has a null for its value. */
    final boolean hasUnknown;

    /** The answers by the satisfying values, one bit each; used with few values. */
    private final Map<Long, OfferSet> membersOf = new ConcurrentHashMap<>();

    private final @Nullable SortedValues sorted;

    /** @param values value of each offer; null, a list or an ad counts as unknown */
    Column(@Nullable Value[] values) {
        codes = new int[values.length];
        without = OfferSet.none(values.length);
        hasUnknown = Arrays.asList(values).contains(null);
        var distinct = new ArrayList<Value>();
        var codeOf = new HashMap<Value, Integer>();
        for (int offer = 0; offer < values.length; offer++) {
            Value value = values[offer];
            if (value == null || !Comparisons.isScalar(value)) {
                codes[offer] = -1;
                without.add(offer);
            } else {
                codes[offer] = codeOf.computeIfAbsent(value, unseen -> {
                    distinct.add(unseen);
                    return distinct.size() - 1;
                });
            }
        }
        dictionary = List.copyOf(distinct);
        sorted = distinct.size() > ONE_WORD ? new SortedValues(dictionary, codes, without) : null;
    }

    /** The number of each offer's value, negative if it has none. Not copied: the caller must not change it. */
    public int[] codes() {
        return codes;
    }

    /** The value of an offer; null if it has none. {@code O(1)}. */
    public @Nullable Value value(int offer) {
        return codes[offer] < 0 ? null : dictionary.get(codes[offer]);
    }

    /** The distinct values, by their numbers. */
    public List<Value> values() {
        return dictionary;
    }

    OfferSet without() {
        return without;
    }

    /** A filter that keeps the offers whose value {@code v} satisfies {@code v operator value}, and those without a value. */
    Consumer<OfferSet> filter(BinaryOperator operator, Value value) {
        SortedValues many = sorted;
        if (many != null) {
            return set -> many.retain(operator, value, set);
        }
        OfferSet members = membersOf.computeIfAbsent(satisfying(operator, value), this::membersOf);
        return set -> set.retainAll(members);
    }

    /** The numbers of the values that satisfy a query, one bit each. */
    private long satisfying(BinaryOperator operator, Value value) {
        long satisfied = 0;
        for (int code = 0; code < dictionary.size(); code++) {
            if (operator.holds(dictionary.get(code), value)) {
                satisfied |= 1L << code;
            }
        }
        return satisfied;
    }

    private OfferSet membersOf(long satisfied) {
        OfferSet members = without.copy();
        for (int offer = 0; offer < codes.length; offer++) {
            members.add(offer, codes[offer] < 0 ? 0L : satisfied >>> codes[offer]);
        }
        return members;
    }
}
