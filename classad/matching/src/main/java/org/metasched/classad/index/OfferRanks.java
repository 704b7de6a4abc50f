package org.metasched.classad.index;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/** The ranks of a pool's offers and the ranks that askers give them. Thread-safe. */
final class OfferRanks {

    private final Offer[] offers;
    /** A table pays at once if there are so many times fewer classes than offers, else when it is asked for the third time. */
    private static final int FEW_CLASSES = 4;

    private static final int OFTEN = 3;

    private final Map<Object, Integer> asked = new ConcurrentHashMap<>();
    private final Map<Object, RankTable> tables = new ConcurrentHashMap<>();
    private final boolean constant;
    private @Nullable List<String> attributes;

    OfferRanks(Offer[] offers) {
        this.offers = offers;
        double[] ranks = Arrays.stream(offers)
                .mapToDouble(offer -> constant(offer.side().rank()))
                .distinct()
                .limit(2)
                .toArray();
        this.constant = ranks.length == 0 || ranks.length == 1 && !Double.isNaN(ranks[0]);
    }

    private static double constant(@Nullable Expr rank) {
        return rank == null
                ? 0.0
                : rank instanceof Literal literal ? literal.value().rank() + 0.0 : Double.NaN;
    }

    /** Whether all offers have one constant rank. */
    boolean areConstant() {
        return constant;
    }

    /** The attributes of an asker on which the rank of some offer depends. */
    synchronized List<String> attributes() {
        List<String> known = attributes;
        if (known == null) {
            var names = new TreeSet<String>();
            if (!constant) {
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
    RankTable table(EvaluationSite place, Object key, CandidateIndex index, boolean atOnce) {
        RankTable known = tables.get(key);
        if (known == null) {
            Expr rank = place.side().rank();
            EquivalenceClasses classes = rank == null
                    ? null
                    : index.classes(
                            place.missingFor(rank).stream()
                                    .map(MissingAttribute::attribute)
                                    .toList(),
                            List.of());
            if (classes == null
                    || !atOnce
                            && classes.count() > offers.length / FEW_CLASSES
                            && asked.merge(key, 1, Integer::sum) < OFTEN) {
                return null;
            }
            known = RankTable.of(place, offers, classes);
            if (key instanceof Expr) {
                tables.put(key, known);
            }
        }
        return known;
    }
}
