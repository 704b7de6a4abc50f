package org.metasched.store;

import java.util.List;
import java.util.Optional;
import org.metasched.outbox.Outbox;

/** The outbox in a table, one row for each message, in the order in which they were stored. */
record JdbcOutbox(SqlTransactions database) implements Outbox {

    @Override
    public void store(List<Message> messages) {
        database.batch(
                "INSERT INTO outbox (kind, id, lane, receiver, body, attempts, owner)"
                        + " SELECT CAST(? AS VARCHAR(16)), CAST(? AS VARCHAR(128)), CAST(? AS VARCHAR(512)), CAST(? AS TEXT),"
                        + " CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS BIGINT)"
                        + " WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE kind = ? AND id = ?)",
                messages.stream()
                        .map(m -> new Object[] {
                            m.key().kind().name(),
                            m.key().id(),
                            m.key().lane(),
                            m.receiver(),
                            m.body(),
                            m.attempts(),
                            database.node().epoch(),
                            m.key().kind().name(),
                            m.key().id()
                        })
                        .toList());
    }

    @Override
    public void afterCommit(Runnable action) {
        database.afterCommit(action);
    }

    @Override
    public List<MessageKey> pending(Kind kind, int limit) {
        return database.inTransaction(() -> {
            long epoch = database.node().epoch();
            database.update(
                    "UPDATE outbox SET owner = ? WHERE seq IN (SELECT seq FROM outbox WHERE kind = ? AND "
                            + ClusterNode.LEFT + " FOR UPDATE SKIP LOCKED)",
                    epoch,
                    kind.name());
            return database.all(
                    "SELECT id, lane FROM outbox WHERE kind = ? AND owner = ? ORDER BY seq FETCH FIRST ? ROWS ONLY",
                    row -> new MessageKey(kind, row.getString(1), row.getString(2)),
                    kind.name(),
                    epoch,
                    limit);
        });
    }

    @Override
    public Optional<Message> begin(MessageKey key) {
        String kind = key.kind().name();
        return database.inTransaction(() -> {
            int begun = database.update(
                    "UPDATE outbox SET attempts = attempts + 1 WHERE kind = ? AND id = ? AND owner = ?",
                    kind,
                    key.id(),
                    database.node().epoch());
            return begun == 0
                    ? Optional.empty()
                    : database.first(
                            "SELECT receiver, body, attempts - 1 FROM outbox WHERE kind = ? AND id = ?",
                            row -> new Message(key, row.getString(1), row.getString(2), row.getInt(3)),
                            kind,
                            key.id());
        });
    }

    @Override
    public void complete(MessageKey key) {
        database.update(
                "DELETE FROM outbox WHERE kind = ? AND id = ?", key.kind().name(), key.id());
    }
}
