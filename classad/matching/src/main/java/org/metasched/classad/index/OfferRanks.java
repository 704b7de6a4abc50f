package org.metasched.classad.index;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/** The ranks of a pool's offers and the ranks that askers give them. Thread-safe but for {@link #attributes}. */
final class OfferRanks {

    private final Offer[] offers;
    /** A table pays at once if there are so many times fewer classes than offers, else when it is asked for the third time. */
    private static final int FEW_CLASSES = 4;

    private static final int OFTEN = 3;

    private final Map<Object, Integer> asked = new ConcurrentHashMap<>();
    private final Map<Object, RankTable> tables = new ConcurrentHashMap<>();
    private volatile @Nullable Boolean constant;
    private @Nullable List<String> attributes;

    OfferRanks(Offer[] offers) {
        this.offers = offers;
    }

    /** Whether all offers have one constant rank. */
    boolean areConstant() {
        Boolean known = constant;
        return known == null ? readConstant() : known;
    }

    private synchronized boolean readConstant() {
        Boolean known = constant;
        if (known == null) {
            known = true;
            double first = 0.0;
            for (int i = 0; i < offers.length && known; i++) {
                Expr expr = offers[i].side().rank();
                if (expr == null || expr instanceof Literal) {
                    double rank =
                            expr instanceof Literal literal ? literal.value().rank() : 0.0;
                    first = i == 0 ? rank : first;
                    known = rank == first;
                } else {
                    known = false;
                }
            }
            constant = known;
        }
        return known;
    }

    /** The attributes of an asker on which the rank of some offer depends. */
    List<String> attributes() {
        List<String> known = attributes;
        if (known == null) {
            var names = new TreeSet<String>();
            if (!areConstant()) {
                for (Offer offer : offers) {
                    Expr rank = offer.side().rank();
                    if (rank != null && !(rank instanceof Literal)) {
                        offer.place().missingFor(rank).forEach(wanted -> names.add(wanted.attribute()));
                    }
                }
            }
            known = List.copyOf(names);
            attributes = known;
        }
        return known;
    }

    /** The ranks a place gives to all offers of a pool; null if it depends on the whole ad. */
    @Nullable
    RankTable table(EvaluationSite place, Object key, OfferIndex pool, OfferColumns columns, boolean atOnce) {
        RankTable known = tables.get(key);
        if (known == null) {
            Expr rank = place.side().rank();
            EquivalenceClasses classes = rank == null
                    ? null
                    : columns.classes(place.missingFor(rank).stream()
                            .map(MissingAttribute::attribute)
                            .toList());
            if (classes == null
                    || !atOnce
                            && classes.count() > offers.length / FEW_CLASSES
                            && asked.merge(key, 1, Integer::sum) < OFTEN) {
                return null;
            }
            known = RankTable.of(place, pool, classes);
            if (key instanceof Expr) {
                tables.put(key, known);
            }
        }
        return known;
    }
}
