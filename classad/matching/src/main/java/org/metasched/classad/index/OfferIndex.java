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
 * Offers with indexes over them, made once and queried many times: columns, which are read at first use, and the demands of the
 * offers. The columns follow from the constraints of requests and offers, never from a list of names. A query costs a few passes
 * over bits; clauses that are no tests are evaluated once for each group of equal offers. Loses no candidate.
 *
 * <p>Queries are thread-safe; {@link #available} and {@link #replace} belong to one thread.
 */
public final class OfferIndex {

    /** The most bytes of answers to whole requests that are kept. */
    private static final long MEMORY = 256L << 20;

    /** The number of classes that are evaluated in any case; more of them only with {@link #FEW_MEMBERS} members each on average. */
    private static final int MANY = 64;

    private static final int FEW_MEMBERS = 4;

    private final Offer[] offers;
    private final ClassAd[] ads;
    private final OfferSet none;
    private final OfferSet available;
    private final OfferSet changed;
    private volatile @Nullable OfferDemands demands;
    private volatile @Nullable Boolean openLists;
    private final OfferRanks ranks;
    private final Map<String, Column> columns = new ConcurrentHashMap<>();
    private final Map<List<Set<String>>, EquivalenceClasses> classesBy = new ConcurrentHashMap<>();
    private final Map<Request, Domain> answers = new ConcurrentHashMap<>();
    private final LongAdder evaluations = new LongAdder();

    /** @param offers in the order of their numbers, from 0 on */
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

    /** Ads that match as a whole; an ad is read at the first query that needs it. */
    public static OfferIndex ofWhole(Collection<ClassAd> ads) {
        return new OfferIndex(new Offer[ads.size()], ads.toArray(ClassAd[]::new));
    }

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

    /** Number of offers, consumed ones included. */
    public int size() {
        return offers.length;
    }

    /** The offer of a number, from 0 on. */
    public Offer offer(int number) {
        Offer read = offers[number];
        return read == null ? Offer.of(ads[number]) : read;
    }

    /** The ad of an offer. */
    public ClassAd ad(int number) {
        return ads[number];
    }

    /** The offers not consumed yet; the caller removes what it takes and may put it back. */
    public OfferSet available() {
        return available;
    }

    /** Puts another ad in the place of an offer's. Existing indexes do not cover it: it is evaluated each time. */
    public void replace(int number, ClassAd ad) {
        offers[number] = Offer.of(ad);
        ads[number] = ad;
        if (isPrepared()) {
            changed.add(number);
        }
    }

    /** The offers whose ads were replaced; not to be changed by the caller. */
    public OfferSet changed() {
        return changed;
    }

    /** Two-sided checks that the indexes themselves needed so far. */
    public long evaluations() {
        return evaluations.sum();
    }

    /** The ranks of the offers, before any changed, and those that requesting ads give them. */
    public OfferRanks ranks() {
        return ranks;
    }

    /** Whether an offer, before any changed, has a list with elements other than constants. Determined at the first query. */
    public boolean hasOpenLists() {
        Boolean known = openLists;
        if (known == null) {
            known = Arrays.stream(ads).anyMatch(OpenLists::in);
            openLists = known;
        }
        return known;
    }

    /** The attributes of a requesting ad on which the constraint of some offer depends. */
    public List<String> demandedAttributes() {
        return demands().attributes;
    }

    /** An attribute of every offer, as its neighbours see it. */
    public Column column(String attribute) {
        Column known = columns.get(attribute);
        return known != null ? known : columns.computeIfAbsent(attribute, this::read);
    }

    private Column read(String attribute) {
        prepare();
        AttributeRef name = AttributeRef.to(attribute);
        var values = new @Nullable Value[offers.length];
        Arrays.setAll(values, number -> valueOf(offer(number), name));
        return new Column(values);
    }

    private static @Nullable Value valueOf(Offer offer, AttributeRef name) {
        if (offer.side().attribute(name) instanceof Literal literal) {
            return literal.value();
        }
        return offer.place().attribute(name) instanceof PartialValue.Known known ? known.value() : null;
    }

    /**
     * The offers in classes that are equal in these attributes and demand the same of those attributes of the
     * requesting ad; null if the whole ad counts, by which all offers differ.
     */
    public @Nullable EquivalenceClasses classes(Collection<String> attributes, Collection<String> demanded) {
        if (attributes.contains(MissingAttribute.WHOLE)) {
            return null;
        }
        var key = List.<Set<String>>of(new TreeSet<>(attributes), new TreeSet<>(demanded));
        EquivalenceClasses known = classesBy.get(key);
        if (known == null) {
            known = EquivalenceClasses.ofAll(offers.length);
            for (String attribute : key.get(0)) {
                int[] codes = column(attribute).codes();
                known = known.refinedBy(offer -> codes[offer]);
            }
            known = demands().refine(known, demanded::contains);
            classesBy.put(key, known);
        }
        return known;
    }

    /**
     * The tests of a request, prepared once, so that answering it only passes over bits.
     *
     * @param filters operations that each remove the failing offers from a set
     * @param rests other clauses of offers that the requesting ad's attributes decide
     * @param opaque clauses that are no tests
     * @param undecided offers without a known value of an attribute that is tested
     * @param deferred offers whose constraint depends on an attribute of the requesting ad that is not known yet
     */
    record Plan(
            List<Consumer<OfferSet>> filters,
            List<OfferDemands.Rest> rests,
            List<Clause.Opaque> opaque,
            OfferSet undecided,
            OfferSet deferred) {}

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

    /** Whether answering a request needs evaluation too: its neighbours must then be bound as they were when it was read. */
    public boolean mustEvaluate(Request request) {
        return !plan(request).opaque().isEmpty() || !plan(request).rests().isEmpty();
    }

    /** The domain of a request, with offers that are not available; kept while memory allows. */
    public Domain domain(Request request) {
        return withChanged(indexedDomain(request, false));
    }

    /**
     * The domain by the indexes alone, which is not valid for changed offers.
     *
     * @param lazily whether offers with hardly anything in common stay undecided: a caller that takes one offer checks fewer of them
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

    /** The domain of a request that is not repeated; it is not kept. */
    public Domain domainOnce(Request request) {
        return withChanged(answer(request, false));
    }

    /** A domain with all changed offers as undecided values. */
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
            undecided = OfferSet.union(undecided, keep(clause, request.place(), set, lazily));
        }
        return new Domain(set, OfferSet.union(demands().entangled, undecided), plan.deferred());
    }

    /**
     * The offers that meet one clause of a side, regardless of their own constraints; adds those that are not decided to {@code undecided}.
     */
    public OfferSet meeting(EvaluationSite place, Clause clause, OfferSet undecided) {
        var set = OfferSet.all(offers.length);
        var filters = new ArrayList<Consumer<OfferSet>>();
        var opaque = new ArrayList<Clause.Opaque>();
        undecided.addAll(filters(List.of(clause), filters, opaque));
        filters.forEach(filter -> filter.accept(set));
        opaque.forEach(other -> undecided.addAll(keep(other, place, set, false)));
        set.addAll(changed);
        undecided.addAll(changed);
        return set;
    }

    /** Keeps the offers that meet a clause that is no test; returns those that are not decided. */
    private OfferSet keep(Clause.Opaque clause, EvaluationSite place, OfferSet set, boolean lazily) {
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
                verdicts[group] = (byte) (place.facing(offer(offer).place(), clause::isMet) ? 1 : 2);
            }
            if (verdicts[group] == 2) {
                set.remove(offer);
            }
        }
        return undecided;
    }

    /** Whether the clauses of a rest are met; the other clauses of its offers are tests in layers. */
    private boolean isWilling(OfferDemands.Rest rest, Request request) {
        evaluations.increment();
        EvaluationSite offer = offer(rest.members().next(0)).place();
        List<EvaluationSite.Conjunct> shared = offer.conjuncts().stream()
                .filter(conjunct -> OfferDemands.isRest(conjunct.read()))
                .toList();
        offer.own().bind(request.place());
        return shared.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
    }
}
