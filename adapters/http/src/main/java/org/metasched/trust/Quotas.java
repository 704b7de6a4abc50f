package org.metasched.trust;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Limits on the use of one subject, and of one virtual organisation. Thread-safe; remembers the accounts that were used last.
 *
 * <p>Requests are counted by a leaky bucket that holds the requests of ten seconds.
 */
public final class Quotas {

    /** Bounds nothing. */
    public static final Quotas NONE = new Quotas(Limits.NONE, Map.of());

    private static final int MOST_REMEMBERED = 10_000;
    /** Seconds whose requests the bucket holds. */
    private static final int SECONDS_AT_ONCE = 10;

    private volatile Limits eachSubject;
    private volatile Map<String, Limits> vos;
    private final LongSupplier nanos;
    private final Map<String, Account> accounts = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Bounds of one subject, or of all members of a VO together.
     *
     * @param requestsPerSecond most requests a second, on average over ten seconds
     * @param offersUnderWay most offers that are not decided yet
     * @param livingAgreements most agreements that are not over
     * @param nodeHours most node-hours of the reservations of all living agreements
     * @param matchesPerSite most matches held of one site
     * @param adBytes most bytes of the ads that a subject has advertised; not limited for a VO
     */
    public record Limits(
            int requestsPerSecond,
            int offersUnderWay,
            int livingAgreements,
            double nodeHours,
            int matchesPerSite,
            int adBytes) {

        public static final Limits NONE = new Limits(
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Double.POSITIVE_INFINITY,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE);
    }

    /** Use by living agreements. */
    public record Use(long agreements, double nodeHours) {

        boolean fits(Limits limits, double moreHours) {
            return agreements < limits.livingAgreements() && nodeHours + moreHours <= limits.nodeHours();
        }
    }

    /** Use of a subject or a VO. */
    private static final class Account {
        /** Requests in the leaky bucket. */
        private double filled;

        /** Nanoseconds of the clock at the last request. */
        private long seen;

        /** Offers that are not decided yet. */
        private int offers;
    }

    /** @param vos limits by name of the VO */
    public Quotas(Limits eachSubject, Map<String, Limits> vos) {
        this(eachSubject, vos, System::nanoTime);
    }

    Quotas(Limits eachSubject, Map<String, Limits> vos, LongSupplier nanos) {
        this.eachSubject = eachSubject;
        this.vos = Map.copyOf(vos);
        this.nanos = nanos;
    }

    /** Takes other limits, for later requests. */
    void use(Quotas other) {
        eachSubject = other.eachSubject;
        vos = other.vos;
    }

    Limits ofSubject() {
        return eachSubject;
    }

    Limits ofVo(String vo) {
        return vos.getOrDefault(vo, Limits.NONE);
    }

    /** Counts a request of an account; returns false if the account has used up its rate. */
    synchronized boolean tryAsk(String who, Limits limits) {
        if (limits.requestsPerSecond() == Integer.MAX_VALUE) {
            return true;
        }
        var account = account(who);
        long now = nanos.getAsLong();
        double leaked = (now - account.seen) / 1e9 * limits.requestsPerSecond();
        account.seen = now;
        account.filled = Math.max(0, account.filled - leaked);
        if (account.filled + 1 > (double) limits.requestsPerSecond() * SECONDS_AT_ONCE) {
            return false;
        }
        account.filled++;
        return true;
    }

    /** Counts an offer of an account, until the returned action is run; empty if too many are under way. */
    synchronized Optional<Runnable> offer(String who, Limits limits) {
        var account = account(who);
        if (account.offers >= limits.offersUnderWay()) {
            return Optional.empty();
        }
        account.offers++;
        return Optional.of(() -> endOffer(account));
    }

    private synchronized void endOffer(Account account) {
        account.offers--;
    }

    private Account account(String who) {
        if (accounts.size() > MOST_REMEMBERED) {
            var oldest = accounts.values().iterator();
            while (oldest.hasNext() && accounts.size() > MOST_REMEMBERED) {
                if (oldest.next().offers == 0) {
                    oldest.remove();
                }
            }
        }
        return accounts.computeIfAbsent(who, name -> {
            var fresh = new Account();
            fresh.seen = nanos.getAsLong();
            return fresh;
        });
    }
}
