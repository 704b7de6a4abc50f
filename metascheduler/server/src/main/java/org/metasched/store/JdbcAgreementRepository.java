package org.metasched.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.DueQueue;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.negotiation.StoreUnavailableException;

/**
 * Agreements in a table, which has columns for searches, and the rest as JSON. The column {@code owner} is the epoch of the
 * {@link ClusterNode} that works on the agreement; {@code initiator} is the party that made the offer.
 */
final class JdbcAgreementRepository implements AgreementRepository, DueQueue {

    private static final String SELECT = "SELECT version, document, acceptance, content FROM agreement ";
    static final String FINAL = "state IN ('REJECTED', 'COMPLETE', 'TERMINATED')";

    static final Set<AgreementState> LIVING =
            EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING);

    private final SqlTransactions database;
    private final DueAgreements due;
    private final KnownAgreements known = new KnownAgreements();

    /** @param version version that the database has */
    record Versioned(String id, long version) {}

    JdbcAgreementRepository(SqlTransactions database) {
        this.database = database;
        this.due = new DueAgreements(database);
    }

    @Override
    public Agreement save(Agreement agreement) {
        return database.inTransaction(() -> {
            var saved = agreement.version() == 0 ? insert(agreement) : update(agreement);
            due.follow(saved);
            if (!saved.state().isFinal()) {
                database.afterCommit(() -> known.put(saved));
            }
            return saved;
        });
    }

    private Agreement insert(Agreement agreement) {
        var saved = agreement.saved(1);
        try {
            database.update(
                    "INSERT INTO agreement (id, version, state, offer_digest, created, changed, document, acceptance,"
                            + " content, owner, initiator, node_hours, begins, ends)"
                            + " VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    saved.id().value(),
                    saved.state().name(),
                    digest(saved.offer().key()),
                    saved.created(),
                    saved.changed(),
                    saved.offer().document().text(),
                    saved.offer().acceptance().map(OfferDocument::text).orElse(null),
                    StoredJson.write(saved),
                    database.node().epoch(),
                    saved.offer().key().initiator(),
                    saved.nodeHours(),
                    heldBound(saved, TimeSlot::start),
                    heldBound(saved, TimeSlot::end));
            return saved;
        } catch (StoreUnavailableException e) {
            if (SqlTransactions.isDuplicate(e)) {
                throw new StaleAgreementException(agreement.id(), 0);
            }
            throw e;
        }
    }

    /** Updates a row, except the offer's documents, which never change and may be long. */
    private Agreement update(Agreement agreement) {
        var saved = agreement.saved(agreement.version() + 1);
        int changed = database.update(
                "UPDATE agreement SET version = ?, state = ?, changed = ?, content = ?, node_hours = ?, begins = ?, ends = ?"
                        + " WHERE id = ? AND version = ?",
                saved.version(),
                saved.state().name(),
                saved.changed(),
                StoredJson.write(saved),
                saved.nodeHours(),
                heldBound(saved, TimeSlot::start),
                heldBound(saved, TimeSlot::end),
                saved.id().value(),
                agreement.version());
        if (changed == 0) {
            throw new StaleAgreementException(agreement.id(), agreement.version());
        }
        return saved;
    }

    /** An end of the time for which an agreement holds reservations; null if it holds none or has ended. */
    private static @Nullable Instant heldBound(Agreement saved, Function<TimeSlot, Instant> end) {
        return saved.state().isFinal() ? null : saved.held().map(end).orElse(null);
    }

    @Override
    public Due take(Instant now, Instant again, int limit) {
        var taken = due.take(now, again, limit);
        var digests = taken.stream()
                .flatMap(row -> row.digest().stream())
                .filter(digest -> digest.until().isAfter(now))
                .toList();
        var ids = digests.stream().map(digest -> digest.id().value()).collect(Collectors.toSet());
        var whole = taken.stream()
                .map(DueAgreements.Taken::versioned)
                .filter(row -> !ids.contains(row.id()))
                .toList();
        return new Due(digests, whole.isEmpty() ? List.of() : alive(() -> whole));
    }

    @Override
    public List<Agreement> living(Collection<AgreementId> ids) {
        return alive(() -> database.slices(ids.stream().map(AgreementId::value).toList())
                .flatMap(slice -> versions("SELECT id, version FROM agreement WHERE id = ANY(?)", slice).stream())
                .toList());
    }

    private List<Agreement> alive(Supplier<List<Versioned>> versions) {
        return listed(versions).stream().filter(a -> LIVING.contains(a.state())).toList();
    }

    @Override
    public void schedule(Map<AgreementId, Instant> due, Instant again) {
        this.due.put(due, again);
    }

    @Override
    public Optional<Agreement> find(AgreementId id) {
        return database.first(SELECT + "WHERE id = ?", JdbcAgreementRepository::agreement, id.value());
    }

    @Override
    public Optional<Agreement> findByOffer(OfferKey key) {
        return database.firstWithoutWaiting(
                SELECT + "WHERE offer_digest = ?", JdbcAgreementRepository::agreement, digest(key));
    }

    @Override
    public List<Agreement> holding(TimeSlot within, int limit) {
        return alive(() -> versions(
                "SELECT id, version FROM agreement WHERE begins < ? AND ends > ? ORDER BY begins DESC FETCH FIRST ? ROWS ONLY",
                within.end(),
                within.start(),
                limit));
    }

    private List<Versioned> versions(String list, Object... values) {
        return database.all(list, row -> new Versioned(row.getString(1), row.getLong(2)), values);
    }

    /** The agreements of a list of versions, in its order. Only those that are not known in that version are read. */
    private List<Agreement> listed(Supplier<List<Versioned>> list) {
        // An open transaction may be rolled back; then another content may get the version that was read.
        boolean mayRemember = !database.isInTransaction();
        return database.inTransaction(() -> {
            var versions = list.get();
            Map<String, Agreement> agreements = new HashMap<>();
            versions.forEach(version -> known.find(version.id())
                    .filter(a -> mayRemember && a.version() == version.version())
                    .ifPresent(a -> agreements.put(version.id(), a)));
            var missing = versions.stream()
                    .map(Versioned::id)
                    .filter(id -> !agreements.containsKey(id))
                    .toList();
            database.slices(missing)
                    .flatMap(ids -> agreements("WHERE id = ANY(?)", ids).stream())
                    .forEach(agreement -> {
                        agreements.put(agreement.id().value(), agreement);
                        if (mayRemember) {
                            known.put(agreement);
                        }
                    });
            return versions.stream()
                    .map(Versioned::id)
                    .filter(agreements::containsKey)
                    .map(agreements::get)
                    .toList();
        });
    }

    private static List<String> names(Set<AgreementState> states) {
        return states.stream().map(Enum::name).toList();
    }

    @Override
    public List<Held> held(Set<AgreementState> states) {
        return database.all(
                "SELECT initiator, COUNT(*), SUM(node_hours) FROM agreement"
                        + " WHERE state = ANY(?) AND initiator IS NOT NULL GROUP BY initiator",
                row -> new Held(row.getString(1), row.getLong(2), row.getDouble(3)),
                names(states));
    }

    @Override
    public List<Agreement> takeOver(Set<AgreementState> states, int limit) {
        return database.inTransaction(() -> {
            var left = agreements(
                    "WHERE state = ANY(?) AND " + ClusterNode.LEFT
                            + " ORDER BY created, id FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED",
                    names(states),
                    limit);
            database.batch(
                    "UPDATE agreement SET owner = ? WHERE id = ?",
                    left.stream()
                            .map(agreement -> new Object[] {
                                database.node().epoch(), agreement.id().value()
                            })
                            .toList());
            return left;
        });
    }

    @Override
    public boolean mayDecide(AgreementId id) {
        return database.first(
                        "SELECT 1 FROM agreement WHERE id = ? AND owner = ?",
                        row -> row.getInt(1),
                        id.value(),
                        database.node().epoch())
                .isPresent();
    }

    /** Reads a page of each state, a range of an index, and takes the newest of all pages. */
    @Override
    public List<Agreement> newest(Set<AgreementState> states, Optional<AgreementId> after, int limit) {
        boolean isForAll = states.size() == AgreementState.values().length;
        String page = "(SELECT id, version, created FROM agreement WHERE " + (isForAll ? "TRUE" : "state = ?")
                + (after.isPresent() ? " AND created <= ? AND (created < ? OR id > ?)" : "")
                + " ORDER BY " + (isForAll ? "" : "state, ") + "created DESC, id FETCH FIRST ? ROWS ONLY)";
        var union = String.join(" UNION ALL ", Collections.nCopies(isForAll ? 1 : states.size(), page));
        var created = after.map(this::created);
        var values = new ArrayList<Object>();
        // For all states there is one page, so one round.
        for (var state : isForAll ? Set.of(AgreementState.PENDING) : states) {
            if (!isForAll) {
                values.add(state.name());
            }
            created.ifPresent(at -> values.addAll(List.of(at, at, after.get().value())));
            values.add(limit);
        }
        values.add(limit);
        return listed(() -> versions(
                "SELECT id, version FROM (" + union + ") AS pages ORDER BY created DESC, id FETCH FIRST ? ROWS ONLY",
                values.toArray()));
    }

    /** The instant of creation as the database rounded it. */
    private Instant created(AgreementId id) {
        return database.first(
                        "SELECT created FROM agreement WHERE id = ?",
                        row -> SqlTransactions.instant(row, 1),
                        id.value())
                .orElseThrow(() -> new IllegalArgumentException(
                        "The agreement (" + id + ") that the page is to begin after is not there any more."));
    }

    private List<Agreement> agreements(String where, Object... values) {
        return database.all(SELECT + where, JdbcAgreementRepository::agreement, values);
    }

    private static Agreement agreement(ResultSet row) throws SQLException {
        var acceptance = Optional.ofNullable(row.getString(3)).map(OfferDocument::new);
        return StoredJson.read(row.getString(4), new OfferDocument(row.getString(2)), acceptance)
                .saved(row.getLong(1));
    }

    /** A digest, as the key's two texts may be longer than an index takes. The length in front tells ("ab", "c") and ("a", "bc") apart. */
    static String digest(OfferKey key) {
        return SqlTransactions.digest(key.initiator().length() + ":" + key.initiator() + key.id());
    }
}
