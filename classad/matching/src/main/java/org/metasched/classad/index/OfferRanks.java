package org.metasched.classad.index;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/**
 * The ranks that a pool's offers and requesting ads give each other, computed from the offers as the indexes have read them: a later
 * {@link OfferIndex#replace} changes nothing here. Thread-safe.
 */
public final class OfferRanks {

    /** Average size of equivalence classes from which the first request of a rank makes its table. */
    private static final int LARGE_CLASSES = 4;
    /** The number of requests of a rank from which its table is made if classes are smaller. */
    private static final int REQUESTS = 3;

    private final OfferIndex index;
    private final Map<Object, Integer> requests = new ConcurrentHashMap<>();
    private final Map<Object, RankTable> tables = new ConcurrentHashMap<>();
    private @Nullable List<String> attributes;

    OfferRanks(OfferIndex index) {
        this.index = index;
    }

    /** Whether all offers have the same constant rank. */
    public boolean areEqual() {
        return index.demands().ranksAreEqual;
    }

    /** The attributes of a requesting ad on which the rank of some offer depends; {@link MissingAttribute#WHOLE} for the ad itself. */
    public synchronized List<String> attributes() {
        if (attributes == null) {
            var names = new TreeSet<String>();
            // indexed() needs the indexes, which areEqual() makes. Without offers, neither is called.
            for (int i = 0; i < index.size() && !areEqual(); i++) {
                Offer offer = index.indexed(i);
                Expr rank = offer.side().rank();
                if (rank != null && !(rank instanceof Literal)) {
                    offer.site().missingFor(rank).forEach(wanted -> names.add(wanted.attribute()));
                }
            }
            attributes = List.copyOf(names);
        }
        return attributes;
    }

    /**
     * The ranks that the ad at a site gives all offers; null if it has no rank, if the rank depends on the whole ad of an offer, or if it
     * was requested too seldom to be worth a table.
     *
     * @param key equal for equal ranks; an object that is no {@link Expr} is equal to no other
     * @param atOnce whether the first request makes the table
     */
    public @Nullable RankTable table(EvaluationSite site, Object key, boolean atOnce) {
        RankTable known = tables.get(key);
        Expr rank = site.side().rank();
        if (known != null || rank == null) {
            return known;
        }
        Set<MissingAttribute> wanted = site.missingFor(rank);
        EquivalenceClasses classes =
                index.classes(wanted.stream().map(MissingAttribute::attribute).toList(), List.of());
        boolean isShared = key instanceof Expr && wanted.stream().noneMatch(index::dependsOnNeighbour);
        boolean areLarge = classes != null && classes.count() <= index.size() / LARGE_CLASSES;
        if (classes == null
                || !atOnce && !areLarge && !(isShared && requests.merge(key, 1, Integer::sum) >= REQUESTS)) {
            return null;
        }
        known = new RankTable(site, index, classes);
        if (isShared) {
            tables.put(key, known);
        }
        return known;
    }
}
