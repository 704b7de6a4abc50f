package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;

/**
 * The offers of a pool with indexes over them, which are made once and queried many times: a {@link Column} for each attribute that
 * requests test, read at its first use, and the {@link OfferDemands}, for the constraints of the offers. A query takes a few passes over
 * bit sets; a clause that is no test of an attribute is evaluated once for each class of equal offers. The domain that a query returns
 * has every offer that matches; offers that the indexes cannot decide are in it as <em>undecided</em>.
 *
 * <p>Queries are thread-safe; {@link #available} and {@link #replace} belong to one thread.
 */
public final class OfferIndex {

    /** Bytes of the domains of requests that are cached, at most. */
    private static final long MEMORY = 256L << 20;

    /** The number of classes that a lazy query evaluates in any case; more classes only if they have {@link #FEW_MEMBERS} on average. */
    private static final int MANY = 64;

    /** The average size of classes from which evaluating a class costs less than evaluating each offer that is taken. */
    private static final int FEW_MEMBERS = 4;

    /** The offers by number, as the indexes have read them; null before {@link #readDemands} if they are made of ads. */
    private final Offer[] offers;

    private final ClassAd[] ads;
    private final OfferSet none;
    private final OfferSet available;
    private final OfferSet changed;
    private volatile @Nullable OfferDemands demands;
    private volatile @Nullable Boolean openLists;
    private final OfferRanks ranks;
    private final Map<String, Column> columns = new ConcurrentHashMap<>();

    /** The classes by the two sets of names that {@link #classes} is given. */
    private final Map<List<Set<String>>, EquivalenceClasses> classesBy = new ConcurrentHashMap<>();

    private final Map<Request, Domain> answers = new ConcurrentHashMap<>();
    private final LongAdder evaluations = new LongAdder();

    /** @param offers the offers in the order of their numbers, which begin with 0 */
    public OfferIndex(List<? extends Offer> offers) {
        this(
                offers.toArray(Offer[]::new),
                offers.stream().map(offer -> offer.side().holder()).toArray(ClassAd[]::new));
    }

    private OfferIndex(Offer[] offers, ClassAd[] ads) {
        this.offers = offers;
        this.ads = ads;
        this.none = OfferSet.none(ads.length);
        this.available = OfferSet.all(ads.length);
        this.changed = OfferSet.none(ads.length);
        this.ranks = new OfferRanks(this);
    }

    /** The index of ads without ports, each of which is one offer. An ad is read at the first query that needs it. */
    public static OfferIndex ofWhole(Collection<ClassAd> ads) {
        return new OfferIndex(new Offer[ads.size()], ads.toArray(ClassAd[]::new));
    }

    /** The constraints of the offers, read at the first call. */
    OfferDemands demands() {
        OfferDemands known = demands;
        return known == null ? readDemands() : known;
    }

    private synchronized OfferDemands readDemands() {
        OfferDemands known = demands;
        if (known == null) {
            Arrays.setAll(offers, this::offer);
            known = new OfferDemands(offers);
            demands = known;
        }
        return known;
    }

    /** Makes the indexes now, rather than at the first query. */
    public void prepare() {
        demands();
    }

    /** Whether the indexes have been made. */
    public boolean isPrepared() {
        return demands != null;
    }

    /** The number of offers, consumed ones included. */
    public int size() {
        return offers.length;
    }

    /** The offer of a number from 0. */
    public Offer offer(int number) {
        Offer read = changed.contains(number) ? null : offers[number];
        return read == null ? Offer.of(ads[number]) : read;
    }

    /** The offer of a number before any replacement, for which the indexes, once made, stand. */
    Offer indexed(int number) {
        return offers[number];
    }

    /** The ad of an offer. */
    public ClassAd ad(int number) {
        return ads[number];
    }

    /** The offers that are not consumed. The set is not copied: the caller removes the offers that it takes, and may add them again. */
    public OfferSet available() {
        return available;
    }

    /** Replaces the ad of an offer. Indexes that exist do not cover the new ad: it is evaluated by each query. */
    public void replace(int number, ClassAd ad) {
        ads[number] = ad;
        if (isPrepared()) {
            changed.add(number);
        } else {
            offers[number] = Offer.of(ad);
        }
    }

    /** The offers whose ads were replaced. The set is not copied: the caller must not change it. */
    public OfferSet changed() {
        return changed;
    }

    /** The number of evaluations that queries needed so far. */
    public long evaluations() {
        return evaluations.sum();
    }

    /** The ranks that offers and requests give each other, for the offers as they were before any replacement. */
    public OfferRanks ranks() {
        return ranks;
    }

    /** Whether any offer, before any replacement, has a list with elements that are no constants. Determined at the first call. */
    public boolean hasOpenLists() {
        Boolean known = openLists;
        if (known == null) {
            known = Arrays.stream(ads).anyMatch(ad -> OpenLists.in(ad.expressions()));
            openLists = known;
        }
        return known;
    }

    /** The attributes of a requesting ad on which the constraint of some offer depends. */
    public List<String> demandedAttributes() {
        return demands().attributes;
    }

    /** The values of an attribute of all offers, as their neighbours see it. */
    public Column column(String attribute) {
        Column known = columns.get(attribute);
        return known != null ? known : columns.computeIfAbsent(attribute, this::read);
    }

    private Column read(String attribute) {
        prepare();
        AttributeRef name = AttributeRef.to(attribute);
        var values = new @Nullable Value[offers.length];
        Arrays.setAll(values, number -> valueOf(indexed(number), name));
        return new Column(values);
    }

    /** Whether what is wanted of offers depends on the neighbour at some of them. */
    public boolean dependsOnNeighbour(MissingAttribute wanted) {
        return wanted.isWhole() || column(wanted.attribute()).hasUnknown;
    }

    /** The value of an attribute of an offer; null if it depends on the neighbour. */
    private static @Nullable Value valueOf(Offer offer, AttributeRef name) {
        if (offer.side().attribute(name) instanceof Literal literal) {
            return literal.value();
        }
        return offer.site().attribute(name) instanceof PartialValue.Known known ? known.value() : null;
    }

    /**
     * The classes of offers that have the same values of attributes and the same constraints on attributes of the requesting ad.
     *
     * @param attributes attributes of the offers
     * @param demanded attributes of the requesting ad
     * @return the classes; null if {@code attributes} includes the whole ad, by which all offers differ
     */
    public @Nullable EquivalenceClasses classes(Collection<String> attributes, Collection<String> demanded) {
        if (attributes.contains(MissingAttribute.WHOLE)) {
            return null;
        }
        var key = List.<Set<String>>of(new TreeSet<>(attributes), new TreeSet<>(demanded));
        return classesBy.computeIfAbsent(key, names -> {
            var classes = EquivalenceClasses.ofAll(offers.length);
            for (String attribute : names.get(0)) {
                int[] codes = column(attribute).codes();
                classes = classes.refinedBy(offer -> codes[offer]);
            }
            return demands().refine(classes, demanded::contains);
        });
    }

    /**
     * The steps that answer a request, prepared once, so that most of the work is passes over bit sets.
     *
     * @param filters operations that each remove the offers that fail a test from a set
     * @param rests the clauses of offers, other than tests, that known attributes of the requesting ad decide
     * @param opaque the clauses of the request that are no tests
     * @param undecided offers without a known value of an attribute that is tested
     * @param deferred offers whose constraint depends on an attribute of the requesting ad that is not known yet
     */
    record Plan(
            List<Consumer<OfferSet>> filters,
            List<OfferDemands.Rest> rests,
            List<Clause.Opaque> opaque,
            OfferSet undecided,
            OfferSet deferred) {}

    /** The plan of a request, which the request keeps. */
    private Plan plan(Request request) {
        Plan known = request.plan;
        if (known == null) {
            var filters = new ArrayList<Consumer<OfferSet>>();
            var opaque = new ArrayList<Clause.Opaque>();
            OfferSet undecided = filters(request.clauses, filters, opaque);
            OfferSet deferred = demands().filters(request, filters);
            var rests = new ArrayList<>(demands().rests);
            rests.removeIf(rest -> !Collections.disjoint(rest.attributes(), request.undecidedAttributes()));
            known = new Plan(filters, rests, opaque, undecided, deferred);
            request.plan = known;
        }
        return known;
    }

    /** Adds filters for tests, and other clauses to {@code opaque}; returns the offers without a known value of a tested attribute. */
    private OfferSet filters(
            List<? extends Clause> clauses, List<Consumer<OfferSet>> into, List<Clause.Opaque> opaque) {
        OfferSet undecided = none;
        for (Clause clause : clauses) {
            if (clause instanceof Clause.Test test) {
                Column column = column(test.wanted().attribute());
                undecided = OfferSet.union(undecided, column.without());
                into.add(column.filter(test.operator(), test.value()));
            } else if (clause instanceof Clause.AnyOf any) {
                var tests = new ArrayList<Consumer<OfferSet>>();
                undecided = OfferSet.union(undecided, filters(any.tests(), tests, opaque));
                OfferSet met = none.copy();
                for (Consumer<OfferSet> test : tests) {
                    OfferSet one = OfferSet.all(offers.length);
                    test.accept(one);
                    met.addAll(one);
                }
                into.add(set -> set.retainAll(met));
            } else if (clause instanceof Clause.Opaque other) {
                opaque.add(other);
            } else if (clause == Clause.Decided.NOT_MET) {
                into.add(OfferSet::clear);
            }
        }
        return undecided;
    }

    /** Reads the columns that a request needs now, rather than when it is answered. */
    public void prepare(Request request) {
        plan(request);
    }

    /** Whether answering a request needs evaluations: its links must then be bound as they were when it was made. */
    public boolean mustEvaluate(Request request) {
        return !plan(request).opaque().isEmpty() || !plan(request).rests().isEmpty();
    }

    /** The domain of a request, which includes offers that are not available. It is cached if there is memory. */
    public Domain domain(Request request) {
        return withChanged(indexedDomain(request, false));
    }

    /**
     * The domain of a request by the indexes alone, which is wrong for changed offers.
     *
     * @param lazily whether offers of many classes remain undecided: a caller that takes only one offer evaluates less by checking the
     *     offers that it tries
     */
    public Domain indexedDomain(Request request, boolean lazily) {
        Domain known = answers.get(request);
        if (known == null) {
            known = answer(request, lazily);
            if ((answers.size() + 1L) * 2 * known.offers().bytes() <= MEMORY) {
                answers.put(request, known);
            }
        }
        return known;
    }

    /** The domain of a request that will not be repeated, which is not cached. */
    public Domain domainOnce(Request request) {
        return withChanged(answer(request, false));
    }

    /** A domain with all changed offers added as undecided ones. */
    public Domain withChanged(Domain candidates) {
        if (changed.isEmpty()) {
            return candidates;
        }
        OfferSet all = candidates.offers().copy();
        OfferSet undecided = candidates.undecided().copy();
        all.addAll(changed);
        undecided.addAll(changed);
        return new Domain(all, undecided, candidates.deferred());
    }

    /** Computes the domain of a request by the indexes. */
    private Domain answer(Request request, boolean lazily) {
        Plan plan = plan(request);
        OfferSet set = demands().willing.copy();
        plan.filters().forEach(filter -> filter.accept(set));
        for (OfferDemands.Rest rest : plan.rests()) {
            if (set.intersects(rest.members()) && !isWilling(rest, request)) {
                set.removeAll(rest.members());
            }
        }
        OfferSet undecided = plan.undecided();
        for (Clause.Opaque clause : plan.opaque()) {
            undecided = OfferSet.union(undecided, keep(clause, request.site(), set, lazily));
        }
        return new Domain(set, OfferSet.union(demands().entangled, undecided), plan.deferred());
    }

    /**
     * The offers that meet one clause, whatever their own constraints are.
     *
     * @param site the requesting ad that has the clause
     * @param undecided a set to which the offers are added that are in the result, but may fail the clause
     */
    public OfferSet meeting(EvaluationSite site, Clause clause, OfferSet undecided) {
        var set = OfferSet.all(offers.length);
        var filters = new ArrayList<Consumer<OfferSet>>();
        var opaque = new ArrayList<Clause.Opaque>();
        undecided.addAll(filters(List.of(clause), filters, opaque));
        filters.forEach(filter -> filter.accept(set));
        opaque.forEach(other -> undecided.addAll(keep(other, site, set, false)));
        set.addAll(changed);
        undecided.addAll(changed);
        return set;
    }

    /** Removes the offers that fail a clause that is no test from a set; returns the offers that are not decided. */
    private OfferSet keep(Clause.Opaque clause, EvaluationSite site, OfferSet set, boolean lazily) {
        var attributes =
                clause.wanted().stream().map(MissingAttribute::attribute).toList();
        EquivalenceClasses classes = classes(attributes, List.of());
        if (classes == null || classes.count() > MANY && classes.count() > set.count() / FEW_MEMBERS && lazily) {
            return set.copy();
        }
        OfferSet undecided = none;
        for (String attribute : attributes) {
            undecided = OfferSet.union(undecided, column(attribute).without());
        }
        var verdicts = new byte[classes.count()]; // 0: unknown, 1: met, 2: not met
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            int group = classes.classOf(offer);
            if (verdicts[group] == 0 && !undecided.contains(offer)) {
                evaluations.increment();
                verdicts[group] = (byte) (site.facing(indexed(offer).site(), clause::isMet) ? 1 : 2);
            }
            if (verdicts[group] == 2) {
                set.remove(offer);
            }
        }
        return undecided;
    }

    /** Whether the request meets the clauses that are no tests of a group of offers that share them. */
    private boolean isWilling(OfferDemands.Rest rest, Request request) {
        evaluations.increment();
        EvaluationSite offer = indexed(rest.members().next(0)).site();
        List<EvaluationSite.Conjunct> shared = offer.conjuncts().stream()
                .filter(conjunct -> OfferDemands.isRest(conjunct.read()))
                .toList();
        offer.own().bind(request.site());
        return shared.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
    }
}
