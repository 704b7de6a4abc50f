package org.metasched.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.DecisionOutbox;
import org.metasched.agreement.OfferDocument;

/** The outbox in a table, one row for each agreement. The count of attempts is the lock: who raises it, has it. */
final class JdbcDecisionOutbox implements DecisionOutbox {

    private final Database database;

    JdbcDecisionOutbox(Database database) {
        this.database = database;
    }

    @Override
    public void owe(Notice notice) {
        database.query(connection -> {
            try (var insert = connection.prepareStatement(
                    "INSERT INTO decision_outbox (agreement_id, accepted, initiator, decided, attempts, due)"
                            + " VALUES (?, ?, ?, ?, ?, ?)")) {
                insert.setString(1, notice.agreement().value());
                insert.setBoolean(2, notice.accepted());
                insert.setString(3, notice.initiator().text());
                insert.setObject(4, utc(notice.decided()));
                insert.setInt(5, notice.attempts());
                insert.setObject(6, utc(notice.decided()));
                return insert.executeUpdate();
            } catch (SQLException e) {
                if (Database.isDuplicate(e)) {
                    throw new IllegalStateException("Agreement " + notice.agreement() + " was decided before.", e);
                }
                throw e;
            }
        });
    }

    @Override
    public List<Notice> take(Instant now, int limit, Instant again) {
        return database.query(connection -> {
            var taken = new ArrayList<Notice>();
            for (var notice : due(connection, now, limit)) {
                if (claim(connection, notice, again)) {
                    taken.add(notice);
                }
            }
            return taken;
        });
    }

    private static List<Notice> due(Connection connection, Instant now, int limit) throws SQLException {
        try (var select = connection.prepareStatement("SELECT agreement_id, accepted, initiator, decided, attempts"
                + " FROM decision_outbox WHERE due <= ? ORDER BY due, agreement_id FETCH FIRST ? ROWS ONLY")) {
            select.setObject(1, utc(now));
            select.setInt(2, limit);
            var notices = new ArrayList<Notice>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    notices.add(new Notice(
                            new AgreementId(row.getString(1)),
                            row.getBoolean(2),
                            new OfferDocument(row.getString(3)),
                            row.getObject(4, OffsetDateTime.class).toInstant(),
                            row.getInt(5)));
                }
            }
            return notices;
        }
    }

    private static boolean claim(Connection connection, Notice notice, Instant again) throws SQLException {
        try (var update = connection.prepareStatement(
                "UPDATE decision_outbox SET attempts = ?, due = ? WHERE agreement_id = ? AND attempts = ?")) {
            update.setInt(1, notice.attempts() + 1);
            update.setObject(2, utc(again));
            update.setString(3, notice.agreement().value());
            update.setInt(4, notice.attempts());
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public void putOff(AgreementId agreement, Instant due) {
        database.query(connection -> {
            try (var update =
                    connection.prepareStatement("UPDATE decision_outbox SET due = ? WHERE agreement_id = ?")) {
                update.setObject(1, utc(due));
                update.setString(2, agreement.value());
                return update.executeUpdate();
            }
        });
    }

    @Override
    public void resume(Instant now) {
        database.query(connection -> {
            try (var update = connection.prepareStatement("UPDATE decision_outbox SET due = ? WHERE due > ?")) {
                update.setObject(1, utc(now));
                update.setObject(2, utc(now));
                return update.executeUpdate();
            }
        });
    }

    @Override
    public void settled(AgreementId agreement) {
        database.query(connection -> {
            try (var delete = connection.prepareStatement("DELETE FROM decision_outbox WHERE agreement_id = ?")) {
                delete.setString(1, agreement.value());
                return delete.executeUpdate();
            }
        });
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
