package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.BinaryOperator;

/**
 * The constraints of a pool's offers, inverted: for a value of an attribute of the asker, the offers that accept it. Comparisons with a constant go to a {@link Column} for each attribute and operator; any other clause is
 * written down with the offer's own attributes filled in, and offers with equal texts form an equivalence class that is evaluated once.
 * Immutable, thread-safe.
 */
final class Demands {

    /**
     * Comparisons of one attribute of the asker by one operator: {@code asker.attribute operator constant}.
     *
     * @param place of the attribute in {@link #attributes}
     */
    record Layer(String attribute, int place, BinaryOperator operator, Column constants) {}

    /**
     * Offers with the same other clauses.
     *
     * @param representative one of them
     * @param attributes what the clauses want of the asker; may hold {@link Wanted#WHOLE}
     */
    record Rest(int representative, Set<String> attributes, OfferSet members) {}

    /** So few different rests are kept in any case; more of them only if each has so many members. */
    private static final int MANY = 256;

    private static final int FEW_MEMBERS = 4;

    private record TestKey(String attribute, BinaryOperator operator, int repeat) {}

    private final List<Layer> layers;
    private final List<Rest> rests;
    private final OfferSet unlike;
    private final OfferSet willing;
    private final OfferSet entangled;
    private final Map<String, OfferSet> demanding;
    private final List<String> attributes;
    private final List<AttributeRef> references;

    private Demands(Collector collector) {
        this.attributes = List.copyOf(new TreeSet<>(collector.demanding.keySet()));
        this.layers = collector.layers.entrySet().stream()
                .map(e -> new Layer(
                        e.getKey().attribute(),
                        attributes.indexOf(e.getKey().attribute()),
                        e.getKey().operator(),
                        e.getValue().build()))
                .toList();
        this.unlike = collector.unlike();
        this.rests = collector.rests();
        this.willing = OfferSet.all(collector.size);
        this.willing.removeAll(collector.never);
        this.entangled = collector.entangled;
        this.entangled.addAll(unlike);
        this.demanding = Map.copyOf(collector.demanding);
        this.references = attributes.stream().map(AttributeRef::to).toList();
    }

    static Demands of(List<? extends Offer> offers) {
        var collector = new Collector(offers.size());
        for (int i = 0; i < offers.size(); i++) {
            collector.add(i, offers.get(i).place());
        }
        return new Demands(collector);
    }

    /** The attributes of an asker that make a difference to any offer: the pool's part in what is significant. */
    List<String> attributes() {
        return attributes;
    }

    /** The same as references. */
    List<AttributeRef> references() {
        return references;
    }

    List<Layer> layers() {
        return layers;
    }

    List<Rest> rests() {
        return rests;
    }

    /** A new set of the offers but for those whose constraint is false for every asker. */
    OfferSet willingOffers() {
        return willing.copy();
    }

    /** Offers that only a check decides: ports of their own are open, or no two of them have the same clauses. */
    OfferSet entangled() {
        return entangled;
    }

    /** The offers whose constraint depends on an attribute of the asker. */
    OfferSet demanding(String attribute) {
        OfferSet set = demanding.get(attribute);
        return set == null ? OfferSet.none(willing.poolSize()) : set;
    }

    /** Groups refined so that members also demand the same of some attributes of the asker. */
    EquivalenceClasses refine(EquivalenceClasses classes, Predicate<String> attribute) {
        EquivalenceClasses refined = classes;
        for (Layer layer : layers) {
            if (attribute.test(layer.attribute())) {
                int[] codes = layer.constants().codes().clone();
                for (int i = 0; i < codes.length; i++) {
                    codes[i]++;
                }
                refined = refined.refinedBy(codes);
            }
        }
        if (!unlike.isEmpty() && attributes.stream().anyMatch(attribute)) {
            int[] codes = new int[willing.poolSize()];
            unlike.forEach(offer -> codes[offer] = -1);
            refined = refined.refinedBy(codes);
        }
        for (int i = 0; i < rests.size(); i++) {
            Rest rest = rests.get(i);
            if (rest.attributes().stream().anyMatch(attribute)) {
                int[] codes = new int[willing.poolSize()];
                rest.members().forEach(offer -> codes[offer] = 1);
                refined = refined.refinedBy(codes);
            }
        }
        return refined;
    }

    /** Offers with the same other clauses, while they are collected. */
    private record Group(Set<String> attributes, List<Integer> members) {}

    private static final class Collector {
        private final int size;
        private final Map<TestKey, Column.Builder> layers = new LinkedHashMap<>();
        private final Map<Object, Group> rests = new LinkedHashMap<>();
        private final Map<String, OfferSet> demanding = new HashMap<>();
        private final OfferSet never;
        private final OfferSet entangled;

        Collector(int size) {
            this.size = size;
            this.never = OfferSet.none(size);
            this.entangled = OfferSet.none(size);
        }

        void add(int offer, Place place) {
            var others = new ArrayList<Object>();
            var wanted = new LinkedHashSet<String>();
            for (Clause clause : place.clauses()) {
                if (clause == Clause.Decided.NOT_MET) {
                    never.add(offer);
                } else if (clause != Clause.Decided.MET) {
                    note(offer, clause, place, others, wanted);
                }
            }
            if (!others.isEmpty()) {
                rests.computeIfAbsent(others, key -> new Group(Set.copyOf(wanted), new ArrayList<>(1)))
                        .members()
                        .add(offer);
            }
        }

        /** Whether nearly every offer has other clauses of its own: a set for each would cost more than it saves. */
        private boolean isDiverse() {
            return rests.size() > MANY && rests.size() > size / FEW_MEMBERS;
        }

        OfferSet unlike() {
            var set = OfferSet.none(size);
            if (isDiverse()) {
                rests.values().forEach(group -> group.members().forEach(set::add));
            }
            return set;
        }

        List<Rest> rests() {
            return isDiverse()
                    ? List.of()
                    : rests.values().stream().map(this::rest).toList();
        }

        private Rest rest(Group group) {
            var members = OfferSet.none(size);
            group.members().forEach(members::add);
            return new Rest(members.next(0), group.attributes(), members);
        }

        private void note(int offer, Clause clause, Place place, List<Object> others, Set<String> wantedByOthers) {
            Set<Wanted> missing = clause.missing();
            for (Wanted wanted : missing) {
                if (wanted.bond() == place.own()) {
                    demanding
                            .computeIfAbsent(wanted.attribute(), name -> OfferSet.none(size))
                            .add(offer);
                }
            }
            if (missing.stream().anyMatch(wanted -> wanted.bond() != place.own())) {
                entangled.add(offer);
            } else if (clause instanceof Clause.Test test) {
                layerFor(offer, test).put(offer, test.value());
            } else {
                others.add(clause.key());
                missing.forEach(wanted -> wantedByOthers.add(wanted.attribute()));
            }
        }

        /** A second comparison by the same operator goes one layer deeper. */
        private Column.Builder layerFor(int offer, Clause.Test test) {
            for (int repeat = 0; ; repeat++) {
                var key = new TestKey(test.wanted().attribute(), test.operator(), repeat);
                Column.Builder layer = layers.computeIfAbsent(key, k -> new Column.Builder(size));
                if (!layer.has(offer)) {
                    return layer;
                }
            }
        }
    }
}
