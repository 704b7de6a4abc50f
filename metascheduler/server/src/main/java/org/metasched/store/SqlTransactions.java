package org.metasched.store;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.Sha256Digest;
import org.metasched.agreement.StoreTransactions;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions and statements on a pool of connections. A transaction belongs to the thread that opened it. A transaction that ended by a
 * deadlock or a lock timeout is run again. Thread-safe.
 */
abstract sealed class SqlTransactions implements StoreTransactions, AutoCloseable permits Database {

    private static final Logger LOG = LoggerFactory.getLogger(SqlTransactions.class);

    /** Most runs of one transaction that collides with others. */
    private static final int MOST_RUNS = 5;

    /** Seconds for which a new request waits for a connection; few, as its sender can repeat it. */
    private static final int NEW_WAIT_SECONDS = 5;

    /** Seconds for which work that has begun waits for a connection; more, as giving up leaves work to be undone. */
    private static final int BEGUN_WAIT_SECONDS = 15;

    /** Rows of one INSERT. */
    private static final int MOST_ROWS = 100;

    /** Connections outside the queue, for the lease renewals of {@link ClusterNode}. */
    static final int SPARE = 1;

    final HikariDataSource pool;
    final ConnectionQueue queue;

    private final ClusterNode node;
    private final GroupCommit commits;

    /** The transaction of this thread on this database: a thread may have transactions on two of them. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Open> current = new ThreadLocal<>();

    /** @param isH2 whether the database is an H2 file, which no other process can use */
    SqlTransactions(HikariDataSource pool, boolean isH2) {
        this.pool = pool;
        this.queue = new ConnectionQueue(pool.getMaximumPoolSize() - SPARE);
        this.commits = new GroupCommit(isH2);
        this.node = new ClusterNode(this, isH2);
    }

    /** This server among those of the database. */
    public ClusterNode node() {
        return node;
    }

    @Override
    public <T> T inTransaction(Supplier<T> work) {
        return run(connection -> work.get(), false);
    }

    @Override
    public void admit() {
        if (current.get() == null) {
            queue.enter(NEW_WAIT_SECONDS);
            queue.leave();
        }
    }

    @Override
    public void close() {
        node.close();
        pool.close();
    }

    /** Work on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /** An open transaction. */
    private static final class Open {
        final Connection connection;
        final List<Runnable> afterCommit = new ArrayList<>();

        /** Whether it has run a statement that may change rows. */
        boolean changes;

        /** Whether its caller may act on rows that it read, so that its commit waits until they are durable. */
        boolean finds;

        Open(Connection connection, boolean changes) {
            this.connection = connection;
            this.changes = changes;
        }
    }

    /**
     * Runs an action after the commit of this thread's transaction; never after a rollback or a commit that failed, nor without a
     * transaction. An action that fails is logged: what was committed stands, and is not run again.
     */
    void afterCommit(Runnable action) {
        var open = current.get();
        if (open != null) {
            open.afterCommit.add(action);
        }
    }

    boolean isInTransaction() {
        return current.get() != null;
    }

    /** Runs work that may change rows: in the transaction of this thread, or in one of its own. */
    <T> T execute(Work<T> work) {
        return run(work, true);
    }

    private <T> T run(Work<T> work, boolean changes) {
        var open = current.get();
        if (open != null) {
            open.changes |= changes;
            try {
                return work.with(open.connection);
            } catch (SQLException e) {
                throw failure(e);
            }
        }
        for (int run = 1; ; run++) {
            try {
                return transaction(work, changes);
            } catch (StoreUnavailableException e) {
                if (run == MOST_RUNS || !isCollision(e)) {
                    throw e;
                }
                LOG.debug("Run {} of a transaction collided with another one; it runs again", run);
            }
        }
    }

    /** Reads one row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Runs a statement that changes rows.
     *
     * @param values instants, collections of texts, and other values that JDBC takes
     * @return rows changed
     */
    int update(String sql, @Nullable Object... values) {
        return execute(connection -> {
            try (var statement = connection.prepareStatement(sql)) {
                fill(statement, values);
                return statement.executeUpdate();
            }
        });
    }

    /**
     * Runs one statement with each of these rows of values.
     *
     * @return the number of rows of the table that each changed
     */
    int[] batch(String sql, List<Object[]> rows) {
        if (rows.isEmpty()) {
            return new int[0];
        }
        return execute(connection -> {
            try (var statement = connection.prepareStatement(sql)) {
                for (var row : rows) {
                    fill(statement, row);
                    statement.addBatch();
                }
                return statement.executeBatch();
            }
        });
    }

    /**
     * Inserts rows, up to {@value #MOST_ROWS} by each statement: H2 would run a batch as one statement for each row.
     *
     * @param sql an INSERT of one row, which ends with its placeholders in parentheses
     */
    void insert(String sql, List<Object[]> rows) {
        String another = ", " + sql.substring(sql.lastIndexOf('('));
        inTransaction(() -> {
            for (int i = 0; i < rows.size(); i += MOST_ROWS) {
                var batch = rows.subList(i, Math.min(rows.size(), i + MOST_ROWS));
                int unused = update(
                        sql + another.repeat(batch.size() - 1),
                        batch.stream().flatMap(Stream::of).toArray());
            }
        });
    }

    /** Pieces of a list for {@code = ANY(?)}: short ones for H2, which compares each row that it finds with the whole array again. */
    Stream<List<String>> slices(List<String> ids) {
        int most = node.isAlone() ? 50 : 5_000;
        return IntStream.iterate(0, i -> i < ids.size(), i -> i + most)
                .mapToObj(i -> ids.subList(i, Math.min(ids.size(), i + most)));
    }

    /** All rows of a query, in its order. */
    <T> List<T> all(String sql, Reader<T> reader, @Nullable Object... values) {
        return all(true, sql, reader, values);
    }

    /** @param absenceCounts whether the caller may act on having found no row */
    private <T> List<T> all(boolean absenceCounts, String sql, Reader<T> reader, @Nullable Object... values) {
        Work<List<T>> reading = connection -> {
            try (var statement = connection.prepareStatement(sql)) {
                fill(statement, values);
                var results = new ArrayList<T>();
                try (var row = statement.executeQuery()) {
                    while (row.next()) {
                        results.add(reader.read(row));
                    }
                }
                Objects.requireNonNull(current.get()).finds |= absenceCounts || !results.isEmpty();
                return results;
            }
        };
        return run(reading, false);
    }

    /** The first row, if there is one. */
    <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... values) {
        return all(sql, reader, values).stream().findFirst();
    }

    /**
     * The first row, if there is one, for callers that only write if there is none. On H2 a transaction that finds no row does not wait
     * until earlier changes of others are durable.
     */
    <T> Optional<T> firstWithoutWaiting(String sql, Reader<T> reader, @Nullable Object... values) {
        return all(false, sql, reader, values).stream().findFirst();
    }

    private static void fill(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Instant time) {
                statement.setObject(i + 1, time.atOffset(ZoneOffset.UTC));
            } else if (values[i] instanceof Collection<?> texts) {
                statement.setArray(i + 1, statement.getConnection().createArrayOf("VARCHAR", texts.toArray()));
            } else {
                statement.setObject(i + 1, values[i]);
            }
        }
    }

    /** The SHA-256 of a text in hexadecimal: stands for texts that may be longer than an index takes. */
    static String digest(String text) {
        return HexFormat.of().formatHex(Sha256Digest.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private <T> T transaction(Work<T> work, boolean changes) {
        queue.enter(BEGUN_WAIT_SECONDS);
        return transaction(work, changes, queue::leave);
    }

    /** Runs work that changes rows in a transaction of its own, by a connection outside the queue. */
    <T> T unqueued(Work<T> work) {
        return transaction(work, true, () -> {});
    }

    /** @param leave run when the connection is free again, before the wait until the commit is durable */
    private <T> T transaction(Work<T> work, boolean changes, Runnable leave) {
        try {
            T result;
            Open open;
            GroupCommit.@Nullable Written written = null;
            try (Connection connection = pool.getConnection()) {
                open = new Open(connection, changes);
                current.set(open);
                try {
                    result = work.with(connection);
                    written = commits.commit(connection, open.changes, open.finds);
                } finally {
                    current.remove();
                    if (written == null) {
                        connection.rollback();
                    }
                }
            } finally {
                leave.run();
                if (written != null) {
                    written.await();
                }
            }
            open.afterCommit.forEach(SqlTransactions::attempt);
            return result;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private static void attempt(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.error("An action after a commit failed; what was committed stands", e);
        }
    }

    static boolean isDuplicate(StoreUnavailableException e) {
        return e.getCause() instanceof SQLException cause && "23505".equals(cause.getSQLState());
    }

    private static StoreUnavailableException failure(SQLException e) {
        return new StoreUnavailableException("The database failed: " + e.getMessage(), e);
    }

    /** Whether a transaction failed by a deadlock, a lock timeout, or a part of H2's file that was removed while it was read. */
    private static boolean isCollision(StoreUnavailableException e) {
        return e.getCause() instanceof SQLException cause
                && (String.valueOf(cause.getSQLState()).matches("40.*|HYT00|55P03")
                        || H2File.wasRemovedWhileRead(cause));
    }
}
