package org.metasched.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;

/** A row for each refused offer, of the newest ones of a week. */
final class JdbcRefusedOffers {

    private static final Duration KEPT = Duration.ofDays(7);
    private static final int MOST = 10_000;
    private static final int LONGEST = 16_000;

    private final Database database;

    JdbcRefusedOffers(Database database) {
        this.database = database;
    }

    void add(RefusedOffer refused) {
        String reason = refused.reason();
        database.inOne(() -> {
            database.update(
                    "INSERT INTO refused_offer (happened, initiator, offer, code, reason, request) VALUES (?, ?, ?, ?, ?, ?)",
                    refused.at(),
                    refused.key().initiator(),
                    refused.key().id(),
                    refused.code().name(),
                    reason.substring(0, Math.min(reason.length(), LONGEST)),
                    Optional.of(StoredJson.write(refused.alternatives()))
                            .filter(text -> text.length() <= LONGEST)
                            .orElse(null));
            database.update(
                    "DELETE FROM refused_offer WHERE happened < ?", refused.at().minus(KEPT));
            return database.update(
                    "DELETE FROM refused_offer WHERE number <= (SELECT MAX(number) - " + MOST + " FROM refused_offer)");
        });
    }

    List<RefusedOffer> newest(Optional<Long> before, int limit) {
        return database.all(
                "SELECT number, happened, initiator, offer, code, reason, request FROM refused_offer WHERE number < ?"
                        + " ORDER BY number DESC FETCH FIRST ? ROWS ONLY",
                row -> new RefusedOffer(
                        row.getLong(1),
                        Database.instant(row, 2),
                        new OfferKey(row.getString(3), row.getString(4)),
                        RefusalCode.valueOf(row.getString(5)),
                        row.getString(6),
                        Optional.ofNullable(row.getString(7))
                                .map(StoredJson::readRequests)
                                .orElse(List.of())),
                before.orElse(Long.MAX_VALUE),
                limit);
    }
}
