package org.metasched.store;

import static org.metasched.store.JdbcAgreementRepository.FINAL;

import java.time.Instant;
import java.util.Optional;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRetention;

/** The retention of agreements: {@code kept_until} of each, and the deletion of ended ones. */
record JdbcAgreementRetention(SqlTransactions database) implements AgreementRetention {

    @Override
    public void keepUntil(AgreementId id, Instant until) {
        database.update("UPDATE agreement SET kept_until = ? WHERE id = ?", until, id.value());
    }

    @Override
    public Optional<Instant> keptUntil(AgreementId id) {
        return database.first(
                "SELECT kept_until FROM agreement WHERE id = ? AND kept_until IS NOT NULL",
                row -> SqlTransactions.instant(row, 1),
                id.value());
    }

    @Override
    public boolean forget(AgreementId id) {
        return database.update("DELETE FROM agreement WHERE " + FINAL + " AND id = ?", id.value()) == 1;
    }

    @Override
    public int forgetFinal(Instant changedBefore, Instant now) {
        return database.update(
                "DELETE FROM agreement WHERE " + FINAL
                        + " AND (kept_until <= ? OR (kept_until IS NULL AND changed < ?))",
                now,
                changedBefore);
    }
}
