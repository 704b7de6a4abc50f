package org.metasched.soap.collector;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Binary;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Literal;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.CollectorQuery;

/**
 * How many bytes of ads each subject has, of all servers that share them: counted anew every ten seconds at most, when the bound seems
 * to be reached each second, and followed in between. Not thread-safe.
 */
final class AdBytes {

    private static final long COUNT_EVERY = 10_000_000_000L;
    private static final long COUNT_AGAIN = 1_000_000_000L;
    private static final int MOST_REMEMBERED = 10_000;

    private static final class Account {
        private long bytes;
        private long counted;
    }

    private final Collector collector;
    private final Map<String, Account> accounts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Account> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    AdBytes(Collector collector) {
        this.collector = collector;
    }

    /** Whether one more ad of a subject, or a new one in the place of its old one, is within the bound; then it counts. */
    boolean fits(String who, AdKey key, ClassAd ad, long most) {
        var account = accounts.computeIfAbsent(who, this::counted);
        long more = ad.print().length()
                - collector
                        .find(key)
                        .filter(old -> isOf(who, old.ad()))
                        .map(AdBytes::size)
                        .orElse(0);
        long age = System.nanoTime() - account.counted;
        if (age > COUNT_EVERY || account.bytes + more > most && age > COUNT_AGAIN) {
            account = counted(who);
            accounts.put(who, account);
        }
        if (account.bytes + more > most) {
            return false;
        }
        account.bytes += more;
        return true;
    }

    private Account counted(String who) {
        var account = new Account();
        account.counted = System.nanoTime();
        // Comparison of texts ignores case; owners do not.
        account.bytes = collector
                .candidates(CollectorQuery.all()
                        .where(new Binary(BinaryOperator.EQUAL, AttributeRef.to(AdOwners.SENDER), Literal.of(who))))
                .stream()
                .filter(ad -> isOf(who, ad.ad()))
                .mapToLong(AdBytes::size)
                .sum();
        return account;
    }

    private static boolean isOf(String who, ClassAd ad) {
        return AdOwners.sender(ad).equals(Optional.of(who));
    }

    private static int size(Advertisement ad) {
        return ad.ad().print().length();
    }
}
