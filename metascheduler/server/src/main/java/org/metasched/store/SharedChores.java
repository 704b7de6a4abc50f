package org.metasched.store;

import java.time.Duration;
import java.time.Instant;
import org.metasched.negotiation.StoreUnavailableException;

/**
 * The chores that servers share: each is assigned to one of them, and due at a time of the database. A chore stays with its server until that
 * server is gone or hands it over. Thread-safe.
 */
public final class SharedChores {

    private final SqlTransactions database;

    SharedChores(SqlTransactions database) {
        this.database = database;
    }

    /** Registers a chore. A known one that would be due later is due at this time. */
    public void note(String name, Instant due) {
        boolean known = database.first("SELECT 1 FROM chore WHERE name = ?", row -> true, name)
                .isPresent();
        try {
            int unused = known
                    ? database.update("UPDATE chore SET due = ? WHERE name = ? AND due > ?", due, name, due)
                    : database.update("INSERT INTO chore (due, name) VALUES (?, ?)", due, name);
        } catch (StoreUnavailableException e) {
            if (!SqlTransactions.isDuplicate(e)) {
                throw e;
            }
        }
    }

    /**
     * Begins a chore that is due, unless it is assigned to another live server.
     *
     * @param next time at which it is due again
     * @return whether it is to be done by this server, now
     */
    public boolean begin(String name, Instant now, Instant next) {
        long epoch = database.node().epoch();
        return database.update(
                        "UPDATE chore SET owner = ?, due = ? WHERE name = ? AND due <= ? AND (owner = ? OR "
                                + ClusterNode.LEFT + ")",
                        epoch,
                        next,
                        name,
                        now,
                        epoch)
                == 1;
    }

    /** The time until a chore is due; zero for an unknown one. */
    public Duration left(String name, Instant now) {
        return database.first("SELECT due FROM chore WHERE name = ?", row -> SqlTransactions.instant(row, 1), name)
                .map(due -> Duration.between(now, due))
                .orElse(Duration.ZERO);
    }

    /** Lets others do a chore of this server. */
    public void handOver(String name) {
        database.update(
                "UPDATE chore SET owner = NULL WHERE name = ? AND owner = ?",
                name,
                database.node().epoch());
    }
}
