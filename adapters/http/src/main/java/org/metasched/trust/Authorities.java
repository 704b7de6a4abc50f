package org.metasched.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.function.Supplier;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Whose certificates are believed when this process calls another. */
final class Authorities {

    private Authorities() {}

    /**
     * @param place a PEM file of certificates, read again when it has changed, or an IGTF directory
     * @throws IllegalArgumentException when nothing can be read there now
     */
    static Supplier<X509TrustManager> of(Path place) {
        if (Files.isDirectory(place)) {
            var manager = new ChainVerifier(place).trustManager();
            return () -> manager;
        }
        return new ReadAgain<>(place, Authorities::read);
    }

    private static X509TrustManager read(Path file) {
        try (var in = Files.newInputStream(file)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca" + count++, certificate);
            }
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            if (count > 0 && factory.getTrustManagers()[0] instanceof X509TrustManager manager) {
                return manager;
            }
            throw new IllegalArgumentException("The file (" + file + ") must hold certificates in PEM.");
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("The authorities (" + file + ") cannot be read: " + e.getMessage(), e);
        }
    }
}
