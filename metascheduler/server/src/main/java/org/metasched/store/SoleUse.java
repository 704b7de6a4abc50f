package org.metasched.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second server off a PostgreSQL database: a lock of its own session, which ends with the process, however that
 * ends. (H2 locks its file.) A session that broke takes the lock again as soon as it is missed. Thread-safe.
 */
final class SoleUse implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SoleUse.class);
    /** One lock for each schema of a database: each may have its server. The number is ours, of no meaning. */
    private static final String LOCK = "SELECT pg_advisory_lock(1196118633, hashtext(current_schema()))";
    /** The database may take a moment to notice that a server was killed. */
    private static final String PATIENCE = "SET lock_timeout = '5s'";

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final int ANSWER_WITHIN_SECONDS = 5;

    private final DatabaseSettings settings;
    private Connection session;

    private SoleUse(DatabaseSettings settings, Connection session) {
        this.settings = settings;
        this.session = session;
    }

    /** @throws SQLException also when another server has the lock, see {@link #isTaken} */
    static SoleUse take(DatabaseSettings settings) throws SQLException {
        return new SoleUse(settings, locked(settings));
    }

    /** Whether a problem is that another server has the lock. */
    static boolean isTaken(Exception problem) {
        return problem instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState());
    }

    private static Connection locked(DatabaseSettings settings) throws SQLException {
        var session = settings.user().isEmpty()
                ? DriverManager.getConnection(settings.url())
                : DriverManager.getConnection(settings.url(), settings.user(), settings.password());
        boolean mine = false;
        try (var statement = session.createStatement()) {
            statement.execute(PATIENCE);
            statement.execute(LOCK);
            mine = true;
            return session;
        } catch (SQLException e) {
            throw isTaken(e) ? new SQLException("another metasched server works on it", LOCK_NOT_AVAILABLE, e) : e;
        } finally {
            if (!mine) {
                session.close();
            }
        }
    }

    /** Whether the lock is held, if need be by a new session. */
    synchronized boolean holds() {
        try {
            if (session.isValid(ANSWER_WITHIN_SECONDS)) {
                return true;
            }
            session.close();
            session = locked(settings);
            return true;
        } catch (SQLException e) {
            LOG.error("The database {} is not this server's alone: {}", settings, e.getMessage());
            return false;
        }
    }

    @Override
    public synchronized void close() {
        try (var ending = session;
                var statement = ending.createStatement()) {
            statement.execute("SELECT pg_advisory_unlock_all()");
        } catch (SQLException e) {
            LOG.debug("The session of the lock was not closed in order", e);
        }
    }
}
