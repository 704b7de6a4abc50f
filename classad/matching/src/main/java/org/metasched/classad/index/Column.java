package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * One value for each offer of a pool, or none, and the answer to "for which offers is value OP v true?" as bits: a dictionary of
 * the distinct values, their offers, and where there are many, {@linkplain SortedValues the order of the numbers}.
 *
 * <p>Offers without a value belong to every answer: they have no such test, or their value is not known yet. Where
 * there are few distinct values, queries that the same of them satisfy share one answer, however many constants are asked about;
 * ranges and other queries of many are answered each time. Thread-safe.
 */
public final class Column {

    /** With so many distinct values at most, the ones that satisfy a query fit into one word. */
    private static final int ONE_WORD = 64;

    private static final Comparator<Value> NUMBERS_FIRST = Comparator.comparingDouble(SortedValues::key);

    private final int[] codes;
    private final List<Value> dictionary;
    private final OfferSet without;
    private final boolean complete;
    private final Map<Object, List<Integer>> codesByKey = new HashMap<>();

    /** The offers with a value in the order of its number, and where in it each number begins. */
    private final int[] offersByCode;

    private final int[] startOfCode;

    /** Where there are few values: the offers of those that satisfy a query, one bit each. */
    private final Map<Long, OfferSet> membersOf = new ConcurrentHashMap<>();

    private final @Nullable SortedValues sorted;

    private Column(int[] codes, List<Value> dictionary) {
        this.codes = codes;
        this.dictionary = dictionary;
        this.without = OfferSet.none(codes.length);
        this.startOfCode = startOfCode(codes, dictionary.size());
        this.offersByCode = offersByCode(codes, startOfCode);
        for (int offer = 0; offer < codes.length; offer++) {
            if (codes[offer] < 0) {
                without.add(offer);
            }
        }
        this.complete = without.isEmpty();
        for (int code = 0; code < dictionary.size(); code++) {
            codesByKey
                    .computeIfAbsent(Comparisons.hashKey(dictionary.get(code)), key -> new ArrayList<>(1))
                    .add(code);
        }
        this.sorted = dictionary.size() > ONE_WORD
                ? new SortedValues(dictionary, startOfCode, offersByCode, codes.length)
                : null;
    }

    /** Collects the values of a column. */
    static final class Builder {
        private final int[] codes;
        private final List<Value> dictionary = new ArrayList<>();
        private final Map<Value, Integer> codeOf = new HashMap<>();

        Builder(int offers) {
            codes = new int[offers];
            Arrays.fill(codes, -1);
        }

        /** Gives an offer a value; a list or an ad counts as unknown. */
        void put(int offer, Value value) {
            if (Comparisons.isScalar(value)) {
                codes[offer] = codeOf.computeIfAbsent(value, unseen -> {
                    dictionary.add(unseen);
                    return dictionary.size() - 1;
                });
            }
        }

        boolean has(int offer) {
            return codes[offer] >= 0;
        }

        /** The column; many values are numbered in their order, numbers first. */
        Column build() {
            if (dictionary.size() > ONE_WORD) {
                List<Value> before = List.copyOf(dictionary);
                dictionary.sort(NUMBERS_FIRST);
                for (int code = 0; code < dictionary.size(); code++) {
                    codeOf.put(dictionary.get(code), code);
                }
                int[] moved = before.stream()
                        .mapToInt(value -> codeOf.getOrDefault(value, -1))
                        .toArray();
                Arrays.setAll(codes, offer -> codes[offer] < 0 ? -1 : moved[codes[offer]]);
            }
            return new Column(codes, List.copyOf(dictionary));
        }
    }

    /** For each offer the number of its value, negative if it has none. Not to be changed. */
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

    boolean isComplete() {
        return complete;
    }

    OfferSet without() {
        return without;
    }

    /**
     * The test whether {@code value operator v} is true, looked up as far as that can be done once: what is left is to pass over bits.
     * It keeps of a set the offers that pass, and those without a known value.
     */
    Consumer<OfferSet> filter(BinaryOperator operator, Value value) {
        SortedValues many = sorted;
        if (many == null) {
            OfferSet members = membersOf.computeIfAbsent(satisfied(operator, value), this::membersOf);
            return set -> set.retainAll(members);
        }
        return SortedValues.isRange(operator, value)
                ? set -> many.retain(operator, value, set)
                : set -> set.retainAll(answer(operator, value));
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
        for (long codesLeft = satisfied; codesLeft != 0; codesLeft &= codesLeft - 1) {
            addOffersOf(Long.numberOfTrailingZeros(codesLeft), members);
        }
        return members;
    }

    /** The offers for which {@code value operator v} is true, and those without a value. */
    private OfferSet answer(BinaryOperator operator, Value value) {
        OfferSet result = without.copy();
        IntStream candidates = operator == BinaryOperator.EQUAL || operator == BinaryOperator.IS
                ? codesByKey.getOrDefault(Comparisons.hashKey(value), List.of()).stream()
                        .mapToInt(Integer::intValue)
                : IntStream.range(0, dictionary.size());
        candidates
                .filter(code -> operator.holds(dictionary.get(code), value))
                .forEach(code -> addOffersOf(code, result));
        return result;
    }

    private void addOffersOf(int code, OfferSet into) {
        for (int i = startOfCode[code]; i < startOfCode[code + 1]; i++) {
            into.add(offersByCode[i]);
        }
    }

    private static int[] startOfCode(int[] codes, int distinct) {
        int[] start = new int[distinct + 1];
        for (int code : codes) {
            if (code >= 0) {
                start[code + 1]++;
            }
        }
        for (int code = 0; code < distinct; code++) {
            start[code + 1] += start[code];
        }
        return start;
    }

    private static int[] offersByCode(int[] codes, int[] start) {
        int[] next = start.clone();
        int[] offers = new int[start[start.length - 1]];
        for (int offer = 0; offer < codes.length; offer++) {
            if (codes[offer] >= 0) {
                offers[next[codes[offer]]++] = offer;
            }
        }
        return offers;
    }
}
