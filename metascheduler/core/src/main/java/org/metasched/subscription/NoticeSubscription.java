package org.metasched.subscription;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * A person's subscription to notices or to a calendar.
 *
 * @param id name of the subscription; for a calendar, the digest of the private part of its address
 * @param owner name of the subject that owns it; empty for callers without a proven name, who share theirs
 * @param about id of an agreement or, for a calendar, name of a site; empty for all that the owner has or may use
 * @param receiver an address that begins with http, https or mailto; empty for a calendar
 * @param occasions occasions of notices; none for a calendar
 * @param lead time before a slot at which the notice {@code soon} is sent
 * @param secret key that signs messages to a web hook, in the form of Standard Webhooks; empty for a calendar
 */
public record NoticeSubscription(
        String id,
        String owner,
        Optional<String> about,
        String receiver,
        Set<NoticeOccasion> occasions,
        Duration lead,
        String secret) {

    /** Most subscriptions of one owner. */
    public static final int MOST = 100;

    private static final SecureRandom RANDOM = new SecureRandom();

    public NoticeSubscription {
        occasions = Set.copyOf(occasions);
    }

    public boolean isCalendar() {
        return receiver.isEmpty();
    }

    public boolean isMail() {
        return receiver.startsWith("mailto:");
    }

    /** A random name of 128 bits, which cannot be guessed. */
    public static String randomName() {
        return HexFormat.of().formatHex(random(16));
    }

    /** A random secret of 192 bits in the form of Standard Webhooks. */
    public static String randomSecret() {
        return "whsec_" + Base64.getEncoder().encodeToString(random(24));
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
