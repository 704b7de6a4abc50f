package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * One value for each offer of a pool, or none, and the answer to "for which offers is value OP v true?" as bits: a dictionary of the
 * distinct values and, where there are many, {@linkplain SortedValues their offers in the order of the numbers}.
 *
 * <p>Offers without a value belong to every answer: they have no such test, or their value is not known yet. With few distinct values,
 * queries that the same values satisfy share one answer, for any number of constants; with many, each query is computed. Thread-safe.
 */
public final class Column {

    /** The most distinct values that have a bit each in one word. */
    private static final int ONE_WORD = 64;

    private final int[] codes;
    private final List<Value> dictionary;
    private final OfferSet without;

    /** The offers by the set of satisfying values, one bit each; used with few values. */
    private final Map<Long, OfferSet> membersOf = new ConcurrentHashMap<>();

    private final @Nullable SortedValues sorted;

    /** @param values value of each offer; null, a list or an ad counts as unknown */
    Column(@Nullable Value[] values) {
        codes = new int[values.length];
        without = OfferSet.none(values.length);
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

    /** Number of each offer's value, negative if it has none. Not to be changed. */
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

    /** Keeps of a set the offers for which {@code value operator v} is true, and those without a value. */
    Consumer<OfferSet> filter(BinaryOperator operator, Value value) {
        SortedValues many = sorted;
        if (many != null) {
            return set -> many.retain(operator, value, set);
        }
        OfferSet members = membersOf.computeIfAbsent(satisfied(operator, value), this::membersOf);
        return set -> set.retainAll(members);
    }

    /** The numbers of the values that satisfy a query, one bit each. */
    private long satisfied(BinaryOperator operator, Value value) {
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
