package org.metasched.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.io.EOFException;
import java.nio.file.AccessDeniedException;
import java.sql.SQLException;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.metasched.negotiation.StoreUnavailableException;

/** Opens the pool of connections to a database and migrates its schema; a failure is an exception with its likely cause. */
final class ConnectionPool {

    /** H2's number of a corrupted file. */
    private static final int FILE_CORRUPTED = 90030;

    private static final String DAMAGED =
            "The file is damaged: put a copy from before in its place; docs/operations.md (Backup) says what to look for then.\n"
                    + "Without a copy, move it away to begin with nothing: sites then hold reservations that no server knows.";

    private static final String OTHER_SCHEMA =
            "Its tables were made by metasched 0.1 or a build before 1.0.0, or changed by hand, and this version does not read them.\n"
                    + "End its agreements with the version that made them, then begin with an empty database:"
                    + " another file name for H2, another database for PostgreSQL.";

    private ConnectionPool() {}

    /** @throws StoreUnavailableException when the database cannot be used, for a reason that {@link Database#open} names */
    static HikariDataSource open(DatabaseSettings settings) {
        if (settings.isEmptied()) {
            throw new StoreUnavailableException(
                    "The database " + settings + " cannot be used: its file is empty\n" + DAMAGED, new EOFException());
        }
        settings.makeFolder().ifPresent(why -> {
            throw new StoreUnavailableException(
                    "The database " + settings + " cannot be used: " + why
                            + ".\nMaybe it belongs to another user, or data: of the configuration names the wrong folder.",
                    new AccessDeniedException(why));
        });
        settings.hide();
        HikariDataSource pool = null;
        try {
            pool = new HikariDataSource(configuration(settings));
            settings.hide();
            migrate(pool, settings);
            return pool;
        } catch (PoolInitializationException | FlywayException | StoreUnavailableException e) {
            if (pool != null) {
                pool.close();
            }
            throw new StoreUnavailableException(
                    "The database " + settings + " cannot be used: " + reason(settings, e), e);
        }
    }

    private static HikariConfig configuration(DatabaseSettings settings) {
        var config = new HikariConfig();
        config.setPoolName("database");
        config.setJdbcUrl(settings.durableUrl());
        if (!settings.user().isEmpty()) {
            config.setUsername(settings.user());
            config.setPassword(settings.password());
        }
        config.setMaximumPoolSize(settings.connections() + SqlTransactions.SPARE);
        config.setConnectionTimeout(10_000);
        config.setAutoCommit(false);
        if (!settings.isH2()) {
            // A connection is checked before use by a statement, which begins the transaction that follows; the check
            // of
            // the driver would be a transaction of its own. Idle connections are not checked, as that would leave a
            // transaction open.
            config.setConnectionTestQuery("SELECT 1");
            config.setKeepaliveTime(0);
            // A server that was stopped, or cut off, in the middle of a transaction must not hold up the others.
            config.setConnectionInitSql(
                    "SET idle_in_transaction_session_timeout = '8s'; SET lock_timeout = '8s'; COMMIT");
            config.addDataSourceProperty("socketTimeout", "30");
            config.addDataSourceProperty("tcpKeepAlive", "true");
        }
        return config;
    }

    private static void migrate(HikariDataSource pool, DatabaseSettings settings) {
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:schema")
                .placeholders(Map.of("unlogged", settings.isH2() ? "" : "UNLOGGED"))
                .load()
                .migrate();
    }

    private static String reason(DatabaseSettings settings, Exception problem) {
        return problem instanceof FlywayValidateException
                ? "its schema is another one\n" + OTHER_SCHEMA
                : deepest(problem) + "\n" + likelyCause(settings, problem);
    }

    private static String likelyCause(DatabaseSettings settings, Throwable problem) {
        for (Throwable t = problem; t != null; t = t.getCause()) {
            if (t instanceof SQLException e && e.getErrorCode() == FILE_CORRUPTED) {
                return DAMAGED;
            }
        }
        return settings.isH2()
                ? "Maybe a server that you thought was stopped still runs: an embedded database is for one server."
                : "Maybe it is not running, or the user or password is wrong.";
    }

    private static String deepest(Exception problem) {
        Throwable cause = problem;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
