package org.metasched.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.StatusDigest;
import org.metasched.store.JdbcAgreementRepository.Versioned;

/** The next polls of living agreements, in a table of short rows: a poll does not write the agreement, which is long. */
record DueAgreements(SqlTransactions database) {

    /** @param digest status digest that a poll compares; empty if the poll needs the whole agreement */
    record Taken(Versioned versioned, Optional<StatusDigest> digest) {

        static Taken of(String id, long version, Optional<String> digest) {
            return new Taken(
                    new Versioned(id, version), digest.map(text -> StatusDigest.read(new AgreementId(id), text)));
        }
    }

    /** Follows an agreement that is being inserted or updated. It is due at once if its state has changed, and no more once it has ended. */
    void follow(Agreement saved) {
        if (saved.state().isFinal()) {
            database.update(
                    "DELETE FROM agreement_poll WHERE agreement_id = ?",
                    saved.id().value());
        } else if (JdbcAgreementRepository.LIVING.contains(saved.state()) && (saved.version() == 1 || !update(saved))) {
            database.update(
                    "INSERT INTO agreement_poll (agreement_id, version, state, due, digest) VALUES (?, ?, ?, ?, ?)",
                    saved.id().value(),
                    saved.version(),
                    saved.state().name(),
                    saved.changed(),
                    digest(saved));
        }
    }

    /** @return false without a row */
    private boolean update(Agreement saved) {
        return database.update(
                        "UPDATE agreement_poll SET due = CASE WHEN state = ? THEN due ELSE CAST(? AS TIMESTAMP WITH TIME ZONE) END,"
                                + " version = ?, state = ?, digest = ? WHERE agreement_id = ?",
                        saved.state().name(),
                        saved.changed(),
                        saved.version(),
                        saved.state().name(),
                        digest(saved),
                        saved.id().value())
                == 1;
    }

    private static @Nullable String digest(Agreement saved) {
        return StatusDigest.of(saved).map(StatusDigest::write).orElse(null);
    }

    /** Takes the agreements that are due and that no other server is taking now. They are due again at {@code again}. */
    List<Taken> take(Instant now, Instant again, int limit) {
        return database.inTransaction(() -> {
            var taken = database.all(
                    "SELECT agreement_id, version, digest FROM agreement_poll WHERE due <= ? ORDER BY due"
                            + " FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED",
                    row -> Taken.of(row.getString(1), row.getLong(2), Optional.ofNullable(row.getString(3))),
                    now,
                    limit);
            database.batch(
                    "UPDATE agreement_poll SET due = ? WHERE agreement_id = ANY(?)",
                    database.slices(taken.stream()
                                    .map(row -> row.versioned().id())
                                    .toList())
                            .map(ids -> new Object[] {again, ids})
                            .toList());
            return taken;
        });
    }

    /**
     * Sets the times of agreements that are still due at {@code again}, which no other server has changed since. The comparison is written so
     * that it uses no index: all that were taken together have this time, and each statement would read them all.
     */
    void put(Map<AgreementId, Instant> times, Instant again) {
        var byTime = times.entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue,
                        Collectors.mapping(entry -> entry.getKey().value(), Collectors.toList())));
        database.batch(
                "UPDATE agreement_poll SET due = ? WHERE agreement_id = ANY(?) AND due IS NOT DISTINCT FROM ?",
                byTime.entrySet().stream()
                        .flatMap(entry ->
                                database.slices(entry.getValue()).map(ids -> new Object[] {entry.getKey(), ids, again}))
                        .toList());
    }
}
