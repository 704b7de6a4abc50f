package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;

/**
 * Offers with indexes over them, made once and asked many times. Which columns there are comes from the constraints that are
 * asked and from the constraints the offers have, never from a list of names.
 *
 * <p>Asking is thread-safe; {@link #available} and {@link #replace} belong to one thread.
 */
public final class OfferPool {

    /** Answers to whole requests are kept up to so many bytes. */
    private static final long MEMORY = 256L << 20;

    private final Offer[] offers;
    private final OfferSet available;
    private final OfferSet changed;
    private final Demands demands;
    private final Map<String, Column> columns = new ConcurrentHashMap<>();
    private final Map<List<String>, Grouping> groupings = new ConcurrentHashMap<>();
    private final Map<Request, Candidates> answers = new ConcurrentHashMap<>();
    private final Map<Object, RankTable> rankTables = new ConcurrentHashMap<>();
    private volatile @Nullable Boolean constantRanks;
    private volatile @Nullable OfferSet claimed;
    private @Nullable List<String> rankAttributes;
    private final LongAdder evaluations = new LongAdder();

    public OfferPool(List<? extends Offer> offers) {
        this.offers = offers.toArray(Offer[]::new);
        this.available = OfferSet.all(this.offers.length);
        this.changed = OfferSet.none(this.offers.length);
        this.demands = Demands.of(offers);
    }

    /** A pool of ads that dock as a whole. */
    public static OfferPool of(Collection<ClassAd> ads) {
        return new OfferPool(ads.stream().map(Offer::of).toList());
    }

    public int size() {
        return offers.length;
    }

    public Offer offer(int number) {
        return offers[number];
    }

    /** The ad of an offer. */
    public ClassAd ad(int number) {
        return offers[number].side().holder();
    }

    /** The offers not consumed yet; the caller removes what it takes and may put it back. */
    public OfferSet available() {
        return available;
    }

    /** Puts another ad in the place of an offer's. It is no longer answered from indexes but evaluated each time. */
    public void replace(int number, ClassAd ad) {
        offers[number] = Offer.of(ad);
        changed.add(number);
        claimed = null;
        constantRanks = null;
    }

    /** Two-sided checks that the indexes themselves needed so far. */
    public long evaluations() {
        return evaluations.sum();
    }

    /** The offers that make an expression true, in the order of the pool: a query, in which the offers have no say. */
    public OfferSet query(Expr constraint) {
        var place = new Place(Side.query(constraint), new Bond("TARGET"));
        var set = OfferSet.all(offers.length);
        OfferSet unsure = keepMatching(Request.ofQuery(place, place.clauses()), set, OfferSet.none(offers.length));
        unsure.addAll(changed);
        set.addAll(changed);
        for (int i = set.next(0); i >= 0; i = set.next(i + 1)) {
            if (unsure.contains(i)
                    && !Place.facing(place.side(), offers[i].side()).isSatisfied()) {
                set.remove(i);
            }
        }
        set.retainAll(available);
        return set;
    }

    /** The offers that meet one clause of a place, whatever they demand themselves; adds those for which that is not sure. */
    OfferSet meeting(Place place, Clause clause, OfferSet unsure) {
        var set = OfferSet.all(offers.length);
        keepMatching(Request.ofQuery(place, List.of(clause)), set, unsure);
        set.addAll(changed);
        unsure.addAll(changed);
        return set;
    }

    /** The offers that meet one clause of a place by what is known. */
    public OfferSet meeting(Place place, Clause clause) {
        return meeting(place, clause, OfferSet.none(offers.length));
    }

    OfferSet changed() {
        return changed;
    }

    boolean isChanged(int number) {
        return changed.contains(number);
    }

    /** Offers that somebody has now: those whose State is Claimed, or that name a remote user. */
    OfferSet claimed() {
        OfferSet known = claimed;
        return known == null ? readClaimed() : known;
    }

    private synchronized OfferSet readClaimed() {
        OfferSet known = claimed;
        if (known == null) {
            known = OfferSet.none(offers.length);
            for (int i = 0; i < offers.length; i++) {
                if (saysClaimed(offers[i].side().holder())) {
                    known.add(i);
                }
            }
            claimed = known;
        }
        return known;
    }

    private static boolean saysClaimed(ClassAd ad) {
        return ad.lookup("State").isPresent()
                        && ad.evaluate("State") instanceof Value.Text state
                        && state.text().equalsIgnoreCase("Claimed")
                || ad.has("RemoteUser")
                || ad.has("RemoteOwner");
    }

    boolean isClaimed(int number) {
        return claimed().contains(number);
    }

    /** How much an offer likes whom it has now; whoever else wants it must be liked more. */
    double currentRank(int number) {
        return offers[number].side().holder().evaluate("CurrentRank").rank();
    }

    /** The attributes of an asker that some offer's rank looks at. */
    List<String> rankAttributes() {
        List<String> known = rankAttributes;
        if (known == null) {
            var names = new TreeSet<String>();
            if (!ranksAreConstant()) {
                for (Offer offer : offers) {
                    Expr rank = offer.side().rank();
                    if (rank != null && !(rank instanceof Literal)) {
                        offer.place().missingFor(rank).forEach(wanted -> names.add(wanted.attribute()));
                    }
                }
            }
            known = List.copyOf(names);
            rankAttributes = known;
        }
        return known;
    }

    /** The ranks a place gives to all offers; null if they may all differ in what it looks at. */
    @Nullable
    RankTable rankTable(Place place, Object key) {
        RankTable known = rankTables.get(key);
        if (known == null) {
            Expr rank = place.side().rank();
            Grouping grouping = rank == null
                    ? null
                    : grouping(place.missingFor(rank).stream()
                            .map(Wanted::attribute)
                            .toList());
            if (grouping == null) {
                return null;
            }
            known = RankTable.of(place, this, grouping);
            if (key instanceof Expr) {
                rankTables.put(key, known);
            }
        }
        return known;
    }

    /** Whether all offers have one constant rank. */
    public boolean ranksAreConstant() {
        Boolean known = constantRanks;
        return known == null ? readRanks() : known;
    }

    private synchronized boolean readRanks() {
        Boolean known = constantRanks;
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
            constantRanks = known;
        }
        return known;
    }

    Demands demands() {
        return demands;
    }

    /** An attribute of every offer, as its neighbours see it. */
    Column column(String attribute) {
        Column known = columns.get(attribute);
        return known != null ? known : columns.computeIfAbsent(attribute, this::readColumn);
    }

    /** Reads an attribute of every offer now, rather than when somebody first asks about it. */
    public void read(String attribute) {
        if (!attribute.equals(Wanted.WHOLE)) {
            column(attribute);
        }
    }

    private Column readColumn(String attribute) {
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
        return offer.place().attribute(name) instanceof Term.Known known ? known.value() : null;
    }

    /** Offers grouped by attributes; null if they include the whole ad, by which all offers differ. */
    @Nullable
    Grouping grouping(Collection<String> attributes) {
        if (attributes.contains(Wanted.WHOLE)) {
            return null;
        }
        List<String> sorted = List.copyOf(new TreeSet<>(attributes));
        Grouping known = groupings.get(sorted);
        if (known == null) {
            known = Grouping.ofAll(offers.length);
            for (String attribute : sorted) {
                known = known.refinedBy(column(attribute).codes());
            }
            groupings.put(sorted, known);
        }
        return known;
    }

    /**
     * Offers grouped so that members of a group are equal in these attributes and demand the same of those attributes of the
     * asker; null if the whole ad counts.
     */
    public @Nullable Grouping grouping(Collection<String> attributes, Collection<String> demanded) {
        Grouping base = grouping(attributes);
        if (base == null || demanded.isEmpty()) {
            return base;
        }
        var key = new ArrayList<String>(new TreeSet<>(attributes));
        key.add(Wanted.WHOLE);
        key.addAll(new TreeSet<>(demanded));
        Grouping known = groupings.get(key);
        if (known == null) {
            known = demands.refine(base, demanded::contains);
            groupings.put(key, known);
        }
        return known;
    }

    /** The attributes of an asker that make a difference to some offer. */
    public List<String> demandedAttributes() {
        return demands.attributes();
    }

    /** The offers that may dock where a request asks, whether available or not. */
    public Candidates candidates(Request request) {
        Candidates known = request.answerOf(this);
        if (known == null) {
            known = answers.get(request);
            if (known == null) {
                known = answer(request);
                if ((answers.size() + 1L) * 2 * known.offers().bytes() > MEMORY) {
                    return changed.isEmpty() ? known : withChanged(known);
                }
                answers.put(request, known);
            }
            request.answer(this, known);
        }
        return changed.isEmpty() ? known : withChanged(known);
    }

    private Candidates withChanged(Candidates candidates) {
        OfferSet all = candidates.offers().copy();
        OfferSet unsure = candidates.unsure().copy();
        all.addAll(changed);
        unsure.addAll(changed);
        return new Candidates(all, unsure);
    }

    private Candidates answer(Request request) {
        var set = OfferSet.all(offers.length);
        set.removeAll(demands.never());
        OfferSet unsure = demands.entangled().copy();
        keepWillingOffers(request, set, unsure);
        return new Candidates(set, keepMatching(request, set, unsure));
    }

    /** Keeps the offers that meet a request's own clauses; returns those for which that cannot be told for sure. */
    private OfferSet keepMatching(Request request, OfferSet set, OfferSet unsure) {
        for (Clause clause : request.clauses()) {
            if (clause == Clause.Decided.NOT_MET) {
                set.clear();
            } else if (clause instanceof Clause.Test test) {
                set.retainAll(where(test, unsure));
            } else if (clause instanceof Clause.AnyOf any) {
                var union = OfferSet.none(offers.length);
                any.tests().forEach(test -> union.addAll(where(test, unsure)));
                set.retainAll(union);
            }
        }
        for (Clause clause : request.clauses()) {
            if (clause instanceof Clause.Opaque opaque) {
                keepByEvaluation(opaque, request, set, unsure);
            }
        }
        return unsure;
    }

    private OfferSet where(Clause.Test test, OfferSet unsure) {
        Column column = column(test.wanted().attribute());
        if (!column.isComplete()) {
            unsure.addAll(column.without());
        }
        return column.where(test.operator(), test.value());
    }

    private void keepWillingOffers(Request request, OfferSet set, OfferSet unsure) {
        List<String> attributes = demands.attributes();
        for (int i = 0; i < attributes.size(); i++) {
            if (!(request.judgedBy().get(i) instanceof Term.Known)) {
                unsure.addAll(demands.demanding(attributes.get(i)));
            }
        }
        for (Demands.Layer layer : demands.layers()) {
            Term term = request.judgedBy().get(attributes.indexOf(layer.attribute()));
            if (term instanceof Term.Known known) {
                Value value = known.value();
                set.retainAll(
                        Comparisons.isScalar(value)
                                ? layer.constants().where(layer.operator().mirrored(), value)
                                : layer.constants().without());
            }
        }
        for (Demands.Rest rest : demands.rests()) {
            boolean known = rest.attributes().stream()
                    .allMatch(name -> request.judgedBy().get(attributes.indexOf(name)) instanceof Term.Known);
            if (known && set.intersects(rest.members()) && !isWilling(rest, request)) {
                set.removeAll(rest.members());
            }
        }
    }

    /** Whether the clauses that make up a rest are met; those the offer has besides are in the layers. */
    private boolean isWilling(Demands.Rest rest, Request request) {
        evaluations.increment();
        Place offer = offers[rest.representative()].place();
        var shared = new ArrayList<Place.Conjunct>();
        for (Place.Conjunct conjunct : offer.conjuncts()) {
            Clause clause = conjunct.read();
            if (clause instanceof Clause.AnyOf || clause instanceof Clause.Opaque) {
                shared.add(conjunct);
            }
        }
        offer.own().bind(request.place());
        return shared.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
    }

    private void keepByEvaluation(Clause.Opaque clause, Request request, OfferSet set, OfferSet unsure) {
        var attributes = clause.wanted().stream().map(Wanted::attribute).toList();
        Grouping grouping = grouping(attributes);
        if (grouping == null) {
            unsure.addAll(set);
            return;
        }
        OfferSet untold = OfferSet.none(offers.length);
        for (String attribute : attributes) {
            untold.addAll(column(attribute).without());
        }
        unsure.addAll(untold);
        var verdicts = new byte[grouping.count()];
        for (int offer = set.next(0); offer >= 0; offer = set.next(offer + 1)) {
            int group = grouping.groupOf(offer);
            if (verdicts[group] == 0 && !untold.contains(offer)) {
                verdicts[group] = (byte) (isMetBy(offer, clause, request) ? 1 : 2);
            }
            if (verdicts[group] == 2) {
                set.remove(offer);
            }
        }
    }

    private boolean isMetBy(int offer, Clause.Opaque clause, Request request) {
        evaluations.increment();
        Place place = offers[offer].place();
        place.own().bind(request.place());
        request.bond().bind(place);
        try {
            return clause.isMet();
        } finally {
            request.bond().release();
        }
    }
}
