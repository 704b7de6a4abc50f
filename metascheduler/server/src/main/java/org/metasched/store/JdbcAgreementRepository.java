package org.metasched.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.StaleAgreementException;

/** Agreements in a table: what is searched for in columns, the rest as JSON. */
final class JdbcAgreementRepository implements AgreementRepository {

    private static final String SELECT = "SELECT version, document, acceptance, content FROM agreement ";
    private static final String FINAL = "state IN ('REJECTED', 'COMPLETE', 'TERMINATED')";

    private static final Set<AgreementState> LIVING =
            EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING);

    private final Database database;
    private final JdbcRefusedOffers refused;
    private final KnownAgreements known = new KnownAgreements();

    JdbcAgreementRepository(Database database) {
        this.database = database;
        this.refused = new JdbcRefusedOffers(database);
    }

    @Override
    public Agreement save(Agreement agreement) {
        return database.query(
                connection -> agreement.version() == 0 ? insert(connection, agreement) : update(connection, agreement));
    }

    private Agreement insert(Connection connection, Agreement agreement) throws SQLException {
        var saved = agreement.saved(1);
        try (var insert = connection.prepareStatement(
                "INSERT INTO agreement (id, version, state, offer_digest, created, changed, document, acceptance,"
                        + " content, owner, initiator, node_hours, due) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, saved.id().value());
            insert.setString(2, saved.state().name());
            insert.setString(3, digest(saved.offer().key()));
            insert.setObject(4, saved.created().atOffset(ZoneOffset.UTC));
            insert.setObject(5, saved.changed().atOffset(ZoneOffset.UTC));
            insert.setString(6, saved.offer().document().text());
            insert.setString(
                    7, saved.offer().acceptance().map(OfferDocument::text).orElse(null));
            insert.setString(8, AgreementJson.write(saved));
            insert.setLong(9, database.node().epoch());
            insert.setString(10, saved.offer().key().initiator());
            insert.setDouble(11, saved.nodeHours());
            insert.setObject(12, due(saved));
            insert.executeUpdate();
            return saved;
        } catch (SQLException e) {
            if (Database.isDuplicate(e)) {
                throw new StaleAgreementException(agreement.id(), 0);
            }
            throw e;
        }
    }

    /** Leaves the offer's documents alone: they never change, and may be long. */
    private static Agreement update(Connection connection, Agreement agreement) throws SQLException {
        var saved = agreement.saved(agreement.version() + 1);
        try (var update = connection.prepareStatement(
                "UPDATE agreement SET due = CASE WHEN state = ? THEN due ELSE CAST(? AS TIMESTAMP WITH TIME ZONE) END,"
                        + " version = ?, state = ?, changed = ?, content = ?, node_hours = ? WHERE id = ? AND version = ?")) {
            update.setString(1, saved.state().name());
            update.setObject(2, due(saved));
            update.setLong(3, saved.version());
            update.setString(4, saved.state().name());
            update.setObject(5, saved.changed().atOffset(ZoneOffset.UTC));
            update.setString(6, AgreementJson.write(saved));
            update.setDouble(7, saved.nodeHours());
            update.setString(8, saved.id().value());
            update.setLong(9, agreement.version());
            if (update.executeUpdate() == 0) {
                throw new StaleAgreementException(agreement.id(), agreement.version());
            }
            return saved;
        }
    }

    /** When it changed: at once. Nothing for one that has ended. */
    private static @Nullable OffsetDateTime due(Agreement saved) {
        return saved.state().isFinal() ? null : saved.changed().atOffset(ZoneOffset.UTC);
    }

    @Override
    public List<Agreement> takeDue(Instant now, Instant again, int limit) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement(
                            "SELECT version, '', acceptance, content, id FROM agreement WHERE"
                                    + " due <= ? ORDER BY due FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED");
                    var update = connection.prepareStatement("UPDATE agreement SET due = CASE WHEN " + FINAL
                            + " THEN NULL ELSE CAST(? AS TIMESTAMP WITH TIME ZONE) END WHERE id = ANY(?)")) {
                select.setObject(1, now.atOffset(ZoneOffset.UTC));
                select.setInt(2, limit);
                var due = agreements(select);
                update.setObject(1, again.atOffset(ZoneOffset.UTC));
                update.setArray(2, ids(connection, due.stream().map(Agreement::id)));
                update.executeUpdate();
                return due.stream().filter(a -> LIVING.contains(a.state())).toList();
            }
        });
    }

    @Override
    public void lookAt(Map<AgreementId, Instant> due, Instant again) {
        var together = due.keySet().stream().collect(Collectors.groupingBy(id -> due.getOrDefault(id, again)));
        database.query(connection -> {
            try (var update =
                    connection.prepareStatement("UPDATE agreement SET due = ? WHERE id = ANY(?) AND due = ?")) {
                for (var one : together.entrySet()) {
                    update.setObject(1, one.getKey().atOffset(ZoneOffset.UTC));
                    update.setArray(2, ids(connection, one.getValue().stream()));
                    update.setObject(3, again.atOffset(ZoneOffset.UTC));
                    update.addBatch();
                }
                return update.executeBatch();
            }
        });
    }

    private static Array ids(Connection connection, Stream<AgreementId> ids) throws SQLException {
        return connection.createArrayOf("VARCHAR", ids.map(AgreementId::value).toArray());
    }

    @Override
    public Optional<Agreement> find(AgreementId id) {
        return one("WHERE id = ?", id.value());
    }

    @Override
    public Optional<Agreement> findByOffer(OfferKey key) {
        return one("WHERE offer_digest = ?", digest(key));
    }

    private Optional<Agreement> one(String where, String value) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement(SELECT + where)) {
                select.setString(1, value);
                return agreements(select).stream().findFirst();
            }
        });
    }

    @Override
    public List<Agreement> inState(Set<AgreementState> states, int limit) {
        return listed(connection -> {
            try (var select =
                    connection.prepareStatement("SELECT id, version FROM agreement WHERE state = ANY(?) ORDER BY"
                            + " created, id FETCH FIRST ? ROWS ONLY")) {
                Object[] names = states.stream().map(Enum::name).toArray();
                select.setArray(1, connection.createArrayOf("VARCHAR", names));
                select.setInt(2, limit);
                return versions(select);
            }
        });
    }

    /** Those of a list of versions by id, in its order: only those that are not known in that version are read. */
    private List<Agreement> listed(Database.Work<Map<String, Long>> list) {
        // What an open transaction wrote may be rolled back, and then another agreement have that version.
        boolean remembers = !database.isInTransaction();
        return database.query(connection -> {
            var versions = list.with(connection);
            Map<String, Agreement> found = new HashMap<>();
            versions.forEach((id, version) -> known.find(id)
                    .filter(a -> remembers && a.version() == version)
                    .ifPresent(a -> found.put(id, a)));
            Object[] missing = versions.keySet().stream()
                    .filter(id -> !found.containsKey(id))
                    .toArray();
            try (var select = connection.prepareStatement(SELECT + "WHERE id = ANY(?)")) {
                select.setArray(1, connection.createArrayOf("VARCHAR", missing));
                for (var agreement : missing.length == 0 ? List.<Agreement>of() : agreements(select)) {
                    found.put(agreement.id().value(), agreement);
                    if (remembers) {
                        known.put(agreement);
                    }
                }
            }
            return versions.keySet().stream()
                    .filter(found::containsKey)
                    .map(found::get)
                    .toList();
        });
    }

    private static Map<String, Long> versions(PreparedStatement select) throws SQLException {
        Map<String, Long> versions = new LinkedHashMap<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                versions.put(row.getString(1), row.getLong(2));
            }
        }
        return versions;
    }

    @Override
    public List<Held> held(Set<AgreementState> states) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement("SELECT initiator, COUNT(*), SUM(node_hours) FROM agreement"
                    + " WHERE state = ANY(?) AND initiator IS NOT NULL GROUP BY initiator")) {
                Object[] names = states.stream().map(Enum::name).toArray();
                select.setArray(1, connection.createArrayOf("VARCHAR", names));
                var held = new ArrayList<Held>();
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        held.add(new Held(row.getString(1), row.getLong(2), row.getDouble(3)));
                    }
                }
                return held;
            }
        });
    }

    @Override
    public List<Agreement> takeOver(Set<AgreementState> states, int limit) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement(SELECT + "WHERE state = ANY(?) AND " + Node.LEFT
                            + " ORDER BY created, id FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED");
                    var update = connection.prepareStatement("UPDATE agreement SET owner = ? WHERE id = ?")) {
                Object[] names = states.stream().map(Enum::name).toArray();
                select.setArray(1, connection.createArrayOf("VARCHAR", names));
                select.setInt(2, limit);
                var left = agreements(select);
                for (var agreement : left) {
                    update.setLong(1, database.node().epoch());
                    update.setString(2, agreement.id().value());
                    update.addBatch();
                }
                update.executeBatch();
                return left;
            }
        });
    }

    @Override
    public boolean isOurs(AgreementId id) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement("SELECT 1 FROM agreement WHERE id = ? AND owner = ?")) {
                select.setString(1, id.value());
                select.setLong(2, database.node().epoch());
                try (ResultSet row = select.executeQuery()) {
                    return row.next();
                }
            }
        });
    }

    /** Nobody else decides an offer of a database that is used by one process: there the turns are in memory. */
    @Override
    public boolean begin(OfferKey key) {
        if (database.node().isAlone()) {
            return true;
        }
        long epoch = database.node().epoch();
        boolean mine = turn(
                "INSERT INTO offer_turn AS turn (offer_digest, owner) VALUES (?, ?) ON CONFLICT (offer_digest) DO"
                        + " UPDATE SET owner = EXCLUDED.owner WHERE turn.owner = EXCLUDED.owner OR NOT EXISTS (SELECT 1"
                        + " FROM node WHERE epoch = turn.owner)",
                key,
                epoch);
        // Only now can no other save an agreement of it; one may have done so just before.
        if (mine && findByOffer(key).isPresent()) {
            end(key);
            return false;
        }
        return mine;
    }

    @Override
    public void end(OfferKey key) {
        if (!database.node().isAlone()) {
            turn(
                    "DELETE FROM offer_turn WHERE offer_digest = ? AND owner = ?",
                    key,
                    database.node().epoch());
        }
    }

    @Override
    public void settle(OfferKey key) {
        if (!database.node().isAlone()
                && !turn(
                        "DELETE FROM offer_turn WHERE offer_digest = ? AND owner = ?",
                        key,
                        database.node().epoch())) {
            throw new IllegalStateException("The offer " + key.id() + " of " + key.initiator()
                    + " is another server's to decide.\n"
                    + "Maybe this one was stopped for so long that its work was taken over.");
        }
    }

    private boolean turn(String sql, OfferKey key, long epoch) {
        return database.query(connection -> {
            try (var change = connection.prepareStatement(sql)) {
                change.setString(1, digest(key));
                change.setLong(2, epoch);
                return change.executeUpdate() == 1;
            }
        });
    }

    @Override
    public void record(AgreementId id, List<AgreementEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        database.query(connection -> {
            try (var insert = connection.prepareStatement(
                    "INSERT INTO agreement_event (agreement_id, happened, kind, what) VALUES (?, ?, ?, ?)")) {
                for (var event : events) {
                    insert.setString(1, id.value());
                    insert.setObject(2, event.at().atOffset(ZoneOffset.UTC));
                    insert.setString(3, event.kind().name());
                    insert.setString(4, event.what());
                    insert.addBatch();
                }
                return insert.executeBatch();
            }
        });
    }

    @Override
    public List<AgreementEvent> history(AgreementId id) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement("SELECT happened, kind, what FROM agreement_event"
                    + " WHERE agreement_id = ? ORDER BY seq FETCH FIRST " + AgreementEvent.MOST + " ROWS ONLY")) {
                select.setString(1, id.value());
                var events = new ArrayList<AgreementEvent>();
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        events.add(new AgreementEvent(
                                row.getObject(1, OffsetDateTime.class).toInstant(),
                                AgreementEvent.Kind.valueOf(row.getString(2)),
                                row.getString(3)));
                    }
                }
                return events;
            }
        });
    }

    /** The page of each state is a range of an index; of these the newest. */
    @Override
    public List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit) {
        boolean all = states.size() == AgreementState.values().length;
        String page = "(SELECT id, version, created FROM agreement WHERE " + (all ? "TRUE" : "state = ?")
                + (after.isPresent() ? " AND created <= ? AND (created < ? OR id > ?)" : "")
                + " ORDER BY " + (all ? "" : "state, ") + "created DESC, id FETCH FIRST ? ROWS ONLY)";
        var union = String.join(" UNION ALL ", Collections.nCopies(all ? 1 : states.size(), page));
        return listed(connection -> {
            try (var select = connection.prepareStatement("SELECT id, version FROM (" + union
                    + ") AS pages ORDER BY created DESC, id FETCH FIRST ? ROWS ONLY")) {
                int next = 1;
                var created = after.isPresent() ? created(connection, after.get()) : null;
                for (var state : all ? Set.of(AgreementState.PENDING) : states) {
                    if (!all) {
                        select.setString(next++, state.name());
                    }
                    if (created != null) {
                        select.setObject(next++, created);
                        select.setObject(next++, created);
                        select.setString(next++, after.get().value());
                    }
                    select.setInt(next++, limit);
                }
                select.setInt(next, limit);
                return versions(select);
            }
        });
    }

    /** As the database rounded it. */
    private static OffsetDateTime created(Connection connection, AgreementId id) throws SQLException {
        try (var select = connection.prepareStatement("SELECT created FROM agreement WHERE id = ?")) {
            select.setString(1, id.value());
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException(
                            "The agreement (" + id + ") that the page is to begin after is not there any more.");
                }
                return row.getObject(1, OffsetDateTime.class);
            }
        }
    }

    @Override
    public void refuse(RefusedOffer offer) {
        refused.add(offer);
    }

    @Override
    public List<RefusedOffer> refused(OptionalLong before, int limit) {
        return refused.newest(before, limit);
    }

    @Override
    public void keepUntil(AgreementId id, Instant until) {
        database.query(connection -> {
            try (var update = connection.prepareStatement("UPDATE agreement SET kept_until = ? WHERE id = ?")) {
                update.setObject(1, until.atOffset(ZoneOffset.UTC));
                update.setString(2, id.value());
                return update.executeUpdate();
            }
        });
    }

    @Override
    public Optional<Instant> keptUntil(AgreementId id) {
        return database.query(connection -> {
            try (var select = connection.prepareStatement("SELECT kept_until FROM agreement WHERE id = ?")) {
                select.setString(1, id.value());
                try (ResultSet row = select.executeQuery()) {
                    return row.next()
                            ? Optional.ofNullable(row.getObject(1, OffsetDateTime.class))
                                    .map(OffsetDateTime::toInstant)
                            : Optional.<Instant>empty();
                }
            }
        });
    }

    @Override
    public boolean forget(AgreementId id) {
        return database.query(connection -> {
            try (var delete = connection.prepareStatement("DELETE FROM agreement WHERE " + FINAL + " AND id = ?")) {
                delete.setString(1, id.value());
                return delete.executeUpdate() == 1;
            }
        });
    }

    @Override
    public int forgetFinal(Instant changedBefore, Instant now) {
        return database.query(connection -> {
            try (var delete = connection.prepareStatement("DELETE FROM agreement WHERE " + FINAL
                    + " AND (kept_until <= ? OR (kept_until IS NULL AND changed < ?))")) {
                delete.setObject(1, now.atOffset(ZoneOffset.UTC));
                delete.setObject(2, changedBefore.atOffset(ZoneOffset.UTC));
                return delete.executeUpdate();
            }
        });
    }

    private static List<Agreement> agreements(PreparedStatement select) throws SQLException {
        var agreements = new ArrayList<Agreement>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                var acceptance = Optional.ofNullable(row.getString(3)).map(OfferDocument::new);
                agreements.add(AgreementJson.read(row.getString(4), new OfferDocument(row.getString(2)), acceptance)
                        .saved(row.getLong(1)));
            }
        }
        return agreements;
    }

    /** The key's two texts may be longer than an index takes. The length in front keeps ("ab", "c") from ("a", "bc"). */
    private static String digest(OfferKey key) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            String text = key.initiator().length() + ":" + key.initiator() + key.id();
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
