package org.metasched.trust;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256, which every Java platform has. */
public final class Sha256Digest {

    private static final String KEYED = "HmacSHA256";

    private Sha256Digest() {}

    /** Of bytes, one part after the other. */
    public static byte[] of(byte[]... parts) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java installation has no SHA-256.", e);
        }
    }

    /** HMAC of a text in UTF-8. */
    public static byte[] keyed(byte[] key, String text) {
        try {
            var mac = Mac.getInstance(KEYED);
            mac.init(new SecretKeySpec(key, KEYED));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java installation has no " + KEYED + ".", e);
        }
    }
}
