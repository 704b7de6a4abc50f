package org.metasched.trust;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What one subject may cost. Thread-safe; remembers the subjects that were busy last.
 *
 * <p>Requests are counted by a leaky bucket that holds ten seconds' worth.
 */
public final class Quotas {

    private static final int MOST_REMEMBERED = 10_000;
    private static final int SECONDS_AT_ONCE = 10;

    public static final Quotas NONE = new Quotas(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final int requestsPerSecond;
    private final int offersUnderWay;
    private final int livingAgreements;
    private final LongSupplier nanos;
    private final Map<String, Account> accounts = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Account {
        private double filled;
        private long seen;
        private int offers;
    }

    public Quotas(int requestsPerSecond, int offersUnderWay, int livingAgreements) {
        this(requestsPerSecond, offersUnderWay, livingAgreements, System::nanoTime);
    }

    Quotas(int requestsPerSecond, int offersUnderWay, int livingAgreements, LongSupplier nanos) {
        this.requestsPerSecond = requestsPerSecond;
        this.offersUnderWay = offersUnderWay;
        this.livingAgreements = livingAgreements;
        this.nanos = nanos;
    }

    int livingAgreements() {
        return livingAgreements;
    }

    synchronized boolean mayAsk(Subject subject) {
        var account = account(subject);
        long now = nanos.getAsLong();
        double leaked = (now - account.seen) / 1e9 * requestsPerSecond;
        account.seen = now;
        account.filled = Math.max(0, account.filled - leaked);
        if (account.filled + 1 > (double) requestsPerSecond * SECONDS_AT_ONCE) {
            return false;
        }
        account.filled++;
        return true;
    }

    synchronized Optional<Runnable> offer(Subject subject) {
        var account = account(subject);
        if (account.offers >= offersUnderWay) {
            return Optional.empty();
        }
        account.offers++;
        return Optional.of(() -> decided(account));
    }

    private synchronized void decided(Account account) {
        account.offers--;
    }

    private Account account(Subject subject) {
        if (accounts.size() > MOST_REMEMBERED) {
            var oldest = accounts.values().iterator();
            while (oldest.hasNext() && accounts.size() > MOST_REMEMBERED) {
                if (oldest.next().offers == 0) {
                    oldest.remove();
                }
            }
        }
        return accounts.computeIfAbsent(subject.name(), name -> {
            var fresh = new Account();
            fresh.seen = nanos.getAsLong();
            return fresh;
        });
    }
}
