package org.metasched.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.StatusDigest;
import org.metasched.store.JdbcAgreementRepository.Versioned;

/** The times of the next look at agreements, in a column of their table. */
record DueAgreements(SqlTransactions database) {

    /** @param watch version and status digest that a look compares; null if a look needs the whole agreement */
    record Taken(Versioned versioned, @Nullable String watch) {

        Optional<StatusDigest> watched() {
            String prefix = versioned.version() + " ";
            return Optional.ofNullable(watch)
                    .filter(text -> text.startsWith(prefix))
                    .map(text -> StatusDigest.read(new AgreementId(versioned.id()), text.substring(prefix.length())));
        }
    }

    /** Takes the agreements that are due and that no other server is taking now. Those that have not ended are due again at {@code again}. */
    List<Taken> take(Instant now, Instant again, int limit) {
        return database.inTransaction(() -> {
            var taken = database.all(
                    "SELECT id, version, watch FROM agreement WHERE due <= ? ORDER BY due FETCH FIRST ? ROWS ONLY"
                            + " FOR UPDATE SKIP LOCKED",
                    row -> new Taken(new Versioned(row.getString(1), row.getLong(2)), row.getString(3)),
                    now,
                    limit);
            database.batch(
                    "UPDATE agreement SET due = CASE WHEN " + JdbcAgreementRepository.FINAL
                            + " THEN NULL ELSE CAST(? AS TIMESTAMP WITH TIME ZONE) END WHERE id = ANY(?)",
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
                "UPDATE agreement SET due = ? WHERE id = ANY(?) AND due IS NOT DISTINCT FROM ?",
                byTime.entrySet().stream()
                        .flatMap(entry ->
                                database.slices(entry.getValue()).map(ids -> new Object[] {entry.getKey(), ids, again}))
                        .toList());
    }
}
