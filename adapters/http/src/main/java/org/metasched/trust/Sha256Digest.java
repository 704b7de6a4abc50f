package org.metasched.trust;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256 digests and HMACs. */
public final class Sha256Digest {

    private static final String HMAC = "HmacSHA256";

    private Sha256Digest() {}

    /** The digest of the parts, one after the other. */
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
    public static byte[] hmac(byte[] key, String text) {
        try {
            var mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java installation has no " + HMAC + ".", e);
        }
    }
}
