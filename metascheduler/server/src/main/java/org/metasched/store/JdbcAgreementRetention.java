package org.metasched.store;

import static org.metasched.store.JdbcAgreementRepository.FINAL;

import java.time.Instant;
import java.util.Optional;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRetention;

/** The retention of agreements: {@code kept_until} of each, and the deletion of ended ones. */
record JdbcAgreementRetention(SqlTransactions database) implements AgreementRetention {

    /** Most agreements that one transaction deletes: others wait for it, and PostgreSQL limits the time of a statement. */
    static final int MOST_AT_ONCE = 2_000;

    /** Most agreements that one call deletes. */
    private static final int MOST = 1_000_000;

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
        String due = FINAL + " AND (kept_until <= ? OR (kept_until IS NULL AND changed < ?))";
        String some = "DELETE FROM agreement WHERE " + due + " AND id IN (SELECT id FROM agreement WHERE " + due
                + " FETCH FIRST " + MOST_AT_ONCE + " ROWS ONLY)";
        int forgotten = 0;
        int last;
        do {
            last = database.update(some, now, changedBefore, now, changedBefore);
            forgotten += last;
        } while (last == MOST_AT_ONCE && forgotten < MOST);
        return forgotten;
    }
}
