package org.metasched.publisher;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;

/** What one of a site's matches stands for, as {@code MatchUnit} in its ad says: a DAG unless it says "node" or "job". */
public enum MatchUnit {
    DAG,
    /** A DAG takes as many matches as it has nodes. */
    NODE,
    /** What is counted are jobs that run there: {@code RunningJobs} of the ad, and one for each DAG bound since the ad was made. */
    JOB;

    public static MatchUnit of(ClassAd siteAd) {
        String unit = siteAd.evaluate("MatchUnit") instanceof Value.Text text
                ? text.text().toLowerCase(Locale.ROOT)
                : "";
        return unit.equals("node") ? NODE : unit.equals("job") ? JOB : DAG;
    }

    /** How many matches a DAG takes. */
    public int matches(int nodes) {
        return this == NODE ? Math.max(1, nodes) : 1;
    }

    /**
     * {@code CurMatches} of a site.
     *
     * @param counted matches that are claimed there
     * @param held all claims, asked for only if they are needed
     */
    public long current(ClassAd siteAd, String site, int counted, Supplier<List<HeldMatch>> held) {
        if (this != JOB) {
            return counted;
        }
        long made = whole(siteAd, "MyCurrentTime");
        return whole(siteAd, "RunningJobs")
                + held.get().stream()
                        .filter(match -> match.site().equalsIgnoreCase(site))
                        .filter(match -> match.taken().getEpochSecond() >= made)
                        .count();
    }

    /** What a count of claims is bounded by, so that the site has no more than {@code most} matches. */
    public int bound(long most, long current, int counted) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, this == JOB ? most - current + counted : most));
    }

    private static long whole(ClassAd ad, String attribute) {
        return ad.evaluate(attribute) instanceof Value.Int value ? Math.max(0, value.value()) : 0;
    }
}
