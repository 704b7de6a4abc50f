package org.metasched.store;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Clock;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.metasched.agreement.AgreementBooks;
import org.metasched.classad.cycle.AccountantStore;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.LeaseStore;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox;
import org.metasched.subscription.SubscriptionStore;
import org.metasched.trust.ReplayCache;

/**
 * A pool of connections to a migrated database, and the stores in it. Transactions are those of {@link SqlTransactions}. Thread-safe.
 */
public final class Database extends SqlTransactions {

    /** The chore of the server that counts the living agreements, as a count reads each of them. */
    public static final String CENSUS = "census";

    private static final String LIVING = " FROM agreement WHERE state IN ('OBSERVED', 'OBSERVED_AND_TERMINATING')";

    private volatile Optional<Figures> counted = Optional.empty();

    private Database(HikariDataSource pool, boolean isH2) {
        super(pool, isH2);
    }

    /**
     * Connects and migrates.
     *
     * @throws StoreUnavailableException when the database cannot be used: unreachable, damaged, of another schema, or an H2 file that
     *     another process uses
     */
    public static Database open(DatabaseSettings settings) {
        return new Database(ConnectionPool.open(settings), settings.isH2());
    }

    public AgreementBooks books() {
        var agreements = new JdbcAgreementRepository(this);
        return new AgreementBooks(
                agreements,
                new JdbcOfferLockTable(this),
                agreements,
                new JdbcAgreementHistory(this),
                new JdbcAgreementRetention(this),
                new JdbcNegotiationBook(this),
                new JdbcReservationJournal(this),
                this);
    }

    /** Call-backs that are to be made; its methods join the transactions of {@link #books()}. */
    public Outbox outbox() {
        return new JdbcOutbox(this);
    }

    /** Subscriptions of people; its methods join the transactions of {@link #books()}. */
    public SubscriptionStore subscriptions() {
        return new JdbcSubscriptionStore(this);
    }

    /**
     * Leases on the matches of sites.
     *
     * @param evidence finder of the holders of leases that are not committed
     */
    public LeaseStore leases(Clock clock, HolderEvidence evidence) {
        return new JdbcLeases(this, clock, evidence);
    }

    /** The ads of all servers on this database; read when this returns. To be closed before the database. */
    public SharedAds ads(Clock clock) {
        return new SharedAds(this, clock);
    }

    /** The proofs in messages that were used already: each counts once for all servers on this database. */
    public ReplayCache replayCache() {
        return new JdbcReplayCache(this);
    }

    /**
     * The standings of fair share.
     *
     * @param earlier store whose standings are loaded until the first save
     */
    public AccountantStore accountant(AccountantStore earlier) {
        return new JdbcAccountantStore(this, earlier);
    }

    /** The chores that the servers on this database share. */
    public SharedChores chores() {
        return new SharedChores(this);
    }

    /**
     * Figures of the tables and of the pool.
     *
     * @param living agreements that are observed, also while they are being terminated, as {@link #countLiving} last counted them; at
     *     least 1 if there is one. Pending ones count as unsettled
     * @param owed messages to receivers outside that are not delivered yet
     * @param leased leases on matches of sites
     * @param unsettled offers, negotiations, holds, reservations and changes that are not decided, or decided and not carried out
     * @param servers servers that have registered; one that died counts until another removes it
     * @param busy connections in use
     * @param idle connections not in use
     * @param waiting threads that wait for a connection
     */
    public record Figures(
            long living, long owed, long leased, long unsettled, long servers, int busy, int idle, int waiting) {}

    /** The figures as last counted; none before the first count, and none while the database cannot be asked. */
    public Optional<Figures> counted() {
        return counted;
    }

    /** Whether the last count found any of these; true while there is no count. */
    public boolean mayHave(ToLongFunction<Figures> what) {
        return counted.map(known -> what.applyAsLong(known) > 0).orElse(true);
    }

    /**
     * Counts the figures anew.
     *
     * @throws StoreUnavailableException when the database cannot be asked
     */
    public void count() {
        Optional<Figures> now = Optional.empty();
        try {
            now = Optional.of(figures());
        } finally {
            counted = now;
        }
    }

    /** Counts the living agreements for all servers on this database; the body of the chore {@link #CENSUS}. */
    public void countLiving() {
        int unused = update("UPDATE chore SET counted = (SELECT COUNT(*)" + LIVING + ") WHERE name = ?", CENSUS);
    }

    Figures figures() {
        var connections = pool.getHikariPoolMXBean();
        return first(
                        "SELECT CASE WHEN EXISTS (SELECT 1" + LIVING + ") THEN GREATEST(1, COALESCE("
                                + "(SELECT counted FROM chore WHERE name = '" + CENSUS + "'), 1)) ELSE 0 END,"
                                + " (SELECT COUNT(*) FROM outbox), (SELECT COUNT(*) FROM claim),"
                                + " (SELECT COUNT(*) FROM negotiation) + (SELECT COUNT(*) FROM offer_hold)"
                                + " + (SELECT COUNT(*) FROM reservation_journal WHERE standing IN ('INTENDED', 'GRANTED', 'STRANDED'))"
                                + " + (SELECT COUNT(*) FROM reservation_change) + (SELECT COUNT(*) FROM offer_turn)"
                                + " + (SELECT COUNT(*) FROM agreement WHERE state IN ('PENDING', 'PENDING_AND_TERMINATING')),"
                                + " (SELECT COUNT(*) FROM node)",
                        row -> new Figures(
                                row.getLong(1),
                                row.getLong(2),
                                row.getLong(3),
                                row.getLong(4),
                                row.getLong(5),
                                connections.getActiveConnections(),
                                connections.getIdleConnections(),
                                queue.length()))
                .orElseThrow();
    }
}
