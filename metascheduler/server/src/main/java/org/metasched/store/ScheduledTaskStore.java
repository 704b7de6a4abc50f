package org.metasched.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.quartz.JobPersistenceException;
import org.quartz.impl.jdbcjobstore.InvalidConfigurationException;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.spi.OperableTrigger;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quartz's triggers of the chores that servers share, in their database. Quartz compares times that servers wrote by clocks of their
 * own; so a server whose clock is off the database's by more than {@link #MOST_OFFSET}, or whose lease has run out, neither fires nor
 * declares others gone, until that is over. Thread-safe.
 */
public final class ScheduledTaskStore extends JobStoreTX {

    /** Between the clocks of a server that does shared chores and of its database. */
    static final Duration MOST_OFFSET = Duration.ofSeconds(2);

    /** Connections of the pool that Quartz may take beside all others. */
    static final int CONNECTIONS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(ScheduledTaskStore.class);
    private static final String CLUSTER = "metasched";
    private static final Duration CHECK_IN = Duration.ofSeconds(2);
    private static final Duration MISFIRED = Duration.ofSeconds(5);
    /** For which one look at the database's clock serves. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final HikariDataSource pool;
    private final ClusterNode node;
    private final InstantSource clock;
    private volatile Duration offset = Duration.ZERO;
    private long looked = System.nanoTime() - LOOK.toNanos();

    /** @param clock of this server, as Quartz sees it */
    ScheduledTaskStore(HikariDataSource pool, ClusterNode node, InstantSource clock) {
        this.pool = pool;
        this.node = node;
        this.clock = clock;
        // Quartz looks sources up by name in one table of the process, and every new database has an epoch 1.
        String source = "metasched-" + UUID.randomUUID();
        setDataSource(source);
        DBConnectionManager.getInstance().addConnectionProvider(source, new Pooled(pool));
        setTablePrefix("qrtz_");
        setUseProperties("true");
        setMakeThreadsDaemons(true);
        setMisfireThreshold(MISFIRED.toMillis());
        setDbRetryInterval(CHECK_IN.toMillis());
        setIsClustered(!node.isAlone());
        setClusterCheckinInterval(CHECK_IN.toMillis());
        try {
            setDriverDelegateClass(PostgreSQLDelegate.class.getName());
        } catch (InvalidConfigurationException e) {
            throw new IllegalStateException("Quartz lacks its own class: " + e.getMessage(), e);
        }
    }

    /** A process may run several servers, whose schedulers need names of their own; the triggers are one cluster's. */
    @Override
    public void setInstanceName(String name) {
        super.setInstanceName(CLUSTER);
    }

    /** Under which this server works among those that share the chores. */
    public String instance() {
        return "node-" + node.epoch();
    }

    /** How far this server's clock was ahead of the database's at the last look; negative when it was behind. */
    public Duration offset() {
        return offset;
    }

    @Override
    protected boolean doCheckin() throws JobPersistenceException {
        return mayAct() && super.doCheckin();
    }

    @Override
    public List<OperableTrigger> acquireNextTriggers(long noLaterThan, int most, long window)
            throws JobPersistenceException {
        return mayAct() ? super.acquireNextTriggers(noLaterThan, most, window) : List.of();
    }

    @Override
    protected RecoverMisfiredJobsResult doRecoverMisfires() throws JobPersistenceException {
        return mayAct() ? super.doRecoverMisfires() : RecoverMisfiredJobsResult.NO_OP;
    }

    /** Whether this server is one of those that share the chores at this moment. */
    private boolean mayAct() throws JobPersistenceException {
        return node.isAlone() || node.isAlive() && isOnTime();
    }

    private synchronized boolean isOnTime() throws JobPersistenceException {
        if (System.nanoTime() - looked >= LOOK.toNanos()) {
            boolean before = isNear(offset);
            offset = measured();
            looked = System.nanoTime();
            if (before != isNear(offset)) {
                LOG.warn(
                        "The clock of this server is {} s off its database's: {}",
                        offset.toMillis() / 1000.0,
                        before
                                ? "others do the shared chores until that is mended"
                                : "it takes part in the shared chores again");
            }
        }
        return isNear(offset);
    }

    private static boolean isNear(Duration offset) {
        return offset.abs().compareTo(MOST_OFFSET) <= 0;
    }

    /** Less what the question took: a slow answer is no wrong clock. */
    private Duration measured() throws JobPersistenceException {
        try (Connection connection = pool.getConnection();
                var statement = connection.createStatement()) {
            Instant before = clock.instant();
            try (var row = statement.executeQuery("SELECT CURRENT_TIMESTAMP")) {
                row.next();
                Instant there = SqlTransactions.instant(row, 1);
                Instant after = clock.instant();
                return there.isAfter(after)
                        ? Duration.between(there, after)
                        : there.isBefore(before) ? Duration.between(there, before) : Duration.ZERO;
            }
        } catch (SQLException e) {
            throw new JobPersistenceException("The database does not tell the time: " + e.getMessage(), e);
        }
    }

    /** The pool as Quartz takes connections; it is closed with the database. */
    private record Pooled(HikariDataSource pool) implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void initialize() {
            // open already
        }

        @Override
        public void shutdown() {
            // the database does that
        }
    }
}
