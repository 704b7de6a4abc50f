package org.metasched.leases;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;

/**
 * The matches of a site by its ad: {@code MaxMatches} is their number, and {@code MatchUnit} says what takes one: a DAG by default, with
 * "node" a node of a DAG, and with "job" a job that runs there. Jobs are counted by {@code RunningJobs} of the ad, plus one for each DAG
 * bound since the ad was made.
 *
 * @param ad the site's ad
 * @param most matches that may be held
 */
public record MatchRoom(ClassAd ad, long most) {

    /** The attribute, set by a ledger, for the matches that others hold: the ledger's own room is without them. */
    public static final String OTHERS = "CurMatchesOfOthers";

    /** The attribute for the matches of DAGs that were submitted without the site's ledger, as its publisher has seen in the queue. */
    public static final String UNLEASED = "CurMatchesAround";

    /** The matches that the lease of a {@linkplain Lease#DRAINED drained} site counts: more than all other leases add up to. */
    static final int ALL = 1_000_000_000;

    private static final String MOST = "MaxMatches";

    /** The room of a site for DAGs. Without {@code MaxMatches} it is never full. */
    public static MatchRoom of(ClassAd siteAd) {
        return new MatchRoom(siteAd, siteAd.has(MOST) ? whole(siteAd, MOST) - whole(siteAd, OTHERS) : Long.MAX_VALUE);
    }

    /**
     * The room of an offer to customers with ads, each of which takes one match: an offer without {@code MaxMatches} has one.
     *
     * @param preempts whether the customer that holds the only match loses it
     */
    public static MatchRoom ofOffer(ClassAd offer, boolean preempts) {
        if (offer.has(MOST) && offer.evaluate(MOST) instanceof Value.Int) {
            return exactly(whole(offer, MOST));
        }
        return exactly(preempts && !offer.has(MOST) ? Long.MAX_VALUE : 1);
    }

    /** A room of a fixed number of matches, of which each lease takes one. */
    public static MatchRoom exactly(long most) {
        return new MatchRoom(ClassAd.EMPTY, most);
    }

    /** Number of matches that a DAG takes. */
    int matches(int nodes) {
        return is(ad, "node") ? Math.max(1, nodes) : 1;
    }

    /** Whether a site has no match left for a DAG, by its ad with the count of now. */
    public static boolean isFull(ClassAd counted, int nodes) {
        return counted.has(MOST) && whole(counted, "CurMatches") + of(counted).matches(nodes) > whole(counted, MOST);
    }

    /**
     * The ad with its count reduced by the matches of a DAG.
     *
     * @param nodes number of nodes of the DAG
     */
    public static ClassAd without(ClassAd siteAd, int nodes) {
        return siteAd.with(
                "CurMatches",
                Math.max(0, whole(siteAd, "CurMatches") - of(siteAd).matches(nodes)));
    }

    /**
     * {@code CurMatches} of a site; one that is drained is full.
     *
     * @param counted matches of leases that are held there
     * @param held all leases, asked for only if they are needed
     */
    public static long current(ClassAd siteAd, String site, long counted, Supplier<List<Lease>> held) {
        if (counted >= ALL) {
            return Math.max(whole(siteAd, MOST), counted - ALL);
        }
        if (!is(siteAd, "job")) {
            return counted + whole(siteAd, UNLEASED);
        }
        long made = whole(siteAd, "MyCurrentTime");
        return whole(siteAd, "RunningJobs")
                + held.get().stream()
                        .filter(lease -> lease.site().equalsIgnoreCase(site))
                        .filter(lease -> lease.taken().getEpochSecond() >= made)
                        .count();
    }

    /** The matches that others hold, by {@code CurMatches} of the ad itself; 0 if the site counts all jobs that run. */
    static long ofOthers(ClassAd siteAd) {
        return is(siteAd, "job")
                ? 0
                : Math.min(Integer.MAX_VALUE, Math.max(0, whole(siteAd, "CurMatches") - whole(siteAd, UNLEASED)));
    }

    private static boolean is(ClassAd siteAd, String unit) {
        return siteAd.evaluate("MatchUnit") instanceof Value.Text text
                && text.text().toLowerCase(Locale.ROOT).equals(unit);
    }

    private static long whole(ClassAd ad, String attribute) {
        return ad.evaluate(attribute) instanceof Value.Int value ? Math.max(0, value.value()) : 0;
    }
}
