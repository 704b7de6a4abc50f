package org.metasched.classad.collector;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;

/**
 * Index of ads by the value of one attribute. It finds at least the ads for which a comparison with a literal is true: an ad in which the
 * attribute must be evaluated is always among them. Updated within the atomic step that changes an ad. Thread-safe.
 */
final class AttributeIndex {

    private final String attribute;
    private final NavigableMap<Double, Set<AdKey>> numbers = new ConcurrentSkipListMap<>();

    /** The ads by their texts; by TRUE those whose attribute must be evaluated, or is neither text nor number. */
    private final Map<Object, Set<AdKey>> others = new ConcurrentHashMap<>();

    AttributeIndex(String attribute) {
        this.attribute = attribute;
    }

    /** Whether an index finds the candidates of a comparison. */
    static boolean answers(CollectorQuery.Term term) {
        boolean isEqual = term.operator() == BinaryOperator.EQUAL || term.operator() == BinaryOperator.IS;
        boolean isIndexable = term.operator().isComparison() && term.operator() != BinaryOperator.NOT_EQUAL;
        // CurrentTime has a value in every ad, also in one without the attribute.
        return !term.attribute().equalsIgnoreCase("CurrentTime")
                && (term.value() instanceof Value.Text
                        ? isEqual
                        : number(term.value()) != null && (isEqual || isIndexable));
    }

    /** Replaces the ad of a key; {@code before} is null for a new key, {@code after} for one that is removed. */
    void update(AdKey key, @Nullable ClassAd before, @Nullable ClassAd after) {
        Object was = mark(before);
        Object is = mark(after);
        if (is != null) {
            change(is, key, true);
        }
        if (was != null && !Objects.equals(was, is)) {
            change(was, key, false);
        }
    }

    /**
     * The key under which an ad is indexed: a text in lower case, a number, or TRUE for a candidate of every comparison; null if the ad
     * lacks the attribute, so that no comparison is true of it.
     */
    private @Nullable Object mark(@Nullable ClassAd ad) {
        var expr = ad == null ? null : ad.lookup(attribute).orElse(null);
        if (expr == null) {
            return null;
        }
        Value value = expr.bare() instanceof Literal literal ? literal.value() : null;
        Object number = value == null ? null : number(value);
        return value instanceof Value.Text text
                ? text.text().toLowerCase(Locale.ROOT)
                : number == null ? Boolean.TRUE : number;
    }

    private static @Nullable Double number(Value value) {
        return value instanceof Value.Int whole
                ? Double.valueOf((double) whole.value())
                : value instanceof Value.Real real && !Double.isNaN(real.value())
                        // -0.0 and 0.0 are equal.
                        ? Double.valueOf(real.value() + 0.0)
                        : null;
    }

    private void change(Object mark, AdKey key, boolean isAdded) {
        if (mark instanceof Double number) {
            change(numbers, number, key, isAdded);
        } else {
            change(others, mark, key, isAdded);
        }
    }

    private static <K> void change(Map<K, Set<AdKey>> sets, K mark, AdKey key, boolean isAdded) {
        sets.compute(mark, (same, known) -> {
            Set<AdKey> set = known == null ? ConcurrentHashMap.newKeySet() : known;
            boolean unused = isAdded ? set.add(key) : set.remove(key);
            return set.isEmpty() ? null : set;
        });
    }

    /** The ads of which a comparison may be true, in sets that are disjoint unless ads change meanwhile. */
    List<Collection<Set<AdKey>>> candidates(CollectorQuery.Term term) {
        if (term.value() instanceof Value.Text text) {
            return List.of(of(others.get(true)), of(others.get(text.text().toLowerCase(Locale.ROOT))));
        }
        double bound = Objects.requireNonNull(number(term.value()), "a number");
        return List.of(
                of(others.get(true)),
                switch (term.operator()) {
                    case LESS, LESS_OR_EQUAL -> numbers.headMap(bound, true).values();
                    case GREATER, GREATER_OR_EQUAL ->
                        numbers.tailMap(bound, true).values();
                    default -> of(numbers.get(bound));
                });
    }

    private static Collection<Set<AdKey>> of(@Nullable Set<AdKey> set) {
        return set == null ? List.of() : List.of(set);
    }
}
