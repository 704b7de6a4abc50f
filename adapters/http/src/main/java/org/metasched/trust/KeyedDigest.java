package org.metasched.trust;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMACs by SHA-256. */
public final class KeyedDigest {

    private static final String HMAC = "HmacSHA256";

    private KeyedDigest() {}

    /** HMAC of a text in UTF-8. */
    public static byte[] of(byte[] key, String text) {
        try {
            var mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java installation has no " + HMAC + ".", e);
        }
    }
}
