package org.metasched.classad.index;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;

/**
 * Offers with indexes over them, made once and asked many times. Which columns there are comes from the constraints that are
 * asked and from the constraints the offers have, never from a list of names.
 *
 * <p>Asking is thread-safe; {@link #available} and {@link #replace} belong to one thread.
 */
public final class OfferIndex {

    /** Answers to whole requests are kept up to so many bytes. */
    private static final long MEMORY = 256L << 20;

    private final Offer[] offers;
    private final ClassAd[] ads;
    private final OfferSet available;
    private final OfferSet changed;
    private volatile @Nullable CandidateIndex made;
    private volatile @Nullable Boolean openLists;
    private final Map<Request, Domain> answers = new ConcurrentHashMap<>();

    /** @param offers in the order of their numbers, from 0 on */
    public OfferIndex(List<? extends Offer> offers) {
        this(
                offers.toArray(Offer[]::new),
                offers.stream().map(offer -> offer.side().holder()).toArray(ClassAd[]::new));
    }

    private OfferIndex(Offer[] offers, ClassAd[] ads) {
        this.offers = offers;
        this.ads = ads;
        this.available = OfferSet.all(ads.length);
        this.changed = OfferSet.none(ads.length);
    }

    /** Ads that match as a whole; an ad is not read before a question is about it. */
    public static OfferIndex ofWhole(Collection<ClassAd> ads) {
        return new OfferIndex(new Offer[ads.size()], ads.toArray(ClassAd[]::new));
    }

    CandidateIndex indexes() {
        CandidateIndex known = made;
        return known == null ? makeIndexes() : known;
    }

    private synchronized CandidateIndex makeIndexes() {
        CandidateIndex known = made;
        if (known == null) {
            Arrays.setAll(offers, this::offer);
            known = new CandidateIndex(offers);
            made = known;
        }
        return known;
    }

    /** Makes the indexes now, rather than with the first question. */
    public void prepare() {
        indexes();
    }

    /** Whether the indexes have been made. */
    public boolean isPrepared() {
        return made != null;
    }

    /** How many offers there are, consumed ones included. */
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

    /** Puts another ad in the place of an offer's. Indexes made before do not answer for it: it is evaluated each time. */
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
        return indexes().evaluations.sum();
    }

    /** The offers that meet one clause of a place, whatever they demand themselves; adds those for which that is not sure. */
    public OfferSet meeting(EvaluationSite place, Clause clause, OfferSet undecided) {
        var set = OfferSet.all(offers.length);
        undecided.addAll(indexes().keepMatching(place, List.of(clause), set));
        set.addAll(changed);
        undecided.addAll(changed);
        return set;
    }

    /** The attributes of an asker on which the rank of some offer depends. */
    public List<String> rankAttributes() {
        return indexes().ranks.attributes();
    }

    /** Whether all offers, before any changed, have one constant rank. */
    public boolean ranksAreConstant() {
        return indexes().ranks.areConstant();
    }

    /**
     * The ranks a place gives to all offers; null if the rank depends on the whole ad, or was asked for too seldom to be worth a table.
     *
     * @param now whether the table is made whatever it costs
     */
    public @Nullable RankTable rankTable(EvaluationSite place, Object key, boolean now) {
        return indexes().ranks.table(place, key, indexes(), now);
    }

    /** Whether an offer, before any changed, has a list with elements other than constants. Looked for at the first question. */
    public boolean hasOpenLists() {
        Boolean known = openLists;
        if (known == null) {
            known = Arrays.stream(ads).anyMatch(OpenLists::in);
            openLists = known;
        }
        return known;
    }

    /** The attributes of an asker that make a difference to some offer. */
    public List<String> demandedAttributes() {
        return indexes().demands.attributes();
    }

    /** An attribute of every offer, as its neighbours see it. */
    public Column column(String attribute) {
        return indexes().column(attribute);
    }

    /** Reads now what of the offers a request is about, rather than when it is answered. */
    public void prepare(Request request) {
        request.plan();
    }

    /** Whether a request is answered by evaluation as well as by tests: its neighbours must then be bound as they were when it was read. */
    public boolean mustEvaluate(Request request) {
        return !request.plan().opaque.isEmpty() || !request.plan().rests.isEmpty();
    }

    /**
     * The offers in classes that are equal in these attributes and demand the same of those attributes of the
     * asker; null if the whole ad counts.
     */
    public @Nullable EquivalenceClasses classes(Collection<String> attributes, Collection<String> demanded) {
        return indexes().classes(attributes, demanded);
    }

    /** The domain of a request, available or not; remembered while memory allows. */
    public Domain domain(Request request) {
        return withChanged(indexed(request, false));
    }

    /**
     * The same, but what it says of changed offers counts for nothing, and offers that the indexes cannot answer for together are left
     * to be checked.
     */
    public Domain indexedDomain(Request request) {
        return indexed(request, true);
    }

    private Domain indexed(Request request, boolean lazily) {
        Domain known = answers.get(request);
        if (known == null) {
            known = indexes().answer(request, lazily);
            if ((answers.size() + 1L) * 2 * known.offers().bytes() <= MEMORY) {
                answers.put(request, known);
            }
        }
        return known;
    }

    /** The same for a request that is not repeated: the answer is not remembered. */
    public Domain domainOnce(Request request) {
        return withChanged(indexes().answer(request, false));
    }

    /** A domain with all changed offers, to be checked. */
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
}
