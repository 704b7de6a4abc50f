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
 *
 * @param attributes of an asker that make a difference to any offer: the pool's part in what is significant
 * @param references to the same attributes
 * @param unlike offers of which no two have the same clauses
 * @param willing the offers but for those whose constraint is false for every asker
 * @param entangled offers that only a check decides: ports of their own are open, or they are unlike
 * @param demanding by attribute, the offers whose constraint depends on it
 */
record OfferDemands(
        List<String> attributes,
        List<AttributeRef> references,
        List<Layer> layers,
        List<Rest> rests,
        OfferSet unlike,
        OfferSet willing,
        OfferSet entangled,
        Map<String, OfferSet> demanding) {

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
     * @param attributes what the clauses want of the asker; may hold {@link MissingAttribute#WHOLE}
     */
    record Rest(int representative, Set<String> attributes, OfferSet members) {}

    /** So few different rests are kept in any case; more of them only if each has so many members. */
    private static final int MANY = 256;

    private static final int FEW_MEMBERS = 4;

    private record TestKey(String attribute, BinaryOperator operator, int repeat) {}

    static OfferDemands of(Offer[] offers) {
        var collector = new Collector(offers.length);
        for (int i = 0; i < offers.length; i++) {
            collector.add(i, offers[i].place());
        }
        return collector.demands();
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
        for (Rest rest : rests) {
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

        void add(int offer, EvaluationSite place) {
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

        OfferDemands demands() {
            List<String> attributes = List.copyOf(new TreeSet<>(demanding.keySet()));
            OfferSet unlike = OfferSet.none(size);
            // Where nearly every offer has other clauses of its own, a set for each would cost more than it saves.
            boolean diverse = rests.size() > MANY && rests.size() > size / FEW_MEMBERS;
            if (diverse) {
                rests.values().forEach(group -> group.members().forEach(unlike::add));
                rests.clear();
            }
            OfferSet willing = OfferSet.all(size);
            willing.removeAll(never);
            entangled.addAll(unlike);
            return new OfferDemands(
                    attributes,
                    attributes.stream().map(AttributeRef::to).toList(),
                    layers.entrySet().stream()
                            .map(layer -> layer(layer.getKey(), layer.getValue(), attributes))
                            .toList(),
                    rests.values().stream().map(this::rest).toList(),
                    unlike,
                    willing,
                    entangled,
                    Map.copyOf(demanding));
        }

        private static Layer layer(TestKey key, Column.Builder constants, List<String> attributes) {
            return new Layer(key.attribute(), attributes.indexOf(key.attribute()), key.operator(), constants.build());
        }

        private Rest rest(Group group) {
            var members = OfferSet.none(size);
            group.members().forEach(members::add);
            return new Rest(members.next(0), group.attributes(), members);
        }

        private void note(
                int offer, Clause clause, EvaluationSite place, List<Object> others, Set<String> wantedByOthers) {
            Set<MissingAttribute> missing = clause.missing();
            for (MissingAttribute wanted : missing) {
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
                others.add(clause.key(true));
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
