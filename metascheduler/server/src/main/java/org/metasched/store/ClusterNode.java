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
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.sites.FanOutExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process among those that work on one database: a row with a lease, renewed in the database's time. A process whose lease has run out
 * is declared gone by another, which deletes its row. Any process may then take over what its epoch owns, and nothing can be committed in its
 * name. A process that was only stopped finds that out and goes on with a new epoch. Shared work of a name is done by the server whose epoch and
 * that name have the highest digest. Thread-safe.
 */
public final class ClusterNode implements AutoCloseable {

    /** Condition that the owner of a row is gone, or that it has none. */
    static final String LEFT = "NOT EXISTS (SELECT 1 FROM node WHERE epoch = owner)";
    /** Condition that the process of an epoch was not declared gone. */
    static String stands(long epoch) {
        return "EXISTS (SELECT 1 FROM node WHERE epoch = " + epoch + ")";
    }

    /** The most by which the clock of a server that does shared chores may be off its database's. */
    static final Duration MOST_OFFSET = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);
    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final Duration BEAT = Duration.ofSeconds(2);
    /** Time for which the write of a beat shows that the database takes writes. */
    private static final Duration FRESH = Duration.ofMillis(500);

    private static final String LEASE_TERM = "INTERVAL '" + LEASE.toSeconds() + "' SECOND";
    /**
     * Declares a server gone when its lease has run out though the database was there: another server has renewed its own lease all the time since,
     * or for 4 seconds, two beats, in which this one would have come back too.
     */
    private static final String REMOVE_GONE =
            "DELETE FROM node WHERE epoch IN (SELECT epoch FROM node late WHERE lease_end < "
                    + "CURRENT_TIMESTAMP AND EXISTS (SELECT 1 FROM node WHERE node.lease_end >= CURRENT_TIMESTAMP AND (node.steady"
                    + " <= late.lease_end - " + LEASE_TERM
                    + " OR node.steady < CURRENT_TIMESTAMP - INTERVAL '4' SECOND))"
                    + " FOR UPDATE SKIP LOCKED)";

    private final SqlTransactions database;
    private final boolean alone;
    private final ScheduledExecutorService heart;
    private final DatabaseClock clock = new DatabaseClock();
    private volatile long epoch;
    /** The steady time at which this process began the last renewal of its lease. */
    private volatile long renewedAt;

    /** The other servers as of the last beat. */
    private volatile List<Peer> peers = List.of();

    private final ReentrantLock beating = new ReentrantLock();
    private volatile boolean hasWritten = true;
    /** Whether the clock was at most a second off when that was last logged. */
    private boolean isNear = true;

    private volatile boolean isWorking;
    private final AtomicBoolean left = new AtomicBoolean();

    /**
     * Joins the servers of a database.
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
        long now = System.nanoTime();
        boolean unusedStands = database.unqueued(connection -> renew(now));
        heart = Executors.newSingleThreadScheduledExecutor(FanOutExecutor.daemons("node-heart"));
        var unused = heart.scheduleWithFixedDelay(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The epoch in whose name this process works. It changes after another server has declared this process gone. */
    public long epoch() {
        return epoch;
    }

    /** Whether the database has no room for another process. */
    boolean isAlone() {
        return alone;
    }

    /** Whether no other process can have declared this one gone. Asks no database. */
    boolean isAlive() {
        return alone || System.nanoTime() - renewedAt < LEASE.toNanos();
    }

    /**
     * The time of the database: all deadlines that servers share are of this clock.
     *
     * @param here clock of this process, measured against the database's; the time of a database that no other process uses
     */
    public Clock clock(Clock here) {
        clock.measure(alone ? clock : here);
        return alone ? here : clock;
    }

    /** The time by which the clock of this process is ahead of the database's; negative when it is behind. */
    public Duration offset() {
        return clock.offset();
    }

    /** Whether the offset of the clocks is small enough to judge by this clock and to share chores. */
    public boolean isOnTime() {
        return offset().abs().compareTo(MOST_OFFSET) <= 0;
    }

    /** Whether shared work of this name falls to this server, among the live ones. */
    public boolean isOurs(String what) {
        return isAlive()
                && isOnTime()
                && peers.stream()
                        .filter(peer -> peer.alive() && peer.fit())
                        .map(Peer::epoch)
                        .max(Comparator.comparing(candidate -> SqlTransactions.digest(candidate + " " + what)))
                        .equals(Optional.of(epoch));
    }

    /** Takes part from now on in the work that servers share. While this server starts, others do that work. */
    public void takePart() {
        isWorking = true;
        beat();
    }

    /** Number of the last change of an ad as of the last beat. */
    long lastAd() {
        return peers.stream().mapToLong(Peer::ads).max().orElse(0);
    }

    /** Whether a server has left since this was asked before. */
    public boolean hasSeenLeave() {
        return left.getAndSet(false);
    }

    /** Renews the lease, and looks who else is there. */
    void beat() {
        beating.lock();
        try {
            long now = System.nanoTime();
            if (!database.unqueued(connection -> renew(now))) {
                LOG.warn("Another server has taken the work of node {} over: its lease had run out", epoch);
                join();
            }
            renewedAt = now;
            if (!alone && !peers.stream().allMatch(Peer::alive)) {
                removeGone();
            }
            logOffset();
            if (alone) {
                // H2 hands commits to the operating system only; what it keeps for a while must be on the disk when it
                // lets go of it.
                execute("CHECKPOINT SYNC");
                boolean unused = database.execute(H2File::keepSmall);
            }
            hasWritten = true;
        } catch (RuntimeException e) {
            // Mistakes too: after one that gets out, the heart would never beat again.
            hasWritten = false;
            if (!heart.isShutdown()) {
                LOG.warn("The lease of node {} was not renewed: {}", epoch, e.toString());
                // H2 opens a file again only when no old connection is left.
                database.pool.getHikariPoolMXBean().softEvictConnections();
            }
        } finally {
            beating.unlock();
        }
    }

    /**
     * Whether the database takes the write of a beat now, and no other server can have declared this one gone. During a beat, and just after
     * one, the last one counts.
     */
    public boolean answers() {
        boolean isFresh = hasWritten && System.nanoTime() - renewedAt < FRESH.toNanos();
        if (!isFresh && !heart.isShutdown() && !beating.isLocked()) {
            beat();
        }
        return hasWritten && isAlive();
    }

    /** @param after a steady time before the transaction, whose beginning the database takes for its time */
    private boolean renew(long after) {
        boolean stands =
                execute("UPDATE node SET steady = CASE WHEN lease_end < CURRENT_TIMESTAMP THEN CURRENT_TIMESTAMP"
                                + " ELSE steady END, lease_end = CURRENT_TIMESTAMP + " + LEASE_TERM + ", fit = "
                                + (isWorking && isOnTime())
                                + " WHERE epoch = " + epoch)
                        == 1;
        long before = System.nanoTime();
        readPeers().ifPresent(there -> clock.adjust(there, after, before));
        return stands;
    }

    /**
     * @param fit whether it takes part in shared work
     * @param now time of the database when it was read
     * @param ads number of the last change of an ad
     */
    private record Peer(long epoch, boolean alive, boolean fit, Instant now, long ads) {}

    /** Reads which servers are there, and returns the time of the database. */
    private Optional<Instant> readPeers() {
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

    private void logOffset() {
        double off = offset().toMillis() / 1000.0;
        boolean isNearNow = Math.abs(off) <= 1;
        if (isNearNow != isNear) {
            isNear = isNearNow;
            LOG.warn(
                    "The clock of this server is {}{} s off its database's{}",
                    isNear ? "right again: " : "",
                    off,
                    isOnTime() ? "" : ": it is not ready, and others do the shared chores, until that is mended");
        }
    }

    /** Declares the servers gone whose lease has run out. */
    void removeGone() {
        int gone = execute(REMOVE_GONE);
        if (gone > 0) {
            left.set(true);
            LOG.warn("{} servers have let their lease run out; their work is taken over", gone);
        }
    }

    /** Begins a new epoch. */
    private void join() {
        long now = System.nanoTime();
        epoch = database.execute(ClusterNode::insert);
        renewedAt = now;
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
                    // In H2 this is a setting; to change one drops the prepared statements of all connections.
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
        heart.shutdown();
        try {
            leave();
        } catch (StoreUnavailableException e) {
            LOG.debug("Node {} did not say that it leaves", epoch, e);
        }
    }
}
