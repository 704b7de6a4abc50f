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

/** When each agreement is looked at next, in a column. */
record DueAgreements(SqlTransactions database) {

    /** @param watch the version that it is of, and what a look compares; nothing if a look needs the whole agreement */
    record Taken(Versioned versioned, @Nullable String watch) {

        Optional<StatusDigest> watched() {
            String about = versioned.version() + " ";
            return Optional.ofNullable(watch)
                    .filter(text -> text.startsWith(about))
                    .map(text -> StatusDigest.read(new AgreementId(versioned.id()), text.substring(about.length())));
        }
    }

    /** Takes the agreements that are due, and which no other server is taking now; due again at the time given, unless ended. */
    List<Taken> take(Instant now, Instant again, int limit) {
        return database.inOne(() -> {
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
     * Nothing for one whose time another server has changed since. That its time is the one given must not be looked up in the index of
     * times: all that were taken together have it, and each statement would read them all.
     */
    void put(Map<AgreementId, Instant> times, Instant again) {
        var together = times.entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue,
                        Collectors.mapping(one -> one.getKey().value(), Collectors.toList())));
        database.batch(
                "UPDATE agreement SET due = ? WHERE id = ANY(?) AND due IS NOT DISTINCT FROM ?",
                together.entrySet().stream()
                        .flatMap(one ->
                                database.slices(one.getValue()).map(ids -> new Object[] {one.getKey(), ids, again}))
                        .toList());
    }
}
