package org.metasched.store;

import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OfferLockTable;

/** Locks on offers in a table. A database that is used by one process needs none: there the locks are in memory. */
record JdbcOfferLockTable(SqlTransactions database) implements OfferLockTable {

    private static final String RELEASE = "DELETE FROM offer_turn WHERE offer_digest = ? AND owner = ?";

    @Override
    public boolean acquire(OfferKey key) {
        if (database.node().isAlone()) {
            return true;
        }
        long epoch = database.node().epoch();
        boolean isOwn = changesRow(
                "INSERT INTO offer_turn AS turn (offer_digest, owner) VALUES (?, ?) ON CONFLICT (offer_digest) DO"
                        + " UPDATE SET owner = EXCLUDED.owner WHERE turn.owner = EXCLUDED.owner OR NOT EXISTS (SELECT 1"
                        + " FROM node WHERE epoch = turn.owner)",
                key,
                epoch);
        // From now on no other server can save an agreement of the offer; one may have done so just before.
        if (isOwn && isMade(key)) {
            release(key);
            return false;
        }
        return isOwn;
    }

    @Override
    public void release(OfferKey key) {
        if (!database.node().isAlone()) {
            changesRow(RELEASE, key, database.node().epoch());
        }
    }

    @Override
    public void settle(OfferKey key) {
        if (!database.node().isAlone()
                && !changesRow(RELEASE, key, database.node().epoch())) {
            throw new IllegalStateException("The offer " + key.id() + " of " + key.initiator()
                    + " is another server's to decide.\n"
                    + "Maybe this one was stopped for so long that its work was taken over.");
        }
    }

    private boolean changesRow(String sql, OfferKey key, long epoch) {
        return database.update(sql, JdbcAgreementRepository.digest(key), epoch) == 1;
    }

    private boolean isMade(OfferKey key) {
        return database.first(
                        "SELECT 1 FROM agreement WHERE offer_digest = ?",
                        row -> row.getInt(1),
                        JdbcAgreementRepository.digest(key))
                .isPresent();
    }
}
