package org.metasched.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.Lease.Fate;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.ProcessMark;

/**
 * Leases in a table. They are acquired one after the other, under a lock on one row. Acquiring a lease costs {@code O(leases)}.
 */
record JdbcLeases(SqlTransactions database, Clock clock, HolderEvidence evidence) implements LeaseStore {

    /** {@code claimant} is the owner of a lease, {@code confirmed} whether it is committed, {@code taken} when it was acquired. */
    private static final String COLUMNS =
            "id, site, holder, claimant, token, taken, lease_end, host, pid, began, confirmed, matches";

    @Override
    public Optional<UUID> acquire(LeaseRequest request) {
        return database.inTransaction(() -> {
            lock();
            settle();
            if (byId(request.id()).isPresent()) {
                throw request.refusalOfTakenId();
            }
            if (!request.fits(matchesHeld(request.site()), () -> select(""))) {
                return Optional.empty();
            }
            insert(Lease.of(request, 0, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
            return Optional.of(request.id());
        });
    }

    private void lock() {
        database.all("SELECT id FROM claim_lock WHERE id = 1 FOR UPDATE", row -> row.getInt(1));
    }

    private long matchesHeld(String site) {
        return database.first(
                        "SELECT COALESCE(SUM(matches), 0) FROM claim WHERE LOWER(site) = LOWER(?)",
                        row -> row.getLong(1),
                        site)
                .orElseThrow();
    }

    private void insert(Lease lease) {
        database.update(
                "INSERT INTO claim (id, site, holder, claimant, taken, lease_end, host, pid, began, confirmed, matches)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                lease.id().toString(),
                lease.site(),
                lease.holder(),
                lease.owner(),
                lease.taken(),
                lease.leaseEnd(),
                lease.claimant().process().host(),
                lease.claimant().process().pid(),
                lease.claimant().process().began(),
                lease.committed(),
                lease.matches());
    }

    @Override
    public boolean renew(UUID id) {
        return change(
                "UPDATE claim SET lease_end = ? WHERE id = ?", clock.instant().plus(LEASE_TIME), id.toString());
    }

    @Override
    public boolean commit(UUID id) {
        return change("UPDATE claim SET confirmed = TRUE WHERE id = ?", id.toString());
    }

    @Override
    public boolean release(UUID id) {
        return change("DELETE FROM claim WHERE id = ?", id.toString());
    }

    /** Changes a lease, unless it has lapsed by now. */
    private boolean change(String sql, Object... values) {
        return settled(() -> database.update(sql, values) > 0);
    }

    @Override
    public List<Lease> held() {
        return settled(() -> select(""));
    }

    @Override
    public Optional<Lease> find(UUID id) {
        return settled(() -> byId(id));
    }

    @Override
    public Map<String, Integer> counts() {
        return settled(() -> {
            var counts = new TreeMap<String, Integer>();
            database.all(
                    "SELECT LOWER(site), SUM(matches) FROM claim GROUP BY LOWER(site)",
                    row -> counts.merge(row.getString(1), row.getInt(2), Integer::sum));
            return counts;
        });
    }

    private <T> T settled(Supplier<T> action) {
        return database.inTransaction(() -> {
            settle();
            return action.get();
        });
    }

    private Optional<Lease> byId(UUID id) {
        return select(" WHERE id = ?", id.toString()).stream().findFirst();
    }

    /**
     * Settles the uncommitted leases of claimants that are gone: commits those whose holder is seen, ends the others. One that another
     * transaction has changed meanwhile stays.
     */
    private void settle() {
        Instant now = clock.instant();
        for (var lease : select(" WHERE NOT confirmed")) {
            Fate fate = lease.fate(now, evidence);
            if (fate != Fate.STAYS) {
                String sql = fate == Fate.COMMITTED ? "UPDATE claim SET confirmed = TRUE" : "DELETE FROM claim";
                database.update(
                        sql + " WHERE id = ? AND NOT confirmed AND lease_end = ?",
                        lease.id().toString(),
                        lease.leaseEnd());
            }
        }
    }

    private List<Lease> select(String where, Object... values) {
        return database.all("SELECT " + COLUMNS + " FROM claim" + where + " ORDER BY token", JdbcLeases::read, values);
    }

    private static Lease read(ResultSet row) throws SQLException {
        return new Lease(
                UUID.fromString(row.getString(1)),
                row.getString(2),
                row.getString(3),
                new Claimant(row.getString(4), new ProcessMark(row.getString(8), row.getLong(9), row.getLong(10))),
                row.getLong(5),
                SqlTransactions.instant(row, 6),
                SqlTransactions.instant(row, 7),
                row.getBoolean(11),
                row.getInt(12));
    }
}
