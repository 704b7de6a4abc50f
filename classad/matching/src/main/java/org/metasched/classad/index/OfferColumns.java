package org.metasched.classad.index;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;

/** The attributes of the offers of a pool as columns, read when first asked about, and offers grouped by them. Thread-safe. */
final class OfferColumns {

    private final Offer[] offers;
    private final OfferDemands demands;
    private final Map<String, Column> columns = new ConcurrentHashMap<>();
    private final Map<List<Set<String>>, EquivalenceClasses> classesBy = new ConcurrentHashMap<>();

    OfferColumns(Offer[] offers, OfferDemands demands) {
        this.offers = offers;
        this.demands = demands;
    }

    /** An attribute of every offer, as its neighbours see it. */
    Column column(String attribute) {
        Column known = columns.get(attribute);
        return known != null ? known : columns.computeIfAbsent(attribute, this::read);
    }

    private Column read(String attribute) {
        var builder = new Column.Builder(offers.length);
        AttributeRef name = AttributeRef.to(attribute);
        for (int i = 0; i < offers.length; i++) {
            Value value = valueOf(offers[i], name);
            if (value != null) {
                builder.put(i, value);
            }
        }
        return builder.build();
    }

    private static @Nullable Value valueOf(Offer offer, AttributeRef name) {
        if (offer.side().attribute(name) instanceof Literal literal) {
            return literal.value();
        }
        return offer.place().attribute(name) instanceof PartialValue.Known known ? known.value() : null;
    }

    /**
     * Offers grouped by attributes, members of a group also demanding the same of some attributes of the asker; null if the attributes
     * include the whole ad, by which all offers differ.
     */
    @Nullable
    EquivalenceClasses classes(Collection<String> attributes, Collection<String> demanded) {
        if (attributes.contains(MissingAttribute.WHOLE)) {
            return null;
        }
        var key = List.<Set<String>>of(new TreeSet<>(attributes), new TreeSet<>(demanded));
        EquivalenceClasses known = classesBy.get(key);
        if (known == null) {
            known = EquivalenceClasses.ofAll(offers.length);
            for (String attribute : key.get(0)) {
                known = known.refinedBy(column(attribute).codes());
            }
            known = demands.refine(known, demanded::contains);
            classesBy.put(key, known);
        }
        return known;
    }
}
