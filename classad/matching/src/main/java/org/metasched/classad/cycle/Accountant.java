package org.metasched.classad.cycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Usage of resources by submitters, decaying with a half-life, and the order in which they are served: the basis of {@link FairShare}.
 *
 * <p>Usage follows {@code u(t) = b·u(t₀) + (1 − b)·r} with {@code b = 0.5^((t − t₀)/h)}, {@code r} resources in use and half-life
 * {@code h}: after long use of {@code r} resources it is {@code r}, and each half-life without use halves it. The usage is HTCondor's
 * real user priority; usage times factor is the effective one. Usage is in weight of slots.
 *
 * <p>Submitters' names are case-insensitive. Thread-safe; a call takes {@code O(log n)} for n submitters, {@link #order} {@code O(n log n)}.
 */
public final class Accountant {

    /** Usage of a submitter that never used anything; no usage is less. */
    public static final double LEAST_USAGE = 0.5;

    /** The factor of a submitter that has none of its own; HTCondor's default. */
    public static final double USUAL_FACTOR = 1000;

    private final Duration halfLife;
    private final Clock clock;
    private final AccountantStore store;
    private final Map<String, SubmitterStanding> standings = new TreeMap<>();

    /** @param halfLife half-life of usage, positive; HTCondor's default is a day */
    public Accountant(Duration halfLife, Clock clock, AccountantStore store) {
        if (halfLife.isNegative() || halfLife.isZero()) {
            throw new IllegalArgumentException("The half-life (" + halfLife + ") must be positive.");
        }
        this.halfLife = halfLife;
        this.clock = clock;
        this.store = store;
        reload();
    }

    /** Sets the weight that a submitter uses from now on. */
    public synchronized void uses(String submitter, double resources) {
        put(standing(submitter).using(resources));
    }

    /**
     * Sets the weight that each submitter uses, as counted from the claims; submitters that are not named use nothing. First, the usage
     * up to now is computed by the earlier weights.
     */
    public synchronized void recount(Map<String, Double> weights) {
        Instant now = clock.instant();
        standings.replaceAll((name, known) -> reckon(known, now).using(0));
        weights.forEach((submitter, weight) -> {
            var standing = standing(submitter);
            put(standing.using(standing.inUse() + weight));
        });
    }

    /** Sets a submitter's factor, at least 1: with 10 it is served as if it had used ten times as much. */
    public synchronized void setFactor(String submitter, double factor) {
        put(standing(submitter).withFactor(Math.max(1, factor)));
    }

    /** Sets the usage of a submitter as of now; less than {@link #LEAST_USAGE} counts as that. */
    public synchronized void setUsage(String submitter, double usage) {
        put(standing(submitter).withUsage(Math.max(LEAST_USAGE, usage)));
    }

    /** Sets the most weight that a submitter may use at once; negative for no ceiling. */
    public synchronized void setCeiling(String submitter, long ceiling) {
        put(standing(submitter).withCeiling(ceiling));
    }

    /** Sets the weight below which a submitter is served before those above their floors; 0 for no floor. */
    public synchronized void setFloor(String submitter, long floor) {
        put(standing(submitter).withFloor(floor));
    }

    /** Forgets a submitter. */
    public synchronized void delete(String submitter) {
        standings.remove(key(submitter));
    }

    /** The standing of a submitter, reckoned up to now. */
    public synchronized SubmitterStanding standing(String submitter) {
        Instant now = clock.instant();
        var known = standings.get(key(submitter));
        return known == null ? SubmitterStanding.unknown(submitter, now) : reckon(known, now);
    }

    /** Submitters in the order in which they are served: by priority, then by name. */
    public synchronized List<String> order(Collection<String> submitters) {
        var ordered = new ArrayList<SubmitterStanding>();
        submitters.forEach(submitter -> ordered.add(standing(submitter)));
        ordered.sort(Comparator.comparingDouble(SubmitterStanding::priority).thenComparing(s -> key(s.submitter())));
        return ordered.stream().map(SubmitterStanding::submitter).toList();
    }

    /** All known standings, by name, reckoned up to now. */
    public synchronized List<SubmitterStanding> standings() {
        Instant now = clock.instant();
        return standings.values().stream().map(known -> reckon(known, now)).toList();
    }

    /** Reads the store again, which another process may have changed since. */
    public synchronized void reload() {
        var stored = store.load();
        standings.clear();
        stored.forEach(standing -> standings.put(key(standing.submitter()), standing));
    }

    /** Writes everything to the store. Called after each cycle, not after each match. */
    public synchronized void save() {
        Instant now = clock.instant();
        standings.replaceAll((name, known) -> reckon(known, now));
        standings.values().removeIf(SubmitterStanding::isForgettable);
        store.save(standings.values());
    }

    private SubmitterStanding reckon(SubmitterStanding known, Instant now) {
        // A clock that was set back leaves the usage as it was.
        double seconds = Math.max(0, Duration.between(known.reckoned(), now).toMillis() / 1000.0);
        double decay = Math.pow(0.5, seconds / (halfLife.toMillis() / 1000.0));
        double usage = decay * known.usage() + (1 - decay) * known.inUse();
        return new SubmitterStanding(
                known.submitter(),
                Math.max(LEAST_USAGE, usage),
                known.factor(),
                known.ceiling(),
                known.floor(),
                known.inUse(),
                known.accumulated() + known.inUse() * seconds,
                now);
    }

    private void put(SubmitterStanding standing) {
        standings.put(key(standing.submitter()), standing);
    }

    /** Key of a submitter, offer, customer or group: names are case-insensitive. */
    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
