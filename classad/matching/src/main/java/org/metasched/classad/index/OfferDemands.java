package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;

/**
 * The constraints of a pool's offers, inverted: for a value of an attribute of the requesting ad, the offers that accept it. Comparisons
 * with a constant are in a {@link Column} for each attribute and operator; other clauses have the offer's own attributes filled in, and
 * offers with equal ones form an equivalence class that is evaluated once. Not changed once it is made, thread-safe.
 */
final class OfferDemands {

    /**
     * The number of {@link Rest rests} that are kept in any case; more of them only with {@link #FEW_MEMBERS} members each on
     * average.
     */
    private static final int MANY = 256;

    private static final int FEW_MEMBERS = 4;

    private record TestKey(String attribute, BinaryOperator operator, int repeat) {}

    /** Comparisons of one attribute of the requesting ad by one operator: {@code ad.attribute operator constant}. */
    private record Layer(int attribute, BinaryOperator operator, Column constants) {

        Consumer<OfferSet> filter(Value value) {
            return Comparisons.isScalar(value)
                    ? constants.filter(operator.mirrored(), value)
                    : set -> set.retainAll(constants.without());
        }
    }

    /**
     * Offers whose clauses are equal, apart from comparisons with a constant.
     *
     * @param attributes attributes of the requesting ad that the clauses want, or {@link MissingAttribute#WHOLE}
     */
    record Rest(Set<String> attributes, OfferSet members) {}

    /** The members of a {@link Rest} while they are collected. */
    private record Group(Set<String> attributes, List<Integer> members) {}

    /** Attributes of a requesting ad on which any offer's constraint depends, and references to them. */
    final List<String> attributes;

    final List<AttributeRef> references;

    /** The offers but for those whose constraint is false for every requesting ad. */
    final OfferSet willing;

    /** Offers that only a check decides: they depend on other open ports, or are {@link #unlike}. */
    final OfferSet entangled;

    final List<Rest> rests;

    /** Whether all offers have the same constant rank. */
    final boolean ranksAreEqual;

    /** Offers of which no two have the same clauses. */
    private final OfferSet unlike;

    private final List<Layer> layers;
    private final OfferSet none;

    /** By attribute, the offers whose constraint depends on it. */
    private final Map<String, OfferSet> demanding = new TreeMap<>();

    OfferDemands(Offer[] offers) {
        int size = offers.length;
        none = OfferSet.none(size);
        willing = OfferSet.all(size);
        entangled = OfferSet.none(size);
        unlike = OfferSet.none(size);
        var tests = new LinkedHashMap<TestKey, @Nullable Value[]>();
        var groups = new LinkedHashMap<Object, Group>();
        for (int offer = 0; offer < size; offer++) {
            read(offer, offers[offer].site(), tests, groups);
        }
        // If nearly every offer has its own other clauses, a set for each would cost more than it saves.
        if (groups.size() > MANY && groups.size() > size / FEW_MEMBERS) {
            groups.values().forEach(group -> group.members().forEach(unlike::add));
            entangled.addAll(unlike);
            groups.clear();
        }
        attributes = List.copyOf(demanding.keySet());
        references = attributes.stream().map(AttributeRef::to).toList();
        var read = new ArrayList<Layer>();
        tests.forEach((key, constants) ->
                read.add(new Layer(attributes.indexOf(key.attribute()), key.operator(), new Column(constants))));
        layers = read;
        rests = groups.values().stream().map(group -> rest(group, size)).toList();
        double[] ranks = Arrays.stream(offers)
                .mapToDouble(offer -> constant(offer.side().rank()))
                .distinct()
                .limit(2)
                .toArray();
        ranksAreEqual = ranks.length == 0 || ranks.length == 1 && !Double.isNaN(ranks[0]);
    }

    private static Rest rest(Group group, int size) {
        var members = OfferSet.none(size);
        group.members().forEach(members::add);
        return new Rest(group.attributes(), members);
    }

    private static double constant(@Nullable Expr rank) {
        return rank == null
                ? 0.0
                : rank instanceof Literal literal ? literal.value().rank() + 0.0 : Double.NaN;
    }

    private void read(
            int offer, EvaluationSite site, Map<TestKey, @Nullable Value[]> tests, Map<Object, Group> groups) {
        var others = new ArrayList<Object>();
        var wantedByOthers = new LinkedHashSet<String>();
        for (Clause clause : site.clauses()) {
            Set<MissingAttribute> missing = clause.missing();
            for (MissingAttribute wanted : missing) {
                if (wanted.link() == site.own()) {
                    demanding
                            .computeIfAbsent(wanted.attribute(), name -> OfferSet.none(willing.poolSize()))
                            .add(offer);
                }
            }
            if (clause == Clause.Decided.NOT_MET) {
                willing.remove(offer);
            } else if (!missing.isEmpty() && missing.stream().anyMatch(wanted -> wanted.link() != site.own())) {
                entangled.add(offer);
            } else if (clause instanceof Clause.Test test) {
                layerFor(offer, test, tests)[offer] = test.value();
            } else if (isRest(clause)) {
                others.add(clause.key(true));
                missing.forEach(wanted -> wantedByOthers.add(wanted.attribute()));
            }
        }
        if (!others.isEmpty()) {
            groups.computeIfAbsent(others, key -> new Group(Set.copyOf(wantedByOthers), new ArrayList<>(1)))
                    .members()
                    .add(offer);
        }
    }

    /** The layer of an offer's comparison; a second one by the same operator goes one layer deeper. */
    private @Nullable Value[] layerFor(int offer, Clause.Test test, Map<TestKey, @Nullable Value[]> tests) {
        for (int repeat = 0; ; repeat++) {
            var key = new TestKey(test.wanted().attribute(), test.operator(), repeat);
            @Nullable Value[] layer = tests.computeIfAbsent(key, k -> new Value[willing.poolSize()]);
            if (layer[offer] == null) {
                return layer;
            }
        }
    }

    /** Whether a clause of an offer belongs to its {@link Rest}. */
    static boolean isRest(Clause clause) {
        return clause instanceof Clause.AnyOf || clause instanceof Clause.Opaque;
    }

    /**
     * Looks up the offers whose comparisons with the requesting ad's known values are true.
     *
     * @return the offers whose constraint depends on an attribute of the requesting ad that is not known yet
     */
    OfferSet filters(Request request, List<Consumer<OfferSet>> into) {
        for (Layer layer : layers) {
            if (request.judgedBy.get(layer.attribute()) instanceof PartialValue.Known known) {
                into.add(layer.filter(known.value()));
            }
        }
        OfferSet deferred = none;
        for (String attribute : request.undecidedAttributes()) {
            deferred = OfferSet.union(deferred, demanding.getOrDefault(attribute, none));
        }
        return deferred;
    }

    /** Classes refined so that members also have the same demands on some attributes of the requesting ad. */
    EquivalenceClasses refine(EquivalenceClasses classes, Predicate<String> attribute) {
        EquivalenceClasses refined = classes;
        for (Layer layer : layers) {
            if (attribute.test(attributes.get(layer.attribute()))) {
                int[] codes = layer.constants().codes();
                refined = refined.refinedBy(offer -> codes[offer] + 1);
            }
        }
        if (!unlike.isEmpty() && attributes.stream().anyMatch(attribute)) {
            refined = refined.refinedBy(offer -> unlike.contains(offer) ? -1 : 0);
        }
        for (Rest rest : rests) {
            if (rest.attributes().stream().anyMatch(attribute)) {
                refined = refined.refinedBy(offer -> rest.members().contains(offer) ? 1 : 0);
            }
        }
        return refined;
    }
}
