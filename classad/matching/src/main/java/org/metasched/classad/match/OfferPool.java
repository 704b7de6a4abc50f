package org.metasched.classad.match;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;

/**
 * The offers of one matchmaking cycle, indexed once and matched many times, and which of them are still available. The indexes follow from
 * the constraints of both sides, never from a list of names. They are made by {@link #prepare} or after some passes over all offers, since
 * they do not pay for few requests.
 *
 * <p>Matching is thread-safe; {@link #consume} and {@link #replace} belong to one thread.
 */
public final class OfferPool {

    /** Number of passes over all offers that cost about four times as much as their indexes; more passes if offers are all unlike. */
    private static final int PASSES = 64;

    private static final int PASSES_OVER_UNLIKE = 256;

    /** A pass over fewer offers that are all unlike is cheaper than reading a request for the indexes. */
    private static final int FEW_UNLIKE = 2_000;

    /** Number of pairs of offers that are compared. */
    private static final int SAMPLE = 16;

    private static final AttributeRef STATE = AttributeRef.to("State");
    private static final AttributeRef REMOTE_USER = AttributeRef.to("RemoteUser");
    private static final AttributeRef REMOTE_OWNER = AttributeRef.to("RemoteOwner");

    private final OfferIndex index;
    private final AtomicInteger passes = new AtomicInteger();
    private volatile @Nullable Boolean unlike;
    private volatile @Nullable OfferSet claimed;

    private OfferPool(OfferIndex index) {
        this.index = index;
    }

    /** Whether after {@code before} passes another one is cheaper than the indexes. */
    private boolean isWorthwhile(long before) {
        return before < PASSES || (before < PASSES_OVER_UNLIKE || size() < FEW_UNLIKE) && areUnlike();
    }

    private boolean areUnlike() {
        Boolean known = unlike;
        if (known == null) {
            known = readUnlike();
            unlike = known;
        }
        return known;
    }

    /** Whether less than a fifth of the attributes of offers that are far apart in the pool are equal. */
    private boolean readUnlike() {
        int equal = 0;
        int all = 0;
        if (index.size() < 2 * SAMPLE) {
            return false;
        }
        for (int i = 0; i < SAMPLE; i++) {
            ClassAd one = index.ad((int) ((long) i * index.size() / SAMPLE));
            ClassAd other = index.ad((int) ((i + 1L) * index.size() / SAMPLE) - 1);
            for (String name : one.names()) {
                all++;
                equal += one.lookup(name).equals(other.lookup(name)) ? 1 : 0;
            }
        }
        return equal * 5 < all;
    }

    /** Ads that match as a whole, numbered from 0 in the order given; all are available. */
    public static OfferPool of(Collection<ClassAd> ads) {
        return new OfferPool(OfferIndex.ofWhole(ads));
    }

    /** Makes the indexes now, which pays for more than a few dozen requests. */
    public void prepare() {
        index.prepare();
    }

    /** Makes the indexes now, unless offers are all unlike and a pass for each of a number of requests costs less. */
    public void prepareFor(long requests) {
        if (!areUnlike() || !isWorthwhile(requests)) {
            prepare();
        }
    }

    /** Whether the indexes are not made, and passes are still cheaper. */
    boolean isFresh() {
        return !index.isPrepared() && isWorthwhile(passes.get());
    }

    /** Whether the next request is worth a pass over all offers rather than the indexes. */
    boolean takePass() {
        return isFresh() && isWorthwhile(passes.getAndIncrement());
    }

    /** Number of offers in the pool, available or not. */
    public int size() {
        return index.size();
    }

    /** The ad of an offer. */
    public ClassAd ad(int number) {
        return index.ad(number);
    }

    /** Number of available offers. Costs a pass over n/64 words. */
    public int countAvailable() {
        return index.available().count();
    }

    /** Whether an offer is available. */
    public boolean isAvailable(int number) {
        return index.available().contains(number);
    }

    /** Makes an offer unavailable. */
    public void consume(int number) {
        index.available().remove(number);
    }

    /** Puts another ad in the place of an offer's. The indexes do not cover it any more: it is evaluated each time. */
    public void replace(int number, ClassAd ad) {
        index.replace(number, ad);
        OfferSet known = claimed;
        if (known != null && known.contains(number) != saysClaimed(ad)) {
            known = known.copy();
            if (saysClaimed(ad)) {
                known.add(number);
            } else {
                known.remove(number);
            }
            claimed = known;
        }
    }

    OfferIndex index() {
        return index;
    }

    /** Whether any offer is claimed already. */
    public boolean hasClaimed() {
        return !claimed().isEmpty();
    }

    /** Offers that are claimed already: those whose State is Claimed, or that name a remote user. */
    OfferSet claimed() {
        OfferSet known = claimed;
        return known == null ? readClaimed() : known;
    }

    private synchronized OfferSet readClaimed() {
        OfferSet known = claimed;
        if (known == null) {
            known = OfferSet.none(index.size());
            for (int i = 0; i < index.size(); i++) {
                if (saysClaimed(index.ad(i))) {
                    known.add(i);
                }
            }
            claimed = known;
        }
        return known;
    }

    private static boolean saysClaimed(ClassAd ad) {
        return ad.lookup(STATE)
                        .map(state -> state instanceof Literal literal ? literal.value() : ad.evaluate("State"))
                        .filter(state ->
                                state instanceof Value.Text text && text.text().equalsIgnoreCase("Claimed"))
                        .isPresent()
                || ad.lookup(REMOTE_USER).isPresent()
                || ad.lookup(REMOTE_OWNER).isPresent();
    }

    /** Whether an offer is claimed already. */
    public boolean isClaimed(int number) {
        OfferSet known = claimed;
        return known == null && isFresh()
                ? saysClaimed(index.ad(number))
                : claimed().contains(number);
    }

    /** The offer's rank of the customer that has it; another customer must rank higher. */
    double currentRank(int number) {
        return index.ad(number).evaluate("CurrentRank").rank();
    }
}
