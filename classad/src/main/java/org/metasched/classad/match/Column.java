package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * One value for each offer of a pool, or none, and the answer to "for which offers is value OP v true?" as bits: a dictionary of
 * the distinct values, their offers, and for ordered values sorted offers with a bit set at every hundredth or so.
 *
 * <p>Offers without a value belong to every answer: they are offers that do not ask, or whose value cannot be told yet. An answer
 * costs a lookup when it was asked before and memory allows, else one pass of n/64 words and n/128 single bits at most. Where there
 * are few distinct values, queries that the same of them satisfy share one answer, however many constants are asked about.
 * Thread-safe.
 */
final class Column {

    private static final int FEW = 256;
    private static final int STEPS = 128;

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
    private final Map<Long, OfferSet> answersBySatisfied = new ConcurrentHashMap<>();
    private final @Nullable Steps steps;

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
        this.steps = dictionary.size() > FEW ? new Steps() : null;
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

        /** Gives an offer a value; a list or an ad counts as one that cannot be told. */
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
    int[] codes() {
        return codes;
    }

    @Nullable
    Value value(int offer) {
        return codes[offer] < 0 ? null : dictionary.get(codes[offer]);
    }

    List<Value> values() {
        return dictionary;
    }

    /** How many offers have the value with this number. */
    int count(int code) {
        return startOfCode[code + 1] - startOfCode[code];
    }

    boolean isComplete() {
        return complete;
    }

    OfferSet without() {
        return without;
    }

    /** The offers for which {@code value operator v} is true, and those without a value. Not to be changed. */
    OfferSet where(BinaryOperator operator, Value value) {
        if (dictionary.size() <= ONE_WORD) {
            return ofCodes(satisfied(operator, value));
        }
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
            if (Comparisons.holds(operator, dictionary.get(code), value)) {
                satisfied |= 1L << code;
            }
        }
        return satisfied;
    }

    private OfferSet ofCodes(long satisfied) {
        OfferSet known = answersBySatisfied.get(satisfied);
        if (known == null) {
            known = without.copy();
            for (long codesLeft = satisfied; codesLeft != 0; codesLeft &= codesLeft - 1) {
                addOffersOf(Long.numberOfTrailingZeros(codesLeft), known);
            }
            if ((answersBySatisfied.size() + 1L) * known.bytes() <= MEMORY) {
                answersBySatisfied.put(satisfied, known);
            }
        }
        return known;
    }

    private OfferSet answer(BinaryOperator operator, Value value) {
        OfferSet result = without.copy();
        if (operator == BinaryOperator.EQUAL || operator == BinaryOperator.IS) {
            for (int code : codesByKey.getOrDefault(Comparisons.hashKey(value), new int[0])) {
                addIfHolds(code, operator, value, result);
            }
        } else if (steps == null || !steps.add(operator, value, result)) {
            for (int code = 0; code < dictionary.size(); code++) {
                addIfHolds(code, operator, value, result);
            }
        }
        return result;
    }

    private void addIfHolds(int code, BinaryOperator operator, Value value, OfferSet into) {
        if (Comparisons.holds(operator, dictionary.get(code), value)) {
            addOffersOf(code, into);
        }
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

    /** The numeric values in ascending order, and after every so many offers the set of all up to there. */
    private final class Steps {
        private final int[] sorted;
        private final double[] keys;

        /** The offers in the order of their values, and where in it each value begins. */
        private final int[] offers;

        private final int[] startOf;
        private final List<OfferSet> upTo = new ArrayList<>();
        private final List<Integer> codeAt = new ArrayList<>();
        private final OfferSet numeric = OfferSet.none(codes.length);

        Steps() {
            sorted = java.util.stream.IntStream.range(0, dictionary.size())
                    .filter(code -> Comparisons.isNumeric(dictionary.get(code)))
                    .filter(code -> !Double.isNaN(dictionary.get(code).rank()))
                    .boxed()
                    .sorted(Comparator.comparingDouble(
                            code -> dictionary.get(code).rank()))
                    .mapToInt(Integer::intValue)
                    .toArray();
            keys = Arrays.stream(sorted)
                    .mapToDouble(code -> dictionary.get(code).rank() + 0.0)
                    .toArray();
            startOf = new int[sorted.length + 1];
            for (int i = 0; i < sorted.length; i++) {
                startOf[i + 1] = startOf[i] + count(sorted[i]);
            }
            offers = new int[startOf[sorted.length]];
            for (int i = 0; i < sorted.length; i++) {
                System.arraycopy(offersByCode, startOfCode[sorted[i]], offers, startOf[i], count(sorted[i]));
            }
            takeSteps();
        }

        private void takeSteps() {
            int every = Math.max(64, codes.length / STEPS);
            int sinceLast = every;
            for (int i = 0; i < sorted.length; i++) {
                if (sinceLast >= every) {
                    upTo.add(numeric.copy());
                    codeAt.add(i);
                    sinceLast = 0;
                }
                addOffers(i, i + 1, numeric);
                sinceLast += startOf[i + 1] - startOf[i];
            }
        }

        private void addOffers(int from, int end, OfferSet into) {
            for (int i = startOf[from]; i < startOf[end]; i++) {
                into.add(offers[i]);
            }
        }

        /** Adds the offers a range asks for; false if this is not a range of numbers. */
        boolean add(BinaryOperator operator, Value value, OfferSet into) {
            if (!operator.isComparison() || operator == BinaryOperator.NOT_EQUAL || !Comparisons.isNumeric(value)) {
                return false;
            }
            double key = value.rank() + 0.0;
            if (Double.isNaN(key)) {
                return true;
            }
            int below = lowerBound(key);
            int above = below;
            // Equal as doubles may still differ as integers: those few are compared one by one.
            while (above < keys.length && keys[above] == key) {
                addIfHolds(sorted[above++], operator, value, into);
            }
            if (operator == BinaryOperator.LESS || operator == BinaryOperator.LESS_OR_EQUAL) {
                addBefore(below, into);
            } else {
                OfferSet before = OfferSet.none(codes.length);
                addBefore(above, before);
                into.addDifference(numeric, before);
            }
            return true;
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

        private void addBefore(int end, OfferSet into) {
            if (upTo.isEmpty()) {
                return;
            }
            int step = 0;
            int low = 0;
            int high = codeAt.size() - 1;
            while (low <= high) {
                int middle = low + high >>> 1;
                if (codeAt.get(middle) <= end) {
                    step = middle;
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            into.addAll(upTo.get(step));
            if (codeAt.get(step) < end) {
                addOffers(codeAt.get(step), end, into);
            }
        }
    }
}
