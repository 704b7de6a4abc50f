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
    private static final String LOCK = "SELECT pg_try_advisory_lock(1196118633, hashtext(current_schema()))";

    private static final int ANSWER_WITHIN_SECONDS = 5;

    private final DatabaseSettings settings;
    private Connection session;

    private SoleUse(DatabaseSettings settings, Connection session) {
        this.settings = settings;
        this.session = session;
    }

    /** @throws SQLException also when another server has the lock, then without a state */
    static SoleUse take(DatabaseSettings settings) throws SQLException {
        return new SoleUse(settings, locked(settings));
    }

    private static Connection locked(DatabaseSettings settings) throws SQLException {
        var session = settings.user().isEmpty()
                ? DriverManager.getConnection(settings.url())
                : DriverManager.getConnection(settings.url(), settings.user(), settings.password());
        boolean mine = false;
        try (var statement = session.createStatement();
                var answer = statement.executeQuery(LOCK)) {
            mine = answer.next() && answer.getBoolean(1);
            if (!mine) {
                throw new SQLException("another metasched server works on it");
            }
            return session;
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
        try {
            session.close();
        } catch (SQLException e) {
            LOG.debug("The session of the lock was not closed in order", e);
        }
    }
}
