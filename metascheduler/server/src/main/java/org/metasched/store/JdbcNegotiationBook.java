package org.metasched.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.NegotiationBook;

/** Negotiations in tables, one row for each offer and for each hold. */
record JdbcNegotiationBook(SqlTransactions database) implements NegotiationBook {

    private static final String NEGOTIATION =
            "SELECT n.id, n.owner, n.context, n.renegotiated, n.ends FROM negotiation n";

    @Override
    public boolean open(Negotiation negotiation, int most, int mostOfOwner) {
        return change(
                "INSERT INTO negotiation (id, owner, context, renegotiated, ends) SELECT CAST(? AS VARCHAR(64)),"
                        + " CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS VARCHAR(64)),"
                        + " CAST(? AS TIMESTAMP WITH TIME ZONE) WHERE (SELECT COUNT(*) FROM negotiation) < ?"
                        + " AND (SELECT COUNT(*) FROM negotiation WHERE owner = ?) < ?",
                negotiation.id(),
                negotiation.owner(),
                negotiation.context(),
                negotiation.renegotiated().map(AgreementId::value).orElse(null),
                negotiation.until(),
                most,
                negotiation.owner(),
                mostOfOwner);
    }

    @Override
    public Optional<Negotiation> negotiation(String id) {
        return database.first(NEGOTIATION + " WHERE n.id = ?", JdbcNegotiationBook::negotiation, id);
    }

    @Override
    public Optional<Negotiation> withOffer(String offer) {
        return database.first(
                NEGOTIATION + " JOIN negotiation_offer o ON o.negotiation_id = n.id WHERE o.id = ?",
                JdbcNegotiationBook::negotiation,
                offer);
    }

    private static Negotiation negotiation(ResultSet row) throws SQLException {
        return new Negotiation(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Optional.ofNullable(row.getString(4)).map(AgreementId::new),
                SqlTransactions.instant(row, 5));
    }

    @Override
    public boolean add(String negotiation, Offer offer) {
        return change(
                "INSERT INTO negotiation_offer (negotiation_id, id, document, rejected) SELECT CAST(? AS VARCHAR(64)),"
                        + " CAST(? AS VARCHAR(256)), CAST(? AS TEXT), CAST(? AS BOOLEAN)"
                        + " WHERE NOT EXISTS (SELECT 1 FROM negotiation_offer WHERE negotiation_id = ? AND id = ?)",
                negotiation,
                offer.id(),
                offer.document(),
                offer.rejected(),
                negotiation,
                offer.id());
    }

    @Override
    public List<Offer> offers(String negotiation) {
        return database.all(
                "SELECT id, document, rejected FROM negotiation_offer WHERE negotiation_id = ? ORDER BY seq",
                row -> new Offer(row.getString(1), row.getString(2), row.getBoolean(3)),
                negotiation);
    }

    @Override
    public void end(String negotiation) {
        change("DELETE FROM negotiation WHERE id = ?", negotiation);
    }

    @Override
    public List<String> ended(Instant now, int limit) {
        return database.all(
                "SELECT id FROM negotiation WHERE ends <= ? ORDER BY ends FETCH FIRST ? ROWS ONLY",
                row -> row.getString(1),
                now,
                limit);
    }

    @Override
    public int holds() {
        return database.all("SELECT COUNT(*) FROM offer_hold", row -> row.getInt(1))
                .get(0);
    }

    @Override
    public boolean hold(String offer, Hold hold, int most) {
        return change(
                "INSERT INTO offer_hold (offer_id, ends, content) SELECT CAST(? AS VARCHAR(256)),"
                        + " CAST(? AS TIMESTAMP WITH TIME ZONE), CAST(? AS TEXT)"
                        + " WHERE (SELECT COUNT(*) FROM offer_hold) < ?",
                offer,
                hold.until(),
                StoredJson.write(hold),
                most);
    }

    @Override
    public Optional<Hold> held(String offer) {
        return database.first(
                "SELECT content FROM offer_hold WHERE offer_id = ?",
                row -> StoredJson.readHold(row.getString(1)),
                offer);
    }

    @Override
    public boolean take(String offer) {
        return change("DELETE FROM offer_hold WHERE offer_id = ?", offer);
    }

    @Override
    public List<String> lapsed(Instant now, int limit) {
        return database.all(
                "SELECT offer_id FROM offer_hold WHERE ends <= ? ORDER BY ends FETCH FIRST ? ROWS ONLY",
                row -> row.getString(1),
                now,
                limit);
    }

    private boolean change(String sql, @Nullable Object... values) {
        return database.update(sql, values) > 0;
    }
}
