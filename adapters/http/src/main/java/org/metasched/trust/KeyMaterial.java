package org.metasched.trust;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.KeystoreCredential;
import eu.emi.security.authn.x509.impl.PEMCredential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.metasched.durable.ReloadedFile;
import org.metasched.trust.Authentication.Tls;

/**
 * A certificate and its key.
 *
 * @param password password of the store in memory
 * @param chain the own certificate first
 */
public record KeyMaterial(KeyStore store, String password, PrivateKey key, X509Certificate[] chain) {

    /**
     * Reads both files, now and again when one has changed. Files that do not match leave the previous material in use.
     *
     * @throws IllegalArgumentException when they cannot be used now
     */
    public static Supplier<KeyMaterial> of(Tls tls) {
        return new ReloadedFile<>(
                List.of(tls.certificate(), tls.key()),
                certificate -> read(certificate, tls.key()),
                now -> Optional.of(now.chain()[0].getNotAfter().toInstant()));
    }

    private static KeyMaterial read(Path certificate, Path key) {
        try {
            X509Credential credential = isStore(certificate)
                    ? store(certificate, Files.readString(key).strip().toCharArray())
                    : new PEMCredential(key.toString(), certificate.toString(), (char[]) null);
            credential.getCertificate().checkValidity();
            return new KeyMaterial(
                    credential.getKeyStore(),
                    new String(credential.getKeyPassword()),
                    credential.getKey(),
                    credential.getCertificateChain());
        } catch (IOException | KeyStoreException | CertificateException e) {
            throw new IllegalArgumentException(
                    "The certificate (" + certificate + ") and the key (" + key + ") cannot be used: " + e.getMessage(),
                    e);
        }
    }

    /** Whether a file of a certificate is a PKCS#12 store, in which its key is too. */
    public static boolean isStore(Path certificate) {
        String name = certificate.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".p12") || name.endsWith(".pfx");
    }

    private static X509Credential store(Path file, char[] password) throws IOException, KeyStoreException {
        return new KeystoreCredential(file.toString(), password, password, null, "PKCS12");
    }
}
