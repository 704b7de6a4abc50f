package org.metasched.store;

import java.time.Duration;

/**
 * Which process does a chore, and when it is due, in the database's time. A chore stays with the process that has it, until that is
 * gone; one that was begun and not done is due still, so that its next owner does it. Thread-safe.
 */
public final class ChoreTurns {

    private static final String NEXT = "CURRENT_TIMESTAMP + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND";

    private final Database database;

    ChoreTurns(Database database) {
        this.database = database;
    }

    /** A chore is due for the first time after its interval, or when it was due anyway. */
    public void know(String chore, Duration interval) {
        if (database.insertOrUpdate(
                        "UPDATE chore SET due = LEAST(due, " + NEXT + ") WHERE name = ?", interval.toMillis(), chore)
                == 0) {
            database.insertOrUpdate(
                    "INSERT INTO chore (due, name) SELECT " + NEXT + ", CAST(? AS VARCHAR(64))"
                            + " WHERE NOT EXISTS (SELECT 1 FROM chore WHERE name = ?)",
                    interval.toMillis(),
                    chore,
                    chore);
        }
    }

    /** Whether the chore is due, and this process is to do it now. */
    public boolean begin(String chore) {
        long epoch = database.node().epoch();
        return database.insertOrUpdate(
                        "UPDATE chore SET owner = ? WHERE name = ? AND due <= CURRENT_TIMESTAMP AND (owner = ? OR "
                                + Node.LEFT + ")",
                        epoch,
                        chore,
                        epoch)
                == 1;
    }

    /** It was done: it is due again an interval after it was, or from now if that is past. */
    public void done(String chore, Duration interval) {
        database.insertOrUpdate(
                "UPDATE chore SET due = CASE WHEN due + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND > CURRENT_TIMESTAMP"
                        + " THEN due + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND ELSE " + NEXT
                        + " END WHERE name = ? AND owner = ?",
                interval.toMillis(),
                interval.toMillis(),
                interval.toMillis(),
                chore,
                database.node().epoch());
    }
}
