package org.metasched.store;

import java.sql.ResultSet;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
        var at = refused.at().atOffset(ZoneOffset.UTC);
        String reason = refused.reason();
        database.query(connection -> {
            try (var insert = connection.prepareStatement("INSERT INTO refused_offer (happened, initiator, offer, code,"
                            + " reason, request) VALUES (?, ?, ?, ?, ?, ?)");
                    var drop = connection.prepareStatement("DELETE FROM refused_offer WHERE happened < ?");
                    var dropOldest = connection.prepareStatement("DELETE FROM refused_offer WHERE number <="
                            + " (SELECT MAX(number) - " + MOST + " FROM refused_offer)")) {
                insert.setObject(1, at);
                insert.setString(2, refused.key().initiator());
                insert.setString(3, refused.key().id());
                insert.setString(4, refused.code().name());
                insert.setString(5, reason.substring(0, Math.min(reason.length(), LONGEST)));
                insert.setString(
                        6,
                        refused.request()
                                .map(request -> OfferJson.write(request).toString())
                                .filter(text -> text.length() <= LONGEST)
                                .orElse(null));
                insert.executeUpdate();
                drop.setObject(1, at.minus(KEPT));
                drop.executeUpdate();
                return dropOldest.executeUpdate();
            }
        });
    }

    List<RefusedOffer> newest(OptionalLong before, int limit) {
        return database.query(connection -> {
            try (var select =
                    connection.prepareStatement("SELECT number, happened, initiator, offer, code, reason, request"
                            + " FROM refused_offer WHERE number < ? ORDER BY number DESC FETCH FIRST ? ROWS ONLY")) {
                select.setLong(1, before.orElse(Long.MAX_VALUE));
                select.setInt(2, limit);
                var found = new ArrayList<RefusedOffer>();
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        found.add(new RefusedOffer(
                                row.getLong(1),
                                row.getObject(2, OffsetDateTime.class).toInstant(),
                                new OfferKey(row.getString(3), row.getString(4)),
                                RefusalCode.valueOf(row.getString(5)),
                                row.getString(6),
                                Optional.ofNullable(row.getString(7)).map(OfferJson::readRequest)));
                    }
                }
                return found;
            }
        });
    }
}
