package org.metasched.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.metasched.publisher.Claims;
import org.metasched.publisher.Evidence;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.HeldMatch.Fate;
import org.metasched.publisher.HeldMatch.ProcessMark;

/**
 * The count of claims in a table. Claims are taken one after the other, under a lock on one row. {@code O(claims of the site)} for
 * taking one, beside those that are not confirmed yet.
 */
final class JdbcClaims implements Claims {

    private static final String COLUMNS =
            "id, site, holder, claimant, token, taken, lease_end, host, pid, began, confirmed, matches";

    private final Database database;
    private final Clock clock;
    private final Evidence evidence;

    JdbcClaims(Database database, Clock clock, Evidence evidence) {
        this.database = database;
        this.clock = clock;
        this.evidence = evidence;
    }

    @Override
    public Optional<HeldMatch> take(Want want, int maxMatches) {
        return database.query(connection -> {
            lock(connection);
            settle(connection);
            if (find(connection, want.id()).isPresent()) {
                throw Claims.isTaken(want.id());
            }
            if (count(connection, want.site()) + want.matches() > maxMatches) {
                return Optional.empty();
            }
            var match = HeldMatch.taken(want, 0, clock.instant().truncatedTo(ChronoUnit.MILLIS));
            insert(connection, match);
            return find(connection, want.id());
        });
    }

    private static void lock(Connection connection) throws SQLException {
        try (var select = connection.prepareStatement("SELECT id FROM claim_lock WHERE id = 1 FOR UPDATE");
                ResultSet row = select.executeQuery()) {
            row.next();
        }
    }

    private static long count(Connection connection, String site) throws SQLException {
        try (var select = connection.prepareStatement(
                "SELECT COALESCE(SUM(matches), 0) FROM claim WHERE LOWER(site) = LOWER(?)")) {
            select.setString(1, site);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void insert(Connection connection, HeldMatch match) throws SQLException {
        try (var insert = connection.prepareStatement(
                "INSERT INTO claim (id, site, holder, claimant, taken, lease_end, host, pid, began, confirmed, matches)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, match.id().toString());
            insert.setString(2, match.site());
            insert.setString(3, match.holder());
            insert.setString(4, match.owner());
            insert.setObject(5, at(match.taken()));
            insert.setObject(6, at(match.leaseEnd()));
            insert.setString(7, match.process().host());
            insert.setLong(8, match.process().pid());
            insert.setLong(9, match.process().began());
            insert.setBoolean(10, match.confirmed());
            insert.setInt(11, match.matches());
            insert.executeUpdate();
        }
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    @Override
    public boolean renew(UUID id) {
        return change("UPDATE claim SET lease_end = ? WHERE id = ?", update -> {
            update.setObject(1, at(clock.instant().plus(LEASE)));
            update.setString(2, id.toString());
        });
    }

    @Override
    public boolean confirm(UUID id) {
        return change("UPDATE claim SET confirmed = TRUE WHERE id = ?", update -> update.setString(1, id.toString()));
    }

    @Override
    public boolean release(UUID id) {
        return change("DELETE FROM claim WHERE id = ?", update -> update.setString(1, id.toString()));
    }

    private interface Binding {
        void to(PreparedStatement statement) throws SQLException;
    }

    /** A claim that has lapsed by now cannot be changed any more. */
    private boolean change(String sql, Binding binding) {
        return database.query(connection -> {
            settle(connection);
            return update(connection, sql, binding);
        });
    }

    private static boolean update(Connection connection, String sql, Binding binding) throws SQLException {
        try (var update = connection.prepareStatement(sql)) {
            binding.to(update);
            return update.executeUpdate() > 0;
        }
    }

    @Override
    public List<HeldMatch> held() {
        return database.query(connection -> {
            settle(connection);
            return select(connection, "", statement -> {});
        });
    }

    @Override
    public Optional<HeldMatch> find(UUID id) {
        return database.query(connection -> {
            settle(connection);
            return find(connection, id);
        });
    }

    @Override
    public Map<String, Integer> counts() {
        return database.query(connection -> {
            settle(connection);
            var counts = new TreeMap<String, Integer>();
            try (var select = connection.prepareStatement(
                            "SELECT LOWER(site), SUM(matches) FROM claim GROUP BY LOWER(site)");
                    ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    counts.put(row.getString(1), row.getInt(2));
                }
            }
            return counts;
        });
    }

    private static Optional<HeldMatch> find(Connection connection, UUID id) throws SQLException {
        return select(connection, " WHERE id = ?", statement -> statement.setString(1, id.toString())).stream()
                .findFirst();
    }

    /** Ends what claimants that are gone left open, or keeps it if its holder is seen. Only claims that are as they were read. */
    private void settle(Connection connection) throws SQLException {
        Instant now = clock.instant();
        for (var match : select(connection, " WHERE NOT confirmed", statement -> {})) {
            Fate fate = match.fate(now, evidence);
            if (fate != Fate.STAYS) {
                String sql = fate == Fate.CONFIRMED ? "UPDATE claim SET confirmed = TRUE" : "DELETE FROM claim";
                update(connection, sql + " WHERE id = ? AND NOT confirmed AND lease_end = ?", statement -> {
                    statement.setString(1, match.id().toString());
                    statement.setObject(2, at(match.leaseEnd()));
                });
            }
        }
    }

    private static List<HeldMatch> select(Connection connection, String where, Binding binding) throws SQLException {
        try (var select =
                connection.prepareStatement("SELECT " + COLUMNS + " FROM claim" + where + " ORDER BY token")) {
            binding.to(select);
            var held = new ArrayList<HeldMatch>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    held.add(read(row));
                }
            }
            return held;
        }
    }

    private static HeldMatch read(ResultSet row) throws SQLException {
        return new HeldMatch(
                UUID.fromString(row.getString(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5),
                row.getObject(6, OffsetDateTime.class).toInstant(),
                row.getObject(7, OffsetDateTime.class).toInstant(),
                new ProcessMark(row.getString(8), row.getLong(9), row.getLong(10)),
                row.getBoolean(11),
                row.getInt(12));
    }

    /** Takes over the claims of another count, which then holds them no longer. May be repeated after a crash. */
    void adopt(Claims other) {
        for (var match : other.held()) {
            database.query(connection -> {
                lock(connection);
                if (find(connection, match.id()).isEmpty()) {
                    insert(connection, match);
                }
                return match;
            });
            other.release(match.id());
        }
    }
}
