package org.metasched.classad.collector;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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
 * A collector in this process. An update is one step in a concurrent map, {@code O(attributes)}; a query evaluates its constraint once per
 * living ad of the type, or, if it names the ad, once per type. Expired ads are invisible at once, and {@link #dropExpired} frees their
 * memory. An attribute that a query compares with a literal gets an index, if there are many ads; from then on such queries read only the
 * ads that fit the most selective comparison.
 */
public final class InMemoryCollector implements Collector {

    /** Number of ads from which on indexes are used. */
    private static final int MANY = 5_000;

    private static final int MOST_INDEXES = 12;

    /** Lifetime of an ad without {@code ClassAdLifetime}, as in Condor. */
    public static final Duration USUAL_LIFETIME = Duration.ofMinutes(15);

    private static final Duration LONGEST_LIFETIME = Duration.ofDays(30);
    private static final Comparator<AdKey> ORDER = Comparator.<AdKey, String>comparing(
                    key -> key.type().toLowerCase(Locale.ROOT))
            .thenComparing(key -> key.name().toLowerCase(Locale.ROOT));

    private final ConcurrentMap<AdKey, Advertisement> ads = new ConcurrentHashMap<>();
    /** The keys by type in small letters; a key comes and goes in the same step as its ad. */
    private final ConcurrentMap<String, Set<AdKey>> types = new ConcurrentHashMap<>();

    /** Indexes by the attribute in small letters. Each costs about 50 bytes an ad. */
    private final ConcurrentMap<String, AttributeIndex> indexes = new ConcurrentHashMap<>();
    /** The indexes that know all ads. */
    private final Set<AttributeIndex> complete = ConcurrentHashMap.newKeySet();

    private final Clock clock;
    private final int mostAds;

    /** @param clock clock by which ads expire */
    public InMemoryCollector(Clock clock) {
        this(clock, 2_000_000);
    }

    /** @param mostAds most ads; further ones are refused */
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
     * Takes an ad that came at an earlier time, unless a later one is known.
     *
     * @param ad the ad with its private part
     * @throws IllegalArgumentException when a collector would refuse the ad
     */
    public void restore(ClassAd ad, Instant received) {
        var older = read(ad, received);
        ads.compute(
                older.key(),
                (key, known) ->
                        known != null && known.received().isAfter(received) ? known : replace(key, known, older));
    }

    /** Drops an ad that came before a time; one that came later stays. */
    public void withdraw(AdKey key, Instant withdrawn) {
        ads.computeIfPresent(key, (k, known) -> known.received().isAfter(withdrawn) ? known : replace(k, known, null));
    }

    @Override
    public boolean invalidate(AdKey key) {
        Instant now = clock.instant();
        var found = find(key);
        return found.isPresent() && drop(found.get()) && found.get().livesAt(now);
    }

    /** Drops an ad unless another has taken its place. */
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
            types.compute(lower(key.type()), (type, known) -> {
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

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    @Override
    public int invalidate(CollectorQuery query) {
        int dropped = 0;
        for (var found : matching(query)) {
            // Only the ad that was found: one that came meanwhile stays.
            if (drop(found)) {
                dropped++;
            }
        }
        return dropped;
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

    /** Ads in memory, expired ones too. */
    public int size() {
        return ads.size();
    }

    /** Forgets expired ads; returns their number. */
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

    private List<Advertisement> living(Stream<Advertisement> some) {
        Instant now = clock.instant();
        return some.filter(found -> found.livesAt(now))
                .sorted(Comparator.comparing(Advertisement::key, ORDER))
                .toList();
    }

    private Stream<Advertisement> lookUp(CollectorQuery query) {
        Optional<String> type = query.type().or(() -> query.required("MyType"));
        Optional<String> name = query.required("Name");
        Stream<AdKey> keys;
        if (name.isPresent()) {
            Stream<String> some = type.isPresent()
                    ? type.stream()
                    : types.values().stream()
                            .flatMap(all -> all.stream().limit(1))
                            .map(AdKey::type);
            keys = some.flatMap(one -> AdKey.find(one, name.get()).stream());
        } else {
            Optional<Stream<AdKey>> indexed = ads.size() < MANY ? Optional.empty() : indexed(query);
            if (indexed.isEmpty() && type.isEmpty()) {
                return ads.values().stream();
            }
            keys = indexed.map(all ->
                            all.filter(key -> type.isEmpty() || key.type().equalsIgnoreCase(type.get())))
                    .orElseGet(() -> types.getOrDefault(lower(type.orElseThrow()), Set.of()).stream());
        }
        return keys.flatMap(key -> Optional.ofNullable(ads.get(key)).stream());
    }

    /** Ads that fit the most selective of the query's comparisons; empty if these are most ads. */
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

    /** The index of an attribute. The first query for it waits until the index knows all ads; meanwhile others do without. */
    private Optional<AttributeIndex> index(String attribute) {
        String name = lower(attribute);
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

    private static Advertisement read(ClassAd ad, Instant now) {
        AdKey key = AdKey.of(ad);
        Duration lifetime = number(ad, "ClassAdLifetime").isPresent()
                ? Duration.ofSeconds(number(ad, "ClassAdLifetime").getAsLong())
                : USUAL_LIFETIME;
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

    /** An integer attribute, nothing if the ad has none of that name, an error if it is something else. */
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
