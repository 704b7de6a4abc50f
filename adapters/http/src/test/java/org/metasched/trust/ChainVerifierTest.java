package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChainVerifierTest {

    @TempDir
    private Path folder;

    @Test
    void aCertificateOfAnotherAuthorityOfTheSameNameIsRefusedWithItsReason() throws Exception {
        var own = new DemoAuthority(folder.resolve("own"), Clock.systemUTC());
        var namesake = new DemoAuthority(folder.resolve("namesake"), Clock.systemUTC());
        var verifier = new ChainVerifier(own.directory());

        assertThat(verifier.verify(chain(own.member("alice").certificate())).name())
                .isEqualTo(DemoAuthority.subjectOf("alice"));
        var member = chain(namesake.member("alice").certificate());
        var withAuthority = Stream.concat(Stream.of(member), Stream.of(chain(namesake.authorities())))
                .distinct()
                .toArray(X509Certificate[]::new);
        for (var chain : List.of(member, withAuthority)) {
            assertThatThrownBy(() -> verifier.verify(chain))
                    .isInstanceOf(UntrustedException.class)
                    .message()
                    .doesNotContain("Exception")
                    .contains("not issued (correctly signed) by this CA");
            assertThatThrownBy(() -> verifier.trustManager().checkClientTrusted(chain, "RSA"))
                    .isInstanceOf(CertificateException.class)
                    .hasMessageContaining("not issued (correctly signed) by this CA");
        }
        verifier.close();
    }

    /** IGTF directories have names by both kinds of hash; {@code openssl rehash} makes those since OpenSSL 1.0 alone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void authoritiesMayBeNamedByTheHashesOfEitherOpenssl(boolean modern) throws Exception {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var chain = chain(authority.member("alice").certificate());
        var issuer = chain(authority.authorities())[0].getSubjectX500Principal();
        try (var files = Files.list(authority.directory())) {
            for (Path file : files.toList()) {
                String ending = file.getFileName().toString().replaceFirst("[^.]*", "");
                String hash = OpensslTruststoreHelper.getOpenSSLCAHash(issuer, modern);
                Files.move(file, file.resolveSibling(hash + ending));
            }
        }

        try (var verifier = new ChainVerifier(authority.directory())) {
            assertThat(verifier.verify(chain).name()).isEqualTo(DemoAuthority.subjectOf("alice"));
        }
    }

    /** The library would take seconds for them, before it knows who signed the certificate. */
    @Test
    void aStrangersCertificateThatConstrainsManyNamesIsRefusedUnread() throws Exception {
        var authority = new DemoAuthority(folder.resolve("own"), Clock.systemUTC());
        var issuer = X500Name.getInstance(
                chain(authority.authorities())[0].getSubjectX500Principal().getEncoded());
        var made = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        var names = IntStream.range(0, 3_000)
                .mapToObj(i -> new GeneralSubtree(new GeneralName(GeneralName.dNSName, "a" + i)))
                .toArray(GeneralSubtree[]::new);
        var now = Clock.systemUTC().instant();
        var many = new JcaX509v3CertificateBuilder(
                        issuer,
                        BigInteger.ONE,
                        Date.from(now.minusSeconds(60)),
                        Date.from(now.plusSeconds(600)),
                        new X500Name("CN=a"),
                        made.getPublic())
                .addExtension(Extension.nameConstraints, true, new NameConstraints(names, names))
                .build(new JcaContentSignerBuilder("SHA256withRSA").build(made.getPrivate()));
        var chain = new X509Certificate[] {new JcaX509CertificateConverter().getCertificate(many)};
        try (var verifier = new ChainVerifier(authority.directory())) {
            assertThatThrownBy(() -> verifier.verify(chain))
                    .isInstanceOf(UntrustedException.class)
                    .hasMessageContaining("too long");
            assertThatThrownBy(() -> verifier.trustManager().checkClientTrusted(chain, "RSA"))
                    .isInstanceOf(CertificateException.class)
                    .hasMessageContaining("too long");
        }
    }

    private static X509Certificate[] chain(Path file) throws Exception {
        try (var in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        }
    }
}
