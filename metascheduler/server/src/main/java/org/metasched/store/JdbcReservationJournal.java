package org.metasched.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.ReservationJournal;
import org.metasched.negotiation.SiteReservation;
import org.metasched.negotiation.StoreUnavailableException;

/** The journal in a table, one row for each key. A batch of changes is one round trip. */
record JdbcReservationJournal(SqlTransactions database) implements ReservationJournal {

    private static final String COLUMNS = "request_key, site, standing, reservation_id, may_arrive_until";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM reservation_journal ";
    private static final String STRAND = "UPDATE reservation_journal SET standing = 'STRANDED', may_arrive_until = "
            + "GREATEST(may_arrive_until, CAST(? AS TIMESTAMP WITH TIME ZONE)) ";

    private static final String CHANGE_COLUMNS = "request_key, target, standing, may_arrive_until";

    @Override
    public void intend(List<Intent> intents) {
        insert(
                "INSERT INTO reservation_journal (" + COLUMNS + ", owner) VALUES (?, ?, 'INTENDED', NULL, ?, ?)",
                intents.stream()
                        .map(intent -> new Object[] {
                            intent.key().value(),
                            intent.site().value(),
                            intent.at(),
                            database.node().epoch()
                        })
                        .toList());
    }

    /** @param rows rows of values, each with its request key in front */
    private void insert(String sql, List<Object[]> rows) {
        try {
            database.insert(sql, rows);
        } catch (StoreUnavailableException e) {
            var keys = rows.stream().map(values -> values[0]).toList();
            throw SqlTransactions.isDuplicate(e)
                    ? new IllegalStateException("One of the request keys " + keys + " was used before.", e)
                    : e;
        }
    }

    @Override
    public void granted(List<SiteReservation> reservations) {
        settle(reservations, "GRANTED", "standing IN ('INTENDED', 'GRANTED')");
    }

    @Override
    public void keep(List<SiteReservation> reservations) {
        database.inTransaction(() -> {
            long epoch = database.node().epoch();
            int[] changed = settle(
                    reservations,
                    "KEPT",
                    "standing <> 'STRANDED' AND owner = " + epoch + " AND " + ClusterNode.stands(epoch));
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
        return database.batch(
                "UPDATE reservation_journal SET standing = '" + next
                        + "', reservation_id = COALESCE(reservation_id, ?) WHERE request_key = ? AND " + where,
                reservations.stream()
                        .map(SiteReservation::reservation)
                        .map(r -> new Object[] {r.id().value(), r.key().value()})
                        .toList());
    }

    @Override
    public void orphan(Collection<RequestKey> keys, Instant mayArriveUntil) {
        // In one order everywhere, so that two transactions do not wait for each other.
        database.batch(
                STRAND + "WHERE request_key = ?",
                keys.stream()
                        .sorted()
                        .map(key -> new Object[] {mayArriveUntil, key.value()})
                        .toList());
    }

    @Override
    public void released(Collection<RequestKey> keys) {
        database.batch("DELETE FROM reservation_journal WHERE request_key = ?", rows(keys));
    }

    @Override
    public List<Entry> find(Collection<RequestKey> keys) {
        return database.all(
                SELECT + "WHERE request_key = ANY(?) ORDER BY seq",
                JdbcReservationJournal::entry,
                keys.stream().map(RequestKey::value).toList());
    }

    @Override
    public List<Entry> orphans(int limit) {
        return database.all(
                SELECT + "WHERE standing = 'STRANDED' ORDER BY seq FETCH FIRST ? ROWS ONLY",
                JdbcReservationJournal::entry,
                limit);
    }

    @Override
    public void widen(List<SiteReservation> before, Instant at) {
        insert(
                "INSERT INTO reservation_change (" + CHANGE_COLUMNS + ", owner) VALUES (?, ?, 'WIDENED', ?, ?)",
                before.stream()
                        .map(held -> new Object[] {
                            held.reservation().key().value(),
                            StoredJson.write(held),
                            at,
                            database.node().epoch()
                        })
                        .toList());
    }

    @Override
    public boolean advance(List<Change> next) {
        long epoch = database.node().epoch();
        int[] advanced = database.batch(
                "UPDATE reservation_change SET target = ?, standing = ?, may_arrive_until = ? WHERE request_key = ? AND "
                        + "(standing = 'HELD' OR standing = 'WIDENED' AND owner = " + epoch + " AND "
                        + ClusterNode.stands(epoch) + ")",
                next.stream()
                        .map(change -> new Object[] {
                            StoredJson.write(change.target()),
                            change.standing().name(),
                            change.mayArriveUntil(),
                            change.target().reservation().key().value()
                        })
                        .toList());
        return IntStream.of(advanced).sum() == next.size();
    }

    @Override
    public List<Change> changes(Collection<RequestKey> keys) {
        return database.all(
                "SELECT " + CHANGE_COLUMNS + " FROM reservation_change WHERE request_key = ANY(?)",
                JdbcReservationJournal::change,
                keys.stream().map(RequestKey::value).toList());
    }

    @Override
    public List<Change> decided(int limit) {
        return database.all(
                "SELECT " + CHANGE_COLUMNS + " FROM reservation_change WHERE standing = 'DECIDED' ORDER BY request_key"
                        + " FETCH FIRST ? ROWS ONLY",
                JdbcReservationJournal::change,
                limit);
    }

    @Override
    public void forgetChanges(Collection<RequestKey> keys) {
        database.batch("DELETE FROM reservation_change WHERE standing = 'DECIDED' AND request_key = ?", rows(keys));
    }

    private static List<Object[]> rows(Collection<RequestKey> keys) {
        return keys.stream().sorted().map(key -> new Object[] {key.value()}).toList();
    }

    private static Change change(ResultSet row) throws SQLException {
        return new Change(
                StoredJson.readReservation(row.getString(2)),
                ChangeStanding.valueOf(row.getString(3)),
                SqlTransactions.instant(row, 4));
    }

    @Override
    public int orphanUnfinished(Instant mayArriveUntil) {
        database.update(
                "UPDATE reservation_change SET standing = 'DECIDED', may_arrive_until = "
                        + "CAST(? AS TIMESTAMP WITH TIME ZONE) WHERE standing = 'WIDENED' AND " + ClusterNode.LEFT,
                mayArriveUntil);
        return database.update(
                STRAND + "WHERE standing IN ('INTENDED', 'GRANTED') AND " + ClusterNode.LEFT, mayArriveUntil);
    }

    @Override
    public boolean ownsIntents() {
        return database.node().isAlive();
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                new RequestKey(row.getString(1)),
                new SiteId(row.getString(2)),
                Standing.valueOf(row.getString(3)),
                Optional.ofNullable(row.getString(4)).map(ReservationId::new),
                SqlTransactions.instant(row, 5));
    }
}
