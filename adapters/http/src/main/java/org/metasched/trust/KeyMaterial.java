package org.metasched.trust;

import eu.emi.security.authn.x509.impl.PEMCredential;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertificateException;
import java.util.function.Supplier;
import org.metasched.trust.Authentication.Tls;

/**
 * A listener's certificate and key.
 *
 * @param password of the store in memory
 */
public record KeyMaterial(KeyStore store, String password) {

    /**
     * Reads both, now and again when the certificate has changed: write the key first. Files that do not fit together leave what was
     * there before.
     *
     * @throws IllegalArgumentException when they cannot be used now
     */
    public static Supplier<KeyMaterial> of(Tls tls) {
        return new ReadAgain<>(tls.certificate(), certificate -> read(certificate, tls.key()));
    }

    private static KeyMaterial read(Path certificate, Path key) {
        try {
            var credential = new PEMCredential(key.toString(), certificate.toString(), (char[]) null);
            credential.getCertificate().checkValidity();
            return new KeyMaterial(credential.getKeyStore(), new String(credential.getKeyPassword()));
        } catch (IOException | KeyStoreException | CertificateException e) {
            throw new IllegalArgumentException(
                    "The certificate (" + certificate + ") and the key (" + key + ") cannot be used: " + e.getMessage(),
                    e);
        }
    }
}
