package org.metasched.classad.cycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Fair share between submitters: keeps, for each, its usage of resources, decaying with a half-life, and gives the order of
 * the submitters and the share of the pool due to each.
 *
 * <p>Usage follows {@code u(t) = b·u(t₀) + (1 − b)·r} with {@code b = 0.5^((t − t₀)/h)}, {@code r} resources in use and half-life
 * {@code h}: after long use of {@code r} resources it is {@code r}, after one half-life of rest half of what it was. Condor's user
 * priority works alike. Submitters' names are case-insensitive. Thread-safe; {@code O(log n)} a call in n submitters,
 * {@code O(n log n)} for an order.
 */
public final class Accountant {

    /** Usage of a submitter that never used anything. */
    public static final double LEAST_USAGE = 0.5;

    private final Duration halfLife;
    private final Clock clock;
    private final AccountantStore store;
    private final Map<String, Standing> standings = new TreeMap<>();

    /** @param halfLife of usage, positive; Condor's default is a day */
    public Accountant(Duration halfLife, Clock clock, AccountantStore store) {
        if (halfLife.isNegative() || halfLife.isZero()) {
            throw new IllegalArgumentException("The half-life (" + halfLife + ") must be positive.");
        }
        this.halfLife = halfLife;
        this.clock = clock;
        this.store = store;
        store.load().forEach(standing -> standings.put(key(standing.submitter()), standing));
    }

    /** From now on the submitter uses so many resources. */
    public synchronized void uses(String submitter, double resources) {
        put(withInUse(standing(submitter), resources));
    }

    /** From now on the submitter uses one resource more, as after a match. */
    public synchronized void matched(String submitter) {
        var standing = standing(submitter);
        put(withInUse(standing, standing.inUse() + 1));
    }

    /** From now on the submitter uses one resource less. */
    public synchronized void released(String submitter) {
        var standing = standing(submitter);
        put(withInUse(standing, Math.max(0, standing.inUse() - 1)));
    }

    /** An administrator's weight: a factor of 10 makes a submitter's turn come as if it had used ten times as much. */
    public synchronized void setFactor(String submitter, double factor) {
        var standing = standing(submitter);
        put(new Standing(standing.submitter(), standing.usage(), factor, standing.inUse(), standing.reckoned()));
    }

    /** As reckoned up to now. */
    public synchronized Standing standing(String submitter) {
        Instant now = clock.instant();
        var known = standings.get(key(submitter));
        return known == null ? new Standing(submitter, LEAST_USAGE, 1, 0, now) : reckon(known, now);
    }

    /** Submitters by priority, then by name, in the order in which they are served. */
    public synchronized List<String> order(Collection<String> submitters) {
        var ordered = new ArrayList<Standing>();
        submitters.forEach(submitter -> ordered.add(standing(submitter)));
        ordered.sort(Comparator.comparingDouble(Standing::priority).thenComparing(s -> key(s.submitter())));
        return ordered.stream().map(Standing::submitter).toList();
    }

    /** What part of the pool is due to each submitter: inversely proportional to its priority; the parts add up to 1. */
    public synchronized Map<String, Double> shares(Collection<String> submitters) {
        var shares = new LinkedHashMap<String, Double>();
        double total = 0;
        for (String submitter : order(submitters)) {
            double weight = 1 / standing(submitter).priority();
            shares.put(submitter, weight);
            total += weight;
        }
        double whole = total;
        shares.replaceAll((submitter, weight) -> weight / whole);
        return shares;
    }

    /** All that is known, by name, reckoned up to now. */
    public synchronized List<Standing> standings() {
        Instant now = clock.instant();
        return standings.values().stream().map(known -> reckon(known, now)).toList();
    }

    /** Writes everything to the store. Called after each cycle, not after each match. */
    public synchronized void save() {
        Instant now = clock.instant();
        standings.replaceAll((name, known) -> reckon(known, now));
        standings.values().removeIf(known -> known.inUse() == 0 && known.factor() == 1 && known.usage() <= LEAST_USAGE);
        store.save(standings.values());
    }

    private Standing reckon(Standing known, Instant now) {
        double halfLives = Duration.between(known.reckoned(), now).toMillis() / (double) halfLife.toMillis();
        // A clock that was set back leaves the usage as it was.
        double kept = halfLives <= 0 ? 1 : Math.pow(0.5, halfLives);
        double usage = kept * known.usage() + (1 - kept) * known.inUse();
        return new Standing(known.submitter(), Math.max(LEAST_USAGE, usage), known.factor(), known.inUse(), now);
    }

    private static Standing withInUse(Standing standing, double resources) {
        return new Standing(standing.submitter(), standing.usage(), standing.factor(), resources, standing.reckoned());
    }

    private void put(Standing standing) {
        standings.put(key(standing.submitter()), standing);
    }

    private static String key(String submitter) {
        return submitter.toLowerCase(Locale.ROOT);
    }
}
