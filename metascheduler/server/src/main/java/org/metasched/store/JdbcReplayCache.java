package org.metasched.store;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.trust.ReplayCache;

/**
 * Replay cache in the database: each proof counts once for all its servers, also after a restart. Proofs are deleted some time after they
 * may be forgotten. Thread-safe.
 */
final class JdbcReplayCache implements ReplayCache {

    /** Calls between two deletions of old proofs. */
    private static final int SWEEP_EVERY = 256;

    private final SqlTransactions database;
    private final AtomicInteger calls = new AtomicInteger();

    JdbcReplayCache(SqlTransactions database) {
        this.database = database;
    }

    @Override
    public boolean remember(String proof, Instant now, Instant until) {
        if (calls.getAndIncrement() % SWEEP_EVERY == 0) {
            database.update("DELETE FROM seen_proof WHERE kept_until < ?", now.getEpochSecond());
        }
        try {
            database.update("INSERT INTO seen_proof (kept_until, digest) VALUES (?, ?)", until.getEpochSecond(), proof);
            return true;
        } catch (StoreUnavailableException e) {
            if (SqlTransactions.isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public Instant begin() {
        return Instant.EPOCH;
    }
}
