package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * One value for each offer of a pool, or none, and the answer to "for which offers is value OP v true?" as bits: a dictionary of
 * the distinct values, their offers, and where there are many, {@linkplain SortedValues the order of the numbers}.
 *
 * <p>Offers without a value belong to every answer: they have no such test, or their value is not known yet. Where
 * there are few distinct values, queries that the same of them satisfy share one answer, however many constants are asked about;
 * ranges of many are passed over each time, others remembered while memory allows. Thread-safe.
 */
public final class Column {

    /** With so many distinct values at most, the ones that satisfy a query fit into one word. */
    private static final int ONE_WORD = 64;

    /** Answers kept, at most so many bytes for a column. */
    private static final long MEMORY = 32L << 20;

    private record Query(BinaryOperator operator, Value value) {}

    private final int[] codes;
    private final List<Value> dictionary;
    private final OfferSet without;
    private final boolean complete;
    private final Map<Object, int[]> codesByKey = new HashMap<>();

    /** The offers with a value in the order of its number, and where in it each number begins. */
    private final int[] offersByCode;

    private final int[] startOfCode;
    private final Map<Query, OfferSet> answers = new ConcurrentHashMap<>();

    /** Where there are few values: the offers of those that satisfy a query, one bit each. */
    private final Map<Long, CandidateFilter.Members> membersOf = new ConcurrentHashMap<>();

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
            Object key = Comparisons.hashKey(dictionary.get(code));
            int[] known = codesByKey.getOrDefault(key, new int[0]);
            known = Arrays.copyOf(known, known.length + 1);
            known[known.length - 1] = code;
            codesByKey.put(key, known);
        }
        this.sorted = dictionary.size() > ONE_WORD ? new SortedValues(this, codes.length) : null;
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
                Integer code = codeOf.get(value);
                if (code == null) {
                    code = dictionary.size();
                    codeOf.put(value, code);
                    dictionary.add(value);
                }
                codes[offer] = code;
            }
        }

        boolean has(int offer) {
            return codes[offer] >= 0;
        }

        Column build() {
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

    /** How many offers have the value with this number. */
    int count(int code) {
        return startOfCode[code + 1] - startOfCode[code];
    }

    /** Copies the offers that have the value with this number. */
    void copyOffers(int code, int[] into, int at) {
        System.arraycopy(offersByCode, startOfCode[code], into, at, count(code));
    }

    boolean isComplete() {
        return complete;
    }

    OfferSet without() {
        return without;
    }

    /** The test whether {@code value operator v} is true. */
    CandidateFilter filter(BinaryOperator operator, Value value) {
        if (sorted != null && SortedValues.isRange(operator, value)) {
            return new CandidateFilter.Range(sorted, operator, value);
        }
        return dictionary.size() <= ONE_WORD
                ? membersOf.computeIfAbsent(satisfied(operator, value), this::membersOf)
                : new CandidateFilter.Lookup(this, operator, value);
    }

    /** For {@link CandidateFilter.Lookup}: the offers for which {@code value operator v} is true, and those without a value. Not to be changed. */
    OfferSet where(BinaryOperator operator, Value value) {
        var query = new Query(operator, value);
        OfferSet known = answers.get(query);
        if (known == null) {
            known = answer(operator, value);
            if ((answers.size() + 1L) * known.bytes() <= MEMORY) {
                answers.put(query, known);
            }
        }
        return known;
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

    private CandidateFilter.Members membersOf(long satisfied) {
        OfferSet members = without.copy();
        for (long codesLeft = satisfied; codesLeft != 0; codesLeft &= codesLeft - 1) {
            addOffersOf(Long.numberOfTrailingZeros(codesLeft), members);
        }
        return new CandidateFilter.Members(members);
    }

    private OfferSet answer(BinaryOperator operator, Value value) {
        OfferSet result = without.copy();
        boolean equality = operator == BinaryOperator.EQUAL || operator == BinaryOperator.IS;
        int[] alike = equality ? codesByKey.getOrDefault(Comparisons.hashKey(value), new int[0]) : null;
        for (int i = 0; i < (alike == null ? dictionary.size() : alike.length); i++) {
            int code = alike == null ? i : alike[i];
            if (operator.holds(dictionary.get(code), value)) {
                addOffersOf(code, result);
            }
        }
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
