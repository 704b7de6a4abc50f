package org.metasched.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.outbox.Outbox;

/** The outbox in a table, one row for each message, in the order in which they were owed. */
final class JdbcOutbox implements Outbox {

    private final Database database;

    JdbcOutbox(Database database) {
        this.database = database;
    }

    @Override
    public void owe(List<Message> messages) {
        database.query(connection -> {
            try (var insert =
                    connection.prepareStatement("INSERT INTO outbox (kind, id, lane, receiver, body, attempts, owner)"
                            + " SELECT CAST(? AS VARCHAR(16)), CAST(? AS VARCHAR(128)), CAST(? AS VARCHAR(512)), CAST(? AS TEXT),"
                            + " CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS BIGINT)"
                            + " WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE kind = ? AND id = ?)")) {
                for (var message : messages) {
                    name(insert, message.label(), 1);
                    insert.setString(3, message.label().lane());
                    insert.setString(4, message.receiver());
                    insert.setString(5, message.body());
                    insert.setInt(6, message.attempts());
                    insert.setLong(7, database.node().epoch());
                    name(insert, message.label(), 8);
                    insert.addBatch();
                }
                return insert.executeBatch();
            }
        });
    }

    @Override
    public List<Label> owed(Kind kind, int limit) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement(
                    "SELECT id, lane FROM outbox WHERE kind = ? AND owner = ? ORDER BY seq FETCH FIRST ? ROWS ONLY")) {
                takeOver(connection, kind);
                select.setString(1, kind.name());
                select.setLong(2, database.node().epoch());
                select.setInt(3, limit);
                var labels = new ArrayList<Label>();
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        labels.add(new Label(kind, row.getString(1), row.getString(2)));
                    }
                }
                return labels;
            }
        });
    }

    private void takeOver(Connection connection, Kind kind) throws SQLException {
        try (var update = connection.prepareStatement("UPDATE outbox SET owner = ? WHERE seq IN (SELECT seq FROM outbox"
                + " WHERE kind = ? AND " + Node.LEFT + " FOR UPDATE SKIP LOCKED)")) {
            update.setLong(1, database.node().epoch());
            update.setString(2, kind.name());
            update.executeUpdate();
        }
    }

    @Override
    public Optional<Message> begin(Label label) {
        return database.query(connection -> {
            try (var update = connection.prepareStatement(
                    "UPDATE outbox SET attempts = attempts + 1 WHERE kind = ? AND id = ? AND owner = ?")) {
                name(update, label, 1);
                update.setLong(3, database.node().epoch());
                return update.executeUpdate() == 1 ? find(connection, label) : Optional.empty();
            }
        });
    }

    private static Optional<Message> find(Connection connection, Label label) throws SQLException {
        try (var select = connection.prepareStatement(
                "SELECT receiver, body, attempts - 1 FROM outbox WHERE kind = ? AND id = ?")) {
            name(select, label, 1);
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? Optional.of(new Message(label, row.getString(1), row.getString(2), row.getInt(3)))
                        : Optional.empty();
            }
        }
    }

    @Override
    public void settled(Label label) {
        database.query(connection -> {
            try (var delete = connection.prepareStatement("DELETE FROM outbox WHERE kind = ? AND id = ?")) {
                name(delete, label, 1);
                return delete.executeUpdate();
            }
        });
    }

    private static void name(PreparedStatement statement, Label label, int first) throws SQLException {
        statement.setString(first, label.kind().name());
        statement.setString(first + 1, label.id());
    }
}
