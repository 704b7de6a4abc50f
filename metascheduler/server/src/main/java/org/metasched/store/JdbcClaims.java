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
        return database.inOne(() -> {
            lock();
            settle();
            if (found(want.id()).isPresent()) {
                throw Claims.isTaken(want.id());
            }
            if (taken(want.site()) + want.matches() > maxMatches) {
                return Optional.empty();
            }
            var match = HeldMatch.taken(want, 0, clock.instant().truncatedTo(ChronoUnit.MILLIS));
            insert(match);
            return found(want.id());
        });
    }

    private void lock() {
        database.all("SELECT id FROM claim_lock WHERE id = 1 FOR UPDATE", row -> row.getInt(1));
    }

    private long taken(String site) {
        return database.all(
                        "SELECT COALESCE(SUM(matches), 0) FROM claim WHERE LOWER(site) = LOWER(?)",
                        row -> row.getLong(1),
                        site)
                .get(0);
    }

    private void insert(HeldMatch match) {
        database.update(
                "INSERT INTO claim (id, site, holder, claimant, taken, lease_end, host, pid, began, confirmed, matches)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                match.id().toString(),
                match.site(),
                match.holder(),
                match.owner(),
                match.taken(),
                match.leaseEnd(),
                match.process().host(),
                match.process().pid(),
                match.process().began(),
                match.confirmed(),
                match.matches());
    }

    @Override
    public boolean renew(UUID id) {
        return change(
                "UPDATE claim SET lease_end = ? WHERE id = ?", clock.instant().plus(LEASE), id.toString());
    }

    @Override
    public boolean confirm(UUID id) {
        return change("UPDATE claim SET confirmed = TRUE WHERE id = ?", id.toString());
    }

    @Override
    public boolean release(UUID id) {
        return change("DELETE FROM claim WHERE id = ?", id.toString());
    }

    /** A claim that has lapsed by now cannot be changed any more. */
    private boolean change(String sql, Object... values) {
        return database.inOne(() -> {
            settle();
            return database.update(sql, values) > 0;
        });
    }

    @Override
    public List<HeldMatch> held() {
        return database.inOne(() -> {
            settle();
            return select("");
        });
    }

    @Override
    public Optional<HeldMatch> find(UUID id) {
        return database.inOne(() -> {
            settle();
            return found(id);
        });
    }

    @Override
    public Map<String, Integer> counts() {
        return database.inOne(() -> {
            settle();
            var counts = new TreeMap<String, Integer>();
            database.all(
                            "SELECT LOWER(site), SUM(matches) FROM claim GROUP BY LOWER(site)",
                            row -> Map.entry(row.getString(1), row.getInt(2)))
                    .forEach(site -> counts.put(site.getKey(), site.getValue()));
            return counts;
        });
    }

    private Optional<HeldMatch> found(UUID id) {
        return select(" WHERE id = ?", id.toString()).stream().findFirst();
    }

    /** Ends what claimants that are gone left open, or keeps it if its holder is seen. Only claims that are as they were read. */
    private void settle() {
        Instant now = clock.instant();
        for (var match : select(" WHERE NOT confirmed")) {
            Fate fate = match.fate(now, evidence);
            if (fate != Fate.STAYS) {
                String sql = fate == Fate.CONFIRMED ? "UPDATE claim SET confirmed = TRUE" : "DELETE FROM claim";
                database.update(
                        sql + " WHERE id = ? AND NOT confirmed AND lease_end = ?",
                        match.id().toString(),
                        match.leaseEnd());
            }
        }
    }

    private List<HeldMatch> select(String where, Object... values) {
        return database.all("SELECT " + COLUMNS + " FROM claim" + where + " ORDER BY token", JdbcClaims::read, values);
    }

    private static HeldMatch read(ResultSet row) throws SQLException {
        return new HeldMatch(
                UUID.fromString(row.getString(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5),
                Database.instant(row, 6),
                Database.instant(row, 7),
                new ProcessMark(row.getString(8), row.getLong(9), row.getLong(10)),
                row.getBoolean(11),
                row.getInt(12));
    }

    /** Takes over the claims of another count, which then holds them no longer. May be repeated after a crash. */
    void adopt(Claims other) {
        for (var match : other.held()) {
            database.inOne(() -> {
                lock();
                if (found(match.id()).isEmpty()) {
                    insert(match);
                }
                return match;
            });
            other.release(match.id());
        }
    }
}
