package org.metasched.store;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.sites.FanOutExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process among those that work on one database: a row with a lease, renewed in the database's time. One whose lease has run out
 * is declared gone by another, which deletes its row; whatever its epoch owns is then anybody's, and nothing can be committed in its
 * name. A process that was only stopped finds that out and goes on with a new epoch. Thread-safe.
 */
final class ClusterNode implements AutoCloseable {

    /** Where a row has an owner that is gone, or none. */
    static final String LEFT = "NOT EXISTS (SELECT 1 FROM node WHERE epoch = owner)";
    /** Whether the epoch of the parameter is none of one that is gone. */
    static final String STANDS = "EXISTS (SELECT 1 FROM node WHERE epoch = ?)";

    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);
    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final String LEASE_END = "CURRENT_TIMESTAMP + INTERVAL '" + LEASE.toSeconds() + "' SECOND";

    private final SqlTransactions database;
    private final boolean alone;
    private final ScheduledExecutorService heart;
    private volatile long epoch;
    /** When this process last knew that its lease was renewed, and since when it has known that without a gap. */
    private volatile long renewed;

    private long steadySince;
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
        heart = Executors.newSingleThreadScheduledExecutor(FanOutExecutor.daemons("node-heart"));
        var unused = heart.scheduleWithFixedDelay(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** In whose name this process works. */
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

    /** Renews the lease. */
    void beat() {
        try {
            long now = System.nanoTime();
            if (!isAlive()) {
                steadySince = now;
            }
            if (execute("UPDATE node SET lease_end = " + LEASE_END + " WHERE epoch = " + epoch) == 0) {
                LOG.warn("Another server has taken the work of node {} over: its lease had run out", epoch);
                join();
            }
            renewed = now;
            // After the database was away every lease has run out: others get the time to renew theirs.
            if (now - steadySince > LEASE.toNanos()) {
                bury();
            }
            if (alone) {
                // H2 hands commits to the operating system only; what it keeps for a while must be on the disk when it
                // lets go of it.
                execute("CHECKPOINT SYNC");
                database.query(connection -> {
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

    /** Declares those gone whose lease has run out. */
    void bury() {
        int gone = execute("DELETE FROM node WHERE epoch IN"
                + " (SELECT epoch FROM node WHERE lease_end < CURRENT_TIMESTAMP FOR UPDATE SKIP LOCKED)");
        if (gone > 0) {
            LOG.warn("{} servers have let their lease run out; their work is taken over", gone);
        }
    }

    /** Begins a new epoch. */
    private void join() {
        long now = System.nanoTime();
        epoch = database.query(ClusterNode::insert);
        renewed = now;
        steadySince = now;
        LOG.info("This server is node {} of its database", epoch);
    }

    private static long insert(Connection connection) throws SQLException {
        try (var insert = connection.prepareStatement(
                "INSERT INTO node (name, lease_end) VALUES (?, " + LEASE_END + ")", new String[] {"epoch"})) {
            insert.setString(1, name());
            insert.executeUpdate();
            try (var key = insert.getGeneratedKeys()) {
                key.next();
                return key.getLong(1);
            }
        }
    }

    /** For people who look into the table. */
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
        return database.query(connection -> {
            try (var statement = connection.createStatement()) {
                statement.setQueryTimeout((int) LEASE.toSeconds());
                int changed = statement.executeUpdate(sql);
                // H2 keeps it for the connection, and so for what the next user of the connection asks.
                statement.setQueryTimeout(0);
                return changed;
            }
        });
    }

    /** As if another had declared this one gone. */
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
