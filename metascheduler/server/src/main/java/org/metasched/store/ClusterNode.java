package org.metasched.store;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.sites.FanOutExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process among those that work on one database: a row with a lease, renewed in the database's time. One whose lease has run out
 * is declared gone by another, which deletes its row; whatever its epoch owns is then anybody's, and nothing can be committed in its
 * name. A process that was only stopped finds that out and goes on with a new epoch. What servers share out between them is each
 * time of the one with the highest hash. Thread-safe.
 */
final class ClusterNode implements AutoCloseable {

    /** Where a row has an owner that is gone, or none. */
    static final String LEFT = "NOT EXISTS (SELECT 1 FROM node WHERE epoch = owner)";
    /** Whether the epoch of the parameter is none of one that is gone. */
    static final String STANDS = "EXISTS (SELECT 1 FROM node WHERE epoch = ?)";

    /** How far the clock of a server that takes part in shared chores may be off its database's. */
    static final Duration MOST_OFFSET = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);
    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final String LEASE_TERM = "INTERVAL '" + LEASE.toSeconds() + "' SECOND";
    /**
     * Declares a server gone when its lease has run out though the database was there: another has renewed its own all the time since,
     * or for so long that this one would have come back too.
     */
    private static final String BURY = "DELETE FROM node WHERE epoch IN (SELECT epoch FROM node dead WHERE lease_end < "
            + "CURRENT_TIMESTAMP AND EXISTS (SELECT 1 FROM node WHERE node.lease_end >= CURRENT_TIMESTAMP AND (node.steady"
            + " <= dead.lease_end - " + LEASE_TERM + " OR node.steady < CURRENT_TIMESTAMP - INTERVAL '4' SECOND))"
            + " FOR UPDATE SKIP LOCKED)";

    private final SqlTransactions database;
    private final boolean alone;
    private final ScheduledExecutorService heart;
    private final DatabaseClock clock = new DatabaseClock();
    private volatile Clock here = clock;
    private volatile long epoch;
    /** When this process last knew that its lease was renewed. */
    private volatile long renewed;

    /** The other servers as of the last beat. */
    private volatile List<Peer> peers = List.of();

    private boolean near = true;
    private final AtomicBoolean left = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * Joins.
     *
     * @param alone whether no other process can use the database: then every earlier one is gone
     */
    ClusterNode(SqlTransactions database, boolean alone) {
        this.database = database;
        this.alone = alone;
        if (alone) {
            execute("DELETE FROM node");
        }
        join();
        var unusedStands = database.inOne(this::renew);
        heart = Executors.newSingleThreadScheduledExecutor(FanOutExecutor.daemons("node-heart"));
        var unused = heart.scheduleWithFixedDelay(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The epoch in whose name this process works. */
    long epoch() {
        return epoch;
    }

    /** Whether the database has no room for another process. */
    boolean isAlone() {
        return alone;
    }

    /** Whether no other process can have declared this one gone. Asks no database. */
    boolean isAlive() {
        return alone || System.nanoTime() - renewed < LEASE.toNanos();
    }

    /** The time of the database, which a process that has it for itself gives it. */
    Clock clock(Clock here) {
        this.here = alone ? clock : here;
        return alone ? here : clock;
    }

    /** How far the clock of this process is ahead of the database's. */
    Duration offset() {
        return Duration.between(clock.instant(), here.instant());
    }

    boolean isOnTime() {
        return offset().abs().compareTo(MOST_OFFSET) <= 0;
    }

    /** Whether something is this server's among those that live: that whose hash of both is the highest. */
    boolean isOurs(String what) {
        return isAlive()
                && isOnTime()
                && peers.stream()
                        .filter(peer -> peer.alive() && peer.fit())
                        .map(Peer::epoch)
                        .max(Comparator.comparing(one -> SqlTransactions.digest(one + " " + what)))
                        .filter(one -> one == epoch)
                        .isPresent();
    }

    /** Number of the last change of an ad as of the last beat. */
    long lastAd() {
        return peers.stream().mapToLong(Peer::ads).max().orElse(0);
    }

    /** Whether a server has left since this was asked before. */
    boolean hasSeenLeave() {
        return left.getAndSet(false);
    }

    /** Renews the lease, and looks who else is there. */
    void beat() {
        try {
            long now = System.nanoTime();
            if (!database.inOne(this::renew)) {
                LOG.warn("Another server has taken the work of node {} over: its lease had run out", epoch);
                join();
            }
            renewed = now;
            if (!alone && !peers.stream().allMatch(Peer::alive)) {
                bury();
            }
            tellOffset();
            if (alone) {
                // H2 hands commits to the operating system only; what it keeps for a while must be on the disk when it
                // lets go of it.
                execute("CHECKPOINT SYNC");
                database.execute(connection -> {
                    H2File.keepSmall(connection);
                    return true;
                });
            }
        } catch (StoreUnavailableException e) {
            if (!closed) {
                LOG.warn("The lease of node {} was not renewed: {}", epoch, e.getMessage());
            }
        }
    }

    private boolean renew() {
        long after = System.nanoTime();
        boolean stands =
                execute("UPDATE node SET steady = CASE WHEN lease_end < CURRENT_TIMESTAMP THEN CURRENT_TIMESTAMP"
                                + " ELSE steady END, lease_end = CURRENT_TIMESTAMP + " + LEASE_TERM + ", fit = "
                                + isOnTime()
                                + " WHERE epoch = " + epoch)
                        == 1;
        long before = System.nanoTime();
        look().ifPresent(there -> clock.told(there, after, before));
        return stands;
    }

    /** @param ads number of the last change of an ad */
    private record Peer(long epoch, boolean alive, boolean fit, Instant now, long ads) {}

    /** Looks who is there; when that was. */
    private Optional<Instant> look() {
        var now = database.all(
                "SELECT epoch, lease_end >= CURRENT_TIMESTAMP, fit, CURRENT_TIMESTAMP, (SELECT seq FROM ad_clock) FROM node",
                row -> new Peer(
                        row.getLong(1),
                        row.getBoolean(2),
                        row.getBoolean(3),
                        SqlTransactions.instant(row, 4),
                        row.getLong(5)));
        var present = now.stream().map(Peer::epoch).collect(Collectors.toSet());
        if (!peers.stream().map(Peer::epoch).allMatch(present::contains)) {
            left.set(true);
        }
        peers = now;
        return now.stream().map(Peer::now).findFirst();
    }

    private void tellOffset() {
        double off = offset().toMillis() / 1000.0;
        boolean now = Math.abs(off) <= 1;
        if (now != near) {
            near = now;
            LOG.warn(
                    "The clock of this server is {} s off its database's{}",
                    off,
                    isOnTime() ? "" : ": it is not ready, and others do the shared chores, until that is mended");
        }
    }

    /** Declares those gone whose lease has run out. */
    void bury() {
        int gone = execute(BURY);
        if (gone > 0) {
            left.set(true);
            LOG.warn("{} servers have let their lease run out; their work is taken over", gone);
        }
    }

    /** Begins a new epoch. */
    private void join() {
        long now = System.nanoTime();
        epoch = database.execute(ClusterNode::insert);
        renewed = now;
        left.set(true);
        LOG.info("This server is node {} of its database", epoch);
    }

    private static long insert(Connection connection) throws SQLException {
        try (var insert = connection.prepareStatement(
                "INSERT INTO node (name, lease_end) VALUES (?, CURRENT_TIMESTAMP + " + LEASE_TERM + ")",
                new String[] {"epoch"})) {
            insert.setString(1, name());
            insert.executeUpdate();
            try (var key = insert.getGeneratedKeys()) {
                key.next();
                return key.getLong(1);
            }
        }
    }

    /** The name of this process, for people who look into the table. */
    private static String name() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        String name = host + "/" + ProcessHandle.current().pid();
        return name.substring(Math.max(0, name.length() - 256));
    }

    private int execute(String sql) {
        return database.execute(connection -> {
            try (var statement = connection.createStatement()) {
                if (!alone) {
                    // In H2 it is a setting, and the change of one drops the prepared statements of all connections.
                    statement.setQueryTimeout((int) LEASE.toSeconds());
                }
                return statement.executeUpdate(sql);
            }
        });
    }

    /** Leaves, as if another server had declared this one gone. */
    void leave() {
        execute("DELETE FROM node WHERE epoch = " + epoch);
    }

    /** Leaves: others take over at once what is left. */
    @Override
    public void close() {
        closed = true;
        heart.shutdown();
        try {
            leave();
        } catch (StoreUnavailableException e) {
            LOG.debug("Node {} did not say that it leaves", epoch, e);
        }
    }
}
