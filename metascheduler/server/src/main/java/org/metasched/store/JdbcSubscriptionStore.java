package org.metasched.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.subscription.NoticeOccasion;
import org.metasched.subscription.NoticeSubscription;
import org.metasched.subscription.SubscriptionStore;

/** Subscriptions in a table; the time of the last look for slots that begin soon is in the table {@code book}. */
record JdbcSubscriptionStore(SqlTransactions database) implements SubscriptionStore {

    private static final String SELECT =
            "SELECT id, owner, about, receiver, occasions, lead, secret FROM subscription WHERE ";

    @Override
    public void add(NoticeSubscription subscription) {
        database.update(
                "INSERT INTO subscription (id, owner, about, receiver, occasions, lead, secret) VALUES (?, ?, ?, ?, ?, ?, ?)",
                subscription.id(),
                subscription.owner(),
                subscription.about().orElse(null),
                subscription.receiver(),
                subscription.occasions().stream().map(NoticeOccasion::word).collect(Collectors.joining(",", ",", ",")),
                subscription.lead().toSeconds(),
                subscription.secret());
    }

    @Override
    public boolean remove(String id, String owner) {
        return database.update("DELETE FROM subscription WHERE id = ? AND owner = ?", id, owner) > 0;
    }

    @Override
    public Optional<NoticeSubscription> find(String id) {
        return all("id = ?", id).stream().findFirst();
    }

    @Override
    public List<NoticeSubscription> of(String owner) {
        return all("owner = ? ORDER BY id", owner);
    }

    @Override
    public List<NoticeSubscription> concerning(Collection<String> people, String agreement) {
        return all(
                "receiver <> '' AND (about = ? OR about IS NULL AND owner = ANY(?))", agreement, List.copyOf(people));
    }

    @Override
    public List<NoticeSubscription> toldSoon() {
        return all("occasions LIKE '%," + NoticeOccasion.SOON.word() + ",%'");
    }

    @Override
    public Optional<Instant> exchangeLastLook(Instant now) {
        return database.inTransaction(() -> {
            var last = database.first(
                    "SELECT content FROM book WHERE name = 'notices'", row -> Instant.parse(row.getString(1)));
            database.update("DELETE FROM book WHERE name = 'notices'");
            database.update("INSERT INTO book (name, content) VALUES ('notices', ?)", now.toString());
            return last;
        });
    }

    private List<NoticeSubscription> all(String where, Object... values) {
        return database.all(SELECT + where, JdbcSubscriptionStore::subscription, values);
    }

    private static NoticeSubscription subscription(ResultSet row) throws SQLException {
        return new NoticeSubscription(
                row.getString(1),
                row.getString(2),
                Optional.ofNullable(row.getString(3)),
                row.getString(4),
                Arrays.stream(row.getString(5).split(",", -1))
                        .flatMap(word -> NoticeOccasion.of(word).stream())
                        .collect(Collectors.toSet()),
                Duration.ofSeconds(row.getLong(6)),
                row.getString(7));
    }
}
