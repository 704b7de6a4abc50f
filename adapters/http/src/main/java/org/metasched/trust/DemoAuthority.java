package org.metasched.trust;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.metasched.durable.AtomicFile;

/**
 * A throw-away certificate authority for demonstrations and tests. Its own key is never written to a file, so that no
 * certificate can be added later. Writes {@code ca.pem}, the same as an IGTF directory {@code certificates}, and for
 * each name {@code NAME.pem} and {@code NAME.key}. Not thread-safe.
 */
public final class DemoAuthority {

    private static final String BASE = "DC=org,DC=metasched-demo";
    private static final String SLASHED = "/DC=org/DC=metasched-demo";
    private static final Duration LIFE = Duration.ofDays(30);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path folder;
    private final Instant begin;
    private final KeyPair keys;
    private final X509Certificate own;
    private final List<String> hosts;

    public DemoAuthority(Path folder, Clock clock) throws IOException {
        this(folder, clock, List.of());
    }

    /**
     * @param folder folder that is made, or an empty one
     * @param hosts DNS names that its certificates hold for, beside this machine's loopback address
     * @throws IllegalArgumentException when the folder is not empty
     */
    public DemoAuthority(Path folder, Clock clock, List<String> hosts) throws IOException {
        this.hosts = List.copyOf(hosts);
        this.folder = Files.createDirectories(folder);
        try (var there = Files.list(folder)) {
            if (there.findAny().isPresent()) {
                throw new IllegalArgumentException("The folder (" + folder + ") must be empty.");
            }
        }
        begin = clock.instant().minus(Duration.ofMinutes(5));
        keys = keyPair();
        own = certificate("CN=Throw-Away Authority", keys, true);
        publish();
    }

    /** The subject of a member, as policies and grid-mapfiles have it. */
    public static String subjectOf(String name) {
        return SLASHED + "/CN=" + name;
    }

    /**
     * Makes a certificate for this machine's loopback address, for the hosts, and for a client's use alike.
     *
     * @param name 1 to 64 letters, digits, dots and hyphens, beginning with a letter or digit; not {@code ca}, whose file is the authority's
     */
    public Authentication.Tls member(String name) throws IOException {
        if (!name.matches("(?!(?i:ca)$)[A-Za-z0-9][A-Za-z0-9.-]{0,63}")) {
            throw new IllegalArgumentException("The name (" + name
                    + ") must be 1 to 64 letters, digits, dots and hyphens, beginning with a letter or digit; not ca.");
        }
        var pair = keyPair();
        Path certificate = folder.resolve(name + ".pem");
        Path key = folder.resolve(name + ".key");
        write(key, pem("PRIVATE KEY", pair.getPrivate().getEncoded()), true);
        write(certificate, pem(certificate("CN=" + name, pair, false)), false);
        return new Authentication.Tls(certificate, key);
    }

    /** The file of the authority for clients. */
    public Path authorities() {
        return folder.resolve("ca.pem");
    }

    /** The IGTF directory for listeners. */
    public Path directory() {
        return folder.resolve("certificates");
    }

    private void publish() throws IOException {
        Files.createDirectory(directory());
        String policy = "access_id_CA X509 '" + SLASHED + "/CN=Throw-Away Authority'\npos_rights globus CA:sign\n"
                + "cond_subjects globus '\"" + SLASHED + "/*\"'\n";
        write(authorities(), pem(own), false);
        String hash = OpensslTruststoreHelper.getOpenSSLCAHash(own.getSubjectX500Principal(), true);
        write(directory().resolve(hash + ".0"), pem(own), false);
        write(directory().resolve(hash + ".r0"), revocations(), false);
        write(directory().resolve(hash + ".signing_policy"), policy, false);
    }

    /** The revocation list, in PEM. */
    String revocations(X509Certificate... revoked) {
        try {
            var list = new JcaX509v2CRLBuilder(own, Date.from(begin)).setNextUpdate(Date.from(begin.plus(LIFE)));
            for (var certificate : revoked) {
                list.addCRLEntry(certificate.getSerialNumber(), Date.from(begin), CRLReason.keyCompromise);
            }
            return pem("X509 CRL", list.build(signer()).getEncoded());
        } catch (IOException | OperatorCreationException e) {
            throw new IllegalStateException("The revocation list cannot be made: " + e.getMessage(), e);
        }
    }

    private X509Certificate certificate(String commonName, KeyPair pair, boolean authority) {
        try {
            var builder = new JcaX509v3CertificateBuilder(
                            new X500Name(BASE + ",CN=Throw-Away Authority"),
                            new BigInteger(120, RANDOM).setBit(119),
                            Date.from(begin),
                            Date.from(begin.plus(LIFE)),
                            new X500Name(BASE + "," + commonName),
                            pair.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(authority))
                    .addExtension(
                            Extension.keyUsage,
                            true,
                            new KeyUsage(
                                    authority
                                            ? KeyUsage.keyCertSign | KeyUsage.cRLSign
                                            : KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
            if (!authority) {
                var names = new ArrayList<>(List.of(
                        new GeneralName(GeneralName.dNSName, "localhost"),
                        new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                        new GeneralName(GeneralName.iPAddress, "::1")));
                hosts.forEach(host -> names.add(new GeneralName(GeneralName.dNSName, host)));
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(GeneralName[]::new)));
            }
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer()));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("No certificate for " + commonName + ": " + e.getMessage(), e);
        }
    }

    private ContentSigner signer() throws OperatorCreationException {
        return new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate());
    }

    private static KeyPair keyPair() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048, RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java installation has no RSA: " + e.getMessage(), e);
        }
    }

    private static String pem(X509Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The certificate cannot be written: " + e.getMessage(), e);
        }
    }

    private static String pem(String kind, byte[] encoded) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }

    private static void write(Path file, String text, boolean secret) throws IOException {
        AtomicFile.replace(
                file,
                text.getBytes(StandardCharsets.US_ASCII),
                PosixFilePermissions.fromString(secret ? "rw-------" : "rw-r--r--"));
    }
}
