package org.metasched.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Health of a database: whether it takes writes, and knows that this server lives. Thread-safe. */
final class WriteProbe {

    private static final Logger LOG = LoggerFactory.getLogger(WriteProbe.class);

    private final HikariDataSource pool;
    private final ClusterNode node;
    private final boolean embedded;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile boolean answered = true;

    /** @param embedded whether a write must be forced to the disk of this machine */
    WriteProbe(HikariDataSource pool, ClusterNode node, boolean embedded) {
        this.pool = pool;
        this.node = node;
        this.embedded = embedded;
    }

    /**
     * Whether a write succeeds now. While one thread tries, the others get the last result. After a failure all connections are
     * made anew: H2 opens a file again only when no old connection is left.
     */
    boolean answers() {
        if (asking.compareAndSet(false, true)) {
            try {
                answered = takesWrites() && node.isAlive();
            } finally {
                asking.set(false);
            }
        }
        return answered;
    }

    private boolean takesWrites() {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(true);
            try (var statement = connection.createStatement()) {
                if (!embedded) {
                    statement.setQueryTimeout(5);
                }
                boolean takes = statement.executeUpdate("UPDATE heartbeat SET beat = beat + 1") == 1;
                if (embedded) {
                    H2File.write(connection);
                }
                return takes;
            }
        } catch (SQLException e) {
            LOG.warn("The database does not take writes: {}", e.getMessage());
            pool.getHikariPoolMXBean().softEvictConnections();
            return false;
        }
    }
}
