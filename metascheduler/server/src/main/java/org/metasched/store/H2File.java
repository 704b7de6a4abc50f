package org.metasched.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.FileStore;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * Compaction of H2's file. H2 compacts by itself only if it also writes by itself, which is not often enough for commits that are promised to be
 * durable (see {@link GroupCommit}). H2 dates its writes by the wall clock: after that is set back, overwritten data would stay in the file until
 * the clock has caught up.
 */
final class H2File {

    /** Size of a file in bytes below which it is not compacted. */
    private static final long SMALL_BYTES = 8 << 20;
    /** Per cent of a chunk; a chunk of which less is in use is written anew. */
    private static final int FILLED_PERCENT = 60;
    /** Bytes that one call writes anew at most. */
    private static final int MOST_BYTES = 2 << 20;
    /** Steps in which they are written; other commits wait during a step only. */
    private static final int STEPS = 8;

    private static final long TOLERANCE_MILLIS = 1000;

    private H2File() {}

    /** Has H2 write what is committed. H2's statement for that would cost two more: the pool rolls back what follows a commit. */
    static void write(MVStore store) throws SQLException {
        try {
            var unused = store.commit();
        } catch (DbException | MVStoreException e) {
            throw notWritten(e);
        }
    }

    /** The failure of a write. Its transaction is committed and must not run again, so this is not {@link #wasRemovedWhileRead}. */
    static SQLException notWritten(RuntimeException e) {
        return new SQLException(e.getMessage(), DbException.toSQLException(e));
    }

    static MVStore store(Connection connection) throws SQLException {
        var session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
        return session.getDatabase().getStore().getMvStore();
    }

    /**
     * Rewrites parts of the file of which little is in use. All that was committed before must be on the disk.
     *
     * @return whether the file is long enough for that
     */
    static boolean keepSmall(Connection connection) throws SQLException {
        var store = store(connection);
        var file = store.getFileStore();
        if (file == null || file.size() < SMALL_BYTES) {
            return false;
        }
        int usual = store.getRetentionTime();
        try {
            boolean isSetBack = newest(store, file) > now(connection) + TOLERANCE_MILLIS;
            if (isSetBack) {
                store.setRetentionTime(-1);
            }
            // What a step leaves may be overwritten by the next one unless it is retained.
            int steps = isSetBack ? 1 : STEPS;
            for (int i = 0; i < steps && store.compact(FILLED_PERCENT, MOST_BYTES / steps); i++) {
                write(store);
            }
            return true;
        } catch (MVStoreException e) {
            throw DbException.toSQLException(e);
        } finally {
            store.setRetentionTime(usual);
        }
    }

    /**
     * Whether a statement failed as a part of the file that it still read was removed. H2 does so now and then while the file is made
     * smaller (h2database issue 4383, seen with 2.3.232, 2.4.240 and 2.5.252). Nothing is lost: the next statement reads the newest parts.
     */
    static boolean wasRemovedWhileRead(SQLException e) {
        return e.getCause() instanceof MVStoreException cause
                && cause.getErrorCode() == DataUtils.ERROR_CHUNK_NOT_FOUND;
    }

    /** The time in milliseconds at which the newest part was written, as the clock was then. */
    private static long newest(MVStore store, FileStore<?> file) {
        return file.getCreationTime()
                + store.getLayoutMap().entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith("chunk."))
                        .mapToLong(entry -> DataUtils.readHexLong(DataUtils.parseMap(entry.getValue()), "time", 0))
                        .max()
                        .orElse(0);
    }

    private static long now(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT CURRENT_TIMESTAMP")) {
            row.next();
            return SqlTransactions.instant(row, 1).toEpochMilli();
        }
    }
}
