package org.metasched.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.sites.FanOutExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ads of all servers of a database, with a copy of all in the memory of each server. A server writes its new ads to a table in batches; the
 * others read them there within about half a second or, after half a second without any, within a beat of {@link ClusterNode}. Of two ads the one
 * that was received later, in the time of the database, stays. Ads outlive the server, with their age. While the database is away, each server
 * goes on with its copy. Thread-safe; queries touch memory only.
 */
public final class SharedAds implements Collector, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedAds.class);
    private static final Duration EXCHANGE_EVERY = Duration.ofMillis(250);
    /** Turns without ads of others, after which a turn reads only when a beat has seen a change. */
    private static final int CALM_TURNS = 2;

    /** Rows of one write or read. */
    private static final int MOST_ROWS = 2000;

    /** The time for which others are told that an ad was withdrawn. */
    private static final Duration WITHDRAWAL_KEPT = Duration.ofMinutes(15);

    private final InMemoryCollector here;
    private final SqlTransactions database;
    private final Clock clock;
    /** Ads changed here and not written yet, with the time of the change, which counts for a withdrawal. */
    private final Map<AdKey, Instant> changed = new ConcurrentHashMap<>();

    private final ScheduledExecutorService turns =
            Executors.newSingleThreadScheduledExecutor(FanOutExecutor.daemons("ads"));
    /** The number of the last change that was read; guarded by this. */
    private long lastRead;

    /** Turns without ads of others until now; guarded by this. */
    private int calmTurns;

    /** The last change that a beat had seen before the last read; guarded by this. */
    private long lastSeen;

    /** Reads all ads there are. */
    SharedAds(SqlTransactions database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.here = new InMemoryCollector(clock);
        int unusedCount = readAll();
        var unused = turns.scheduleWithFixedDelay(
                this::turn, EXCHANGE_EVERY.toMillis(), EXCHANGE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public AdvertiseReceipt advertise(ClassAd ad) {
        var receipt = here.advertise(ad);
        receipt.<Optional<AdKey>>fold(
                        kept -> Optional.of(kept.key()), late -> Optional.empty(), refused -> Optional.empty())
                .ifPresent(key -> changed.put(key, clock.instant()));
        return receipt;
    }

    @Override
    public boolean invalidate(AdKey key) {
        boolean wasThere = here.invalidate(key);
        changed.put(key, clock.instant());
        return wasThere;
    }

    @Override
    public int invalidate(CollectorQuery query) {
        return (int) here.snapshot().stream()
                .filter(ad ->
                        query.type().map(ad.key().type()::equalsIgnoreCase).orElse(true) && query.accepts(ad.ad()))
                .filter(ad -> invalidate(ad.key()))
                .count();
    }

    @Override
    public List<ClassAd> query(CollectorQuery query) {
        return here.query(query);
    }

    @Override
    public List<Advertisement> candidates(CollectorQuery query) {
        return here.candidates(query);
    }

    @Override
    public Optional<Advertisement> find(AdKey key) {
        return here.find(key);
    }

    @Override
    public List<Advertisement> snapshot() {
        return here.snapshot();
    }

    /** Forgets ads that have outlived their lifetime, here and in the table; returns how many here. */
    public int dropExpired() {
        database.update("DELETE FROM ad WHERE expires < ?", at(clock.instant()));
        return here.dropExpired();
    }

    private synchronized void turn() {
        if (!changed.isEmpty() || calmTurns < CALM_TURNS || database.node().lastAd() > Math.max(lastRead, lastSeen)) {
            exchange();
        }
    }

    /** Writes what has changed here, and reads what others have changed. */
    synchronized void exchange() {
        try {
            int own = 0;
            for (var batch = takeBatch(); !batch.isEmpty(); batch = takeBatch()) {
                write(batch);
                own += batch.size();
            }
            if (!database.node().isAlone()) {
                long last = database.node().lastAd();
                calmTurns = readAll() > own ? 0 : calmTurns + 1;
                lastSeen = last;
            }
        } catch (StoreUnavailableException e) {
            LOG.debug("Ads wait for the database", e);
        } catch (RuntimeException e) {
            LOG.error("Ads were not exchanged with the other servers", e);
        }
    }

    private Map<AdKey, Instant> takeBatch() {
        var batch = new LinkedHashMap<AdKey, Instant>();
        changed.entrySet().stream().limit(MOST_ROWS).forEach(entry -> batch.put(entry.getKey(), entry.getValue()));
        // One that has changed again meanwhile stays, and is written again.
        batch.forEach(changed::remove);
        return batch;
    }

    /**
     * An ad as its row.
     *
     * @param body text of the ad with its private part; null for an ad that was withdrawn
     */
    private record Row(
            AdKey key,
            Instant received,
            Instant expires,
            @Nullable String body) {}

    private void write(Map<AdKey, Instant> batch) {
        try {
            write(rows(batch));
        } catch (RuntimeException e) {
            batch.forEach(changed::putIfAbsent);
            throw e;
        }
    }

    private List<Row> rows(Map<AdKey, Instant> batch) {
        var rows = new ArrayList<Row>();
        batch.forEach((key, when) -> rows.add(here.find(key)
                .map(ad -> new Row(
                        key,
                        ad.received(),
                        ad.expires(),
                        ad.ad().with(ad.privateAd()).print()))
                .orElseGet(() -> new Row(key, when, when.plus(WITHDRAWAL_KEPT), null))));
        return rows;
    }

    private void write(List<Row> rows) {
        database.inTransaction(() -> {
            long before = tick(rows.size()) - rows.size();
            int[] updated = database.batch(
                    "UPDATE ad SET seq = ?, type = ?, name = ?, received = ?, expires = ?, body = ?"
                            + " WHERE digest = ? AND received <= ?",
                    IntStream.range(0, rows.size())
                            .mapToObj(i -> values(
                                    rows.get(i), before + i + 1, at(rows.get(i).received())))
                            .toList());
            int[] fresh =
                    IntStream.range(0, rows.size()).filter(i -> updated[i] == 0).toArray();
            int[] inserted = database.batch(
                    "INSERT INTO ad (seq, type, name, received, expires, body, digest)"
                            + " SELECT CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TIMESTAMP WITH"
                            + " TIME ZONE), CAST(? AS TIMESTAMP WITH TIME ZONE), CAST(? AS TEXT), CAST(? AS"
                            + " VARCHAR(64)) WHERE NOT EXISTS (SELECT 1 FROM ad WHERE digest = ?)",
                    IntStream.of(fresh)
                            .mapToObj(i -> values(
                                    rows.get(i),
                                    before + i + 1,
                                    digest(rows.get(i).key())))
                            .toList());
            IntStream.range(0, fresh.length)
                    .filter(i -> inserted[i] == 0)
                    .forEach(i -> takeNewer(rows.get(fresh[i]).key()));
            return rows.size();
        });
    }

    /** Takes the newer ad of another server, which may have been read here before the one of this server came. */
    private void takeNewer(AdKey key) {
        database.all(
                "SELECT received, body FROM ad WHERE digest = ?",
                row -> {
                    take(key, SqlTransactions.instant(row, 1), row.getString(2));
                    return key;
                },
                digest(key));
    }

    /** Takes numbers for changes, and returns the last. Writers wait for each other, so that numbers grow in the order of commits. */
    private long tick(int changes) {
        database.update("UPDATE ad_clock SET seq = seq + ?", changes);
        return database.first("SELECT seq FROM ad_clock", row -> row.getLong(1)).orElseThrow();
    }

    private static Object[] values(Row row, long seq, Object last) {
        var key = row.key();
        return new Object[] {
            seq, key.type(), key.name(), at(row.received()), at(row.expires()), row.body(), digest(key), last
        };
    }

    private static Instant at(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }

    private int readAll() {
        int all = 0;
        for (int rows = MOST_ROWS; rows == MOST_ROWS; all += rows) {
            rows = readSome();
        }
        return all;
    }

    private int readSome() {
        var numbers = database.all(
                "SELECT seq, type, name, received, body FROM ad WHERE seq > ? ORDER BY seq FETCH FIRST " + MOST_ROWS
                        + " ROWS ONLY",
                row -> {
                    take(
                            new AdKey(row.getString(2), row.getString(3)),
                            SqlTransactions.instant(row, 4),
                            row.getString(5));
                    return row.getLong(1);
                },
                lastRead);
        lastRead = numbers.isEmpty() ? lastRead : numbers.get(numbers.size() - 1);
        return numbers.size();
    }

    private void take(AdKey key, Instant received, @Nullable String body) {
        try {
            if (body == null) {
                here.withdraw(key, received);
            } else {
                here.restore(ClassAd.parse(body), received);
            }
        } catch (ClassAdSyntaxException | IllegalArgumentException e) {
            LOG.warn("The ad {} of another server is not understood: {}", key, e.getMessage());
        }
    }

    private static String digest(AdKey key) {
        return SqlTransactions.digest((key.type().length() + ":" + key.type() + key.name()).toLowerCase(Locale.ROOT));
    }

    /** Writes what has changed. */
    @Override
    public void close() {
        turns.shutdown();
        try {
            if (turns.awaitTermination(5, TimeUnit.SECONDS)) {
                exchange();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
