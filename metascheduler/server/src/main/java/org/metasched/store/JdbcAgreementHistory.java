package org.metasched.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementHistory;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;

/**
 * History in tables: a row for each event of an agreement, and one for each of the newest {@value #MOST} refused offers. A refusal deletes
 * those of more than a week before, which are not shown until then either.
 */
record JdbcAgreementHistory(SqlTransactions database) implements AgreementHistory {

    private static final Duration KEPT = Duration.ofDays(7);
    private static final int MOST = 10_000;
    private static final int LONGEST_TEXT = 16_000;

    @Override
    public void record(AgreementId id, List<AgreementEvent> events) {
        database.insert(
                "INSERT INTO agreement_event (agreement_id, happened, kind, what) VALUES (?, ?, ?, ?)",
                events.stream()
                        .map(event -> new Object[] {
                            id.value(), event.at(), event.kind().name(), event.what()
                        })
                        .toList());
    }

    @Override
    public List<AgreementEvent> history(AgreementId id) {
        return of(id, 0, AgreementEvent.MOST).stream().map(NumberedEvent::event).toList();
    }

    @Override
    public List<NumberedEvent> after(long number, int limit) {
        var events = database.all(
                "SELECT happened, kind, what, seq, agreement_id, happened > CURRENT_TIMESTAMP - INTERVAL '10' SECOND"
                        + " FROM agreement_event WHERE seq > ? ORDER BY seq FETCH FIRST ? ROWS ONLY",
                row -> new AgedEvent(
                        new NumberedEvent(row.getLong(4), new AgreementId(row.getString(5)), event(row)),
                        row.getBoolean(6)),
                number,
                limit);
        for (int i = 0; i < events.size(); i++) {
            var next = events.get(i).event();
            long before = i == 0 ? number : events.get(i - 1).event().number();
            // A gap in the numbers may belong to a transaction that has not committed yet. It counts as closed once
            // neither the event after it nor a later one of the same agreement is younger than 10 s. Later ones are
            // examined because time stamps may be older than their rows.
            Predicate<AgedEvent> isOpen =
                    e -> e.isYoung() && e.event().agreement().equals(next.agreement());
            if (next.number() != before + 1 && events.stream().skip(i).anyMatch(isOpen)) {
                return events.stream().limit(i).map(AgedEvent::event).toList();
            }
        }
        return events.stream().map(AgedEvent::event).toList();
    }

    /** @param isYoung whether it is less than 10 s old */
    private record AgedEvent(NumberedEvent event, boolean isYoung) {}

    @Override
    public List<NumberedEvent> of(AgreementId id, long after, int limit) {
        return database.all(
                "SELECT happened, kind, what, seq FROM agreement_event WHERE agreement_id = ? AND seq > ? ORDER BY seq"
                        + " FETCH FIRST ? ROWS ONLY",
                row -> new NumberedEvent(row.getLong(4), id, event(row)),
                id.value(),
                after,
                limit);
    }

    @Override
    public long newest() {
        return database.all("SELECT COALESCE(MAX(seq), 0) FROM agreement_event", row -> row.getLong(1))
                .get(0);
    }

    private static AgreementEvent event(ResultSet row) throws SQLException {
        return new AgreementEvent(
                SqlTransactions.instant(row, 1), AgreementEvent.Kind.valueOf(row.getString(2)), row.getString(3));
    }

    @Override
    public void refuse(RefusedOffer refused) {
        database.inTransaction(() -> {
            database.update(
                    "INSERT INTO refused_offer (happened, initiator, offer, code, reason, request) VALUES (?, ?, ?, ?, ?, ?)",
                    refused.at(),
                    refused.key().initiator(),
                    refused.key().id(),
                    refused.code().name(),
                    refused.reason().substring(0, Math.min(refused.reason().length(), LONGEST_TEXT)),
                    Optional.of(StoredJson.write(refused.alternatives()))
                            .filter(text -> text.length() <= LONGEST_TEXT)
                            .orElse(null));
            database.update(
                    "DELETE FROM refused_offer WHERE happened < ?", refused.at().minus(KEPT));
            return database.update(
                    "DELETE FROM refused_offer WHERE number <= (SELECT MAX(number) - " + MOST + " FROM refused_offer)");
        });
    }

    @Override
    public List<RefusedOffer> refused(Instant now, Optional<Long> before, int limit) {
        return database.all(
                "SELECT number, happened, initiator, offer, code, reason, request FROM refused_offer WHERE number < ?"
                        + " AND happened >= ? ORDER BY number DESC FETCH FIRST ? ROWS ONLY",
                row -> new RefusedOffer(
                        row.getLong(1),
                        SqlTransactions.instant(row, 2),
                        new OfferKey(row.getString(3), row.getString(4)),
                        RefusalCode.valueOf(row.getString(5)),
                        row.getString(6),
                        Optional.ofNullable(row.getString(7))
                                .map(StoredJson::readRequests)
                                .orElse(List.of())),
                before.orElse(Long.MAX_VALUE),
                now.minus(KEPT),
                limit);
    }
}
