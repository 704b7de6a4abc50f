package org.metasched.soap.collector;

import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.BoundedMaps;
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
 * The bytes of ads that each subject has at all servers that share the ads; a character counts as one byte. They are counted anew after ten
 * seconds, or after one second when the bound seems to be reached, and added up in between. Not thread-safe.
 */
final class AdBytes {

    private static final long COUNT_EVERY_NANOS = 10_000_000_000L;
    private static final long COUNT_AGAIN_NANOS = 1_000_000_000L;
    private static final int MOST_REMEMBERED = 10_000;

    private record Account(long bytes, long countedAt) {}

    private final Collector collector;
    private final Map<String, Account> accounts = BoundedMaps.recentlyUsed(MOST_REMEMBERED);

    AdBytes(Collector collector) {
        this.collector = collector;
    }

    /** Counts one more ad of a subject, or a new one in the place of its old one; false when that exceeds the bound. */
    boolean addIfFits(String subject, AdKey key, ClassAd ad, long most) {
        var account = accounts.computeIfAbsent(subject, this::count);
        long growth = ad.print().length()
                - collector
                        .find(key)
                        .filter(old -> isOf(subject, old.ad()))
                        .map(AdBytes::size)
                        .orElse(0);
        long age = System.nanoTime() - account.countedAt();
        if (age > COUNT_EVERY_NANOS || account.bytes() + growth > most && age > COUNT_AGAIN_NANOS) {
            account = count(subject);
        }
        boolean fits = account.bytes() + growth <= most;
        accounts.put(subject, new Account(account.bytes() + (fits ? growth : 0), account.countedAt()));
        return fits;
    }

    private Account count(String subject) {
        long countedAt = System.nanoTime();
        // Texts are compared without regard to case, owners with it.
        long bytes = collector
                .candidates(CollectorQuery.all()
                        .where(new Binary(BinaryOperator.EQUAL, AttributeRef.to(AdOwners.SENDER), Literal.of(subject))))
                .stream()
                .filter(ad -> isOf(subject, ad.ad()))
                .mapToLong(AdBytes::size)
                .sum();
        return new Account(bytes, countedAt);
    }

    private static boolean isOf(String subject, ClassAd ad) {
        return AdOwners.sender(ad).equals(Optional.of(subject));
    }

    private static int size(Advertisement ad) {
        return ad.ad().print().length();
    }
}
