package org.metasched.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.ReservationJournal;
import org.metasched.negotiation.SiteReservation;

/** The journal in a table, one row for each key. A batch of changes is one round trip. */
final class JdbcReservationJournal implements ReservationJournal {

    private static final String COLUMNS = "request_key, site, standing, reservation_id, may_arrive_until";

    private final Database database;

    JdbcReservationJournal(Database database) {
        this.database = database;
    }

    @Override
    public void intend(List<Intent> intents) {
        database.query(connection -> {
            try (var insert = connection.prepareStatement(
                    "INSERT INTO reservation_journal (" + COLUMNS + ", owner) VALUES (?, ?, 'INTENDED', NULL, ?, ?)")) {
                for (var intent : intents) {
                    insert.setString(1, intent.key().value());
                    insert.setString(2, intent.site().value());
                    insert.setObject(3, utc(intent.at()));
                    insert.setLong(4, database.node().epoch());
                    insert.addBatch();
                }
                return insert.executeBatch().length;
            } catch (SQLException e) {
                if (Database.isDuplicate(e)) {
                    throw new IllegalStateException(
                            "One of the request keys " + keysOf(intents) + " was used before.", e);
                }
                throw e;
            }
        });
    }

    @Override
    public void granted(List<SiteReservation> reservations) {
        settle(reservations, "GRANTED", "standing IN ('INTENDED', 'GRANTED')");
    }

    @Override
    public void keep(List<SiteReservation> reservations) {
        database.inOne(() -> {
            long epoch = database.node().epoch();
            int[] changed = settle(
                    reservations,
                    "KEPT",
                    "standing <> 'STRANDED' AND owner = " + epoch + " AND " + Node.STANDS.replace("?", "" + epoch));
            for (int i = 0; i < changed.length; i++) {
                if (changed[i] == 0) {
                    throw new IllegalStateException("The reservation "
                            + reservations.get(i).reservation().key() + " cannot be kept: it is being given back.\n"
                            + "Maybe this server was stopped for so long that another one took its work over.");
                }
            }
        });
    }

    private int[] settle(List<SiteReservation> reservations, String next, String where) {
        return database.query(connection -> {
            try (var update = connection.prepareStatement("UPDATE reservation_journal SET standing = '" + next
                    + "', reservation_id = COALESCE(reservation_id, ?) WHERE request_key = ? AND " + where)) {
                for (var made : reservations) {
                    update.setString(1, made.reservation().id().value());
                    update.setString(2, made.reservation().key().value());
                    update.addBatch();
                }
                return update.executeBatch();
            }
        });
    }

    @Override
    public void strand(Collection<RequestKey> keys, Instant mayArriveUntil) {
        database.query(connection -> {
            try (var update = connection.prepareStatement(
                    "UPDATE reservation_journal SET standing = 'STRANDED', may_arrive_until = "
                            + "GREATEST(may_arrive_until, CAST(? AS TIMESTAMP WITH TIME ZONE)) WHERE request_key = ?")) {
                for (var key : sorted(keys)) {
                    update.setObject(1, utc(mayArriveUntil));
                    update.setString(2, key.value());
                    update.addBatch();
                }
                return update.executeBatch().length;
            }
        });
    }

    @Override
    public void released(Collection<RequestKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        database.query(connection -> {
            try (var delete = connection.prepareStatement("DELETE FROM reservation_journal WHERE request_key = ?")) {
                for (var key : sorted(keys)) {
                    delete.setString(1, key.value());
                    delete.addBatch();
                }
                return delete.executeBatch().length;
            }
        });
    }

    @Override
    public List<Entry> find(Collection<RequestKey> keys) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement(
                    "SELECT " + COLUMNS + " FROM reservation_journal WHERE request_key = ANY(?) ORDER BY seq")) {
                Object[] values = keys.stream().map(RequestKey::value).toArray();
                select.setArray(1, connection.createArrayOf("VARCHAR", values));
                return entries(select);
            }
        });
    }

    @Override
    public List<Entry> stranded(int limit) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement("SELECT " + COLUMNS
                    + " FROM reservation_journal WHERE standing = 'STRANDED' ORDER BY seq FETCH FIRST ? ROWS ONLY")) {
                select.setInt(1, limit);
                return entries(select);
            }
        });
    }

    @Override
    public int strandUnfinished(Instant mayArriveUntil) {
        return database.query(connection -> {
            try (var update = connection.prepareStatement(
                    "UPDATE reservation_journal SET standing = 'STRANDED', may_arrive_until = "
                            + "GREATEST(may_arrive_until, CAST(? AS TIMESTAMP WITH TIME ZONE)) "
                            + "WHERE standing IN ('INTENDED', 'GRANTED') AND " + Node.LEFT)) {
                update.setObject(1, utc(mayArriveUntil));
                return update.executeUpdate();
            }
        });
    }

    @Override
    public boolean isOwners() {
        return database.node().isAlive();
    }

    private static List<Entry> entries(PreparedStatement select) throws SQLException {
        var entries = new ArrayList<Entry>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                entries.add(new Entry(
                        new RequestKey(row.getString(1)),
                        new SiteId(row.getString(2)),
                        Standing.valueOf(row.getString(3)),
                        Optional.ofNullable(row.getString(4)).map(ReservationId::new),
                        row.getObject(5, OffsetDateTime.class).toInstant()));
            }
        }
        return entries;
    }

    /** In one order everywhere, so that two transactions do not wait for each other. */
    private static List<RequestKey> sorted(Collection<RequestKey> keys) {
        return keys.stream().sorted().toList();
    }

    private static List<RequestKey> keysOf(List<Intent> intents) {
        return intents.stream().map(Intent::key).toList();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
