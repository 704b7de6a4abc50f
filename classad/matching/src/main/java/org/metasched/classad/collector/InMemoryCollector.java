package org.metasched.classad.collector;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * A collector in memory. Thread-safe. An update is one step in a concurrent map, {@code O(attributes)}. A query evaluates its constraint
 * for each ad of the type that has not expired, or, if it gives a name, for one ad of each type. Expired ads are invisible at once;
 * {@link #dropExpired} frees their memory. If there are many ads, an attribute that a query compares with a literal gets an index: from
 * then on, such queries read only the ads that fit the most selective comparison.
 */
public final class InMemoryCollector implements Collector {

    /** The number of ads from which indexes are used. */
    private static final int MANY = 5_000;

    /** The most indexes: each takes about 50 bytes for each ad. */
    private static final int MOST_INDEXES = 12;

    /** The lifetime of an ad without {@code ClassAdLifetime}, as in HTCondor. */
    public static final Duration USUAL_LIFETIME = Duration.ofMinutes(15);

    /** The longest {@code ClassAdLifetime} that is accepted. */
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(30);

    private final ConcurrentMap<AdKey, Advertisement> ads = new ConcurrentHashMap<>();

    /** The keys of each type, which is in lower case; a key is added and removed in the same step as its ad. */
    private final ConcurrentMap<String, Set<AdKey>> types = new ConcurrentHashMap<>();

    /** The indexes by their attributes, which are in lower case. */
    private final ConcurrentMap<String, AttributeIndex> indexes = new ConcurrentHashMap<>();

    /** The indexes that have all ads, and can be used. */
    private final Set<AttributeIndex> complete = ConcurrentHashMap.newKeySet();

    private final Clock clock;
    private final int mostAds;

    /**
     * An empty collector of at most two million ads.
     *
     * @param clock the clock by which ads expire
     */
    public InMemoryCollector(Clock clock) {
        this(clock, 2_000_000);
    }

    /**
     * An empty collector.
     *
     * @param clock the clock by which ads expire
     * @param mostAds the number of ads beyond which further ones are refused
     */
    public InMemoryCollector(Clock clock, int mostAds) {
        this.clock = clock;
        this.mostAds = mostAds;
    }

    @Override
    public AdvertiseReceipt advertise(ClassAd ad) {
        Advertisement offered;
        try {
            offered = read(ad, clock.instant());
        } catch (IllegalArgumentException e) {
            return new AdvertiseReceipt.Refused(String.valueOf(e.getMessage()));
        }
        AdKey key = offered.key();
        if (ads.size() >= mostAds && !ads.containsKey(key)) {
            return new AdvertiseReceipt.Refused("The collector is full: it holds " + mostAds + " ads.");
        }
        var outcome = new AdvertiseReceipt[1];
        ads.compute(key, (k, known) -> {
            if (known == null || !known.livesAt(offered.received())) {
                outcome[0] = new AdvertiseReceipt.Kept(key, true);
                return replace(key, known, offered);
            }
            if (isLate(offered, known)) {
                outcome[0] = new AdvertiseReceipt.Late(
                        key, known.sequence().getAsLong(), offered.sequence().getAsLong());
                return known;
            }
            outcome[0] = new AdvertiseReceipt.Kept(key, false);
            return replace(key, known, offered);
        });
        return outcome[0];
    }

    /**
     * Adds an ad that was received earlier, unless one of the same key that was received later is known.
     *
     * @param ad the ad with its private part
     * @param received the time at which it was received, from which its lifetime counts
     * @throws IllegalArgumentException when a collector would refuse the ad
     */
    public void restore(ClassAd ad, Instant received) {
        var older = read(ad, received);
        ads.compute(
                older.key(),
                (key, known) ->
                        known != null && known.received().isAfter(received) ? known : replace(key, known, older));
    }

    /** Removes the ad of a key, unless it was received after a time. */
    public void withdraw(AdKey key, Instant withdrawn) {
        ads.computeIfPresent(key, (k, known) -> known.received().isAfter(withdrawn) ? known : replace(k, known, null));
    }

    @Override
    public boolean invalidate(AdKey key) {
        return find(key).filter(this::drop).isPresent();
    }

    /** Removes an ad, unless another one has replaced it; returns whether it was removed. */
    private boolean drop(Advertisement advertisement) {
        var dropped = new boolean[1];
        ads.computeIfPresent(advertisement.key(), (key, known) -> {
            if (known != advertisement) {
                return known;
            }
            dropped[0] = true;
            return replace(key, known, null);
        });
        return dropped[0];
    }

    /** Updates types and indexes in the step in which an ad replaces another; returns the new ad. */
    private @Nullable Advertisement replace(AdKey key, @Nullable Advertisement before, @Nullable Advertisement after) {
        if (before == null || after == null) {
            types.compute(AdKey.lower(key.type()), (type, known) -> {
                Set<AdKey> keys = known == null ? ConcurrentHashMap.newKeySet() : known;
                boolean unused = after == null ? keys.remove(key) : keys.add(key);
                return keys.isEmpty() ? null : keys;
            });
        }
        indexes.values().forEach(index -> index.update(key, adOf(before), adOf(after)));
        return after;
    }

    private static @Nullable ClassAd adOf(@Nullable Advertisement advertisement) {
        return advertisement == null ? null : advertisement.ad();
    }

    @Override
    public int invalidate(CollectorQuery query) {
        return (int) matching(query).stream().filter(this::drop).count();
    }

    @Override
    public List<ClassAd> query(CollectorQuery query) {
        return matching(query).stream()
                .limit(query.limit())
                .map(found -> query.projected(found.ad()))
                .toList();
    }

    @Override
    public Optional<Advertisement> find(AdKey key) {
        return Optional.ofNullable(ads.get(key)).filter(found -> found.livesAt(clock.instant()));
    }

    @Override
    public List<Advertisement> snapshot() {
        return matching(CollectorQuery.all());
    }

    /** The number of ads in memory, expired ones included. */
    public int size() {
        return ads.size();
    }

    /** Removes expired ads; returns their number. */
    public int dropExpired() {
        Instant now = clock.instant();
        return (int) ads.values().stream()
                .filter(advertisement -> !advertisement.livesAt(now) && drop(advertisement))
                .count();
    }

    @Override
    public List<Advertisement> candidates(CollectorQuery query) {
        return living(lookUp(query));
    }

    private List<Advertisement> matching(CollectorQuery query) {
        return living(lookUp(query).filter(found -> query.accepts(found.ad())));
    }

    /** The ads of a stream that have not expired, in the order of results: by type, then by name. Neither can contain a NUL. */
    private List<Advertisement> living(Stream<Advertisement> some) {
        Instant now = clock.instant();
        return some.filter(found -> found.livesAt(now))
                .map(found -> Map.entry(
                        AdKey.lower(found.key().type() + "\0" + found.key().name()), found))
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** A superset of the ads that a query finds, by their name, by an index, by their type, or else all ads. */
    private Stream<Advertisement> lookUp(CollectorQuery query) {
        Optional<String> type = query.type().or(() -> query.required("MyType"));
        Optional<String> name = query.required("Name");
        Stream<AdKey> keys;
        if (name.isPresent()) {
            Stream<String> some = type.isPresent() ? type.stream() : types.keySet().stream();
            keys = some.flatMap(one -> AdKey.find(one, name.get()).stream());
        } else {
            Optional<Stream<AdKey>> indexed = ads.size() < MANY ? Optional.empty() : indexed(query);
            if (indexed.isEmpty() && type.isEmpty()) {
                return ads.values().stream();
            }
            keys = indexed.map(all ->
                            all.filter(key -> type.isEmpty() || key.type().equalsIgnoreCase(type.get())))
                    .orElseGet(() -> types.getOrDefault(AdKey.lower(type.orElseThrow()), Set.of()).stream());
        }
        return keys.flatMap(key -> Optional.ofNullable(ads.get(key)).stream());
    }

    /** The keys of the ads that fit the query's most selective comparison; empty if no comparison leaves less than half of all ads. */
    private Optional<Stream<AdKey>> indexed(CollectorQuery query) {
        long fewest = ads.size() / 2;
        List<Set<AdKey>> best = null;
        for (CollectorQuery.Term term : query.terms()) {
            Optional<AttributeIndex> index = AttributeIndex.answers(term) ? index(term.attribute()) : Optional.empty();
            if (index.isPresent()) {
                var sets = new ArrayList<Set<AdKey>>();
                index.get().candidates(term).forEach(sets::addAll);
                long count = sets.stream().mapToLong(Set::size).sum();
                if (count < fewest) {
                    fewest = count;
                    best = sets;
                }
            }
        }
        return Optional.ofNullable(best)
                .map(sets -> sets.stream().flatMap(Set::stream).distinct());
    }

    /**
     * The index of an attribute. The first query that needs it builds it; empty for other queries until it is built, and if there
     * would be more than {@value #MOST_INDEXES}.
     */
    private Optional<AttributeIndex> index(String attribute) {
        String name = AdKey.lower(attribute);
        AttributeIndex known = indexes.get(name);
        if (known == null && indexes.size() < MOST_INDEXES) {
            var made = new AttributeIndex(name);
            known = indexes.putIfAbsent(name, made);
            if (known == null) {
                known = made;
                for (AdKey key : ads.keySet()) {
                    ads.computeIfPresent(key, (k, ad) -> {
                        made.update(k, null, ad.ad());
                        return ad;
                    });
                }
                complete.add(made);
            }
        }
        return Optional.ofNullable(known).filter(complete::contains);
    }

    /** The advertisement of an ad that is received now; throws IllegalArgumentException for an ad that is refused. */
    private static Advertisement read(ClassAd ad, Instant now) {
        AdKey key = AdKey.of(ad);
        var lifetime = Duration.ofSeconds(number(ad, "ClassAdLifetime").orElse(USUAL_LIFETIME.toSeconds()));
        if (lifetime.compareTo(Duration.ofSeconds(1)) < 0 || lifetime.compareTo(LONGEST_LIFETIME) > 0) {
            throw new IllegalArgumentException("The ClassAdLifetime (" + lifetime.toSeconds() + ") of ad " + key
                    + " must be from 1 to " + LONGEST_LIFETIME.toSeconds() + " seconds.");
        }
        return new Advertisement(
                key,
                PrivateAttributes.publicPart(ad),
                PrivateAttributes.privatePart(ad),
                number(ad, "UpdateSequenceNumber"),
                now,
                now.plus(lifetime));
    }

    /** The value of an integer attribute; empty if the ad has none of that name. Throws IllegalArgumentException for another type. */
    private static OptionalLong number(ClassAd ad, String attribute) {
        if (!ad.has(attribute)) {
            return OptionalLong.empty();
        }
        Value value = ad.evaluate(attribute, Scope.of(ad, LookupMode.OLD));
        if (value instanceof Value.Int integer) {
            return OptionalLong.of(integer.value());
        }
        throw new IllegalArgumentException(
                "The attribute " + attribute + " (" + value.print() + ") must be an integer.");
    }

    /** Whether an ad was sent before the known one: it has a smaller sequence number, and its daemon did not start later. */
    private static boolean isLate(Advertisement offered, Advertisement known) {
        return offered.sequence().isPresent()
                && known.sequence().isPresent()
                && offered.sequence().getAsLong() < known.sequence().getAsLong()
                && startOf(offered) <= startOf(known);
    }

    private static long startOf(Advertisement advertisement) {
        return advertisement.ad().evaluate("DaemonStartTime") instanceof Value.Int start ? start.value() : 0;
    }
}
