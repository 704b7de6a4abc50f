package org.metasched.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509CertSelector;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.metasched.durable.ReloadedFile;

/** Authorities that this process trusts when it calls another. */
final class TrustAnchors {

    private static final Pattern LIST = Pattern.compile("-----BEGIN X509 CRL-----[^-]*-----END X509 CRL-----");

    private TrustAnchors() {}

    /**
     * The trust manager of the newest authorities.
     *
     * @param place a PEM file of certificates, and of revocation lists if each authority has one, read again when it
     *     has changed; or an IGTF directory
     * @throws IllegalArgumentException when nothing can be read there now
     */
    static Supplier<X509TrustManager> of(Path place) {
        if (Files.isDirectory(place)) {
            return new ChainVerifier(place)::trustManager;
        }
        return new ReloadedFile<>(place, TrustAnchors::read);
    }

    private static X509TrustManager read(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            var reader = CertificateFactory.getInstance("X.509");
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (var certificate :
                    reader.generateCertificates(bytes(LIST.matcher(text).replaceAll("")))) {
                store.setCertificateEntry("ca" + count++, certificate);
            }
            var lists = new ArrayList<CRL>();
            for (var list : LIST.matcher(text).results().toList()) {
                lists.add(reader.generateCRL(bytes(list.group())));
            }
            var factory = TrustManagerFactory.getInstance("PKIX");
            if (lists.isEmpty() || count == 0) {
                factory.init(store);
            } else {
                factory.init(new CertPathTrustManagerParameters(unlessRevoked(store, lists)));
            }
            if (count > 0 && factory.getTrustManagers()[0] instanceof X509TrustManager manager) {
                return manager;
            }
            throw new IllegalArgumentException("The file (" + file + ") must hold certificates in PEM.");
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("The authorities (" + file + ") cannot be read: " + e.getMessage(), e);
        }
    }

    private static ByteArrayInputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /**
     * Parameters that check by these lists alone: an authority without a current list is not trusted, and no address in a certificate is
     * called.
     */
    private static PKIXBuilderParameters unlessRevoked(KeyStore store, List<CRL> lists)
            throws GeneralSecurityException {
        var parameters = new PKIXBuilderParameters(store, new X509CertSelector());
        parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists)));
        if (CertPathBuilder.getInstance("PKIX").getRevocationChecker() instanceof PKIXRevocationChecker checker) {
            checker.setOptions(EnumSet.of(Option.PREFER_CRLS, Option.NO_FALLBACK));
            parameters.addCertPathChecker(checker);
        }
        return parameters;
    }
}
