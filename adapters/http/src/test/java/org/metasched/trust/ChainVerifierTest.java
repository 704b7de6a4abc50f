package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private static X509Certificate[] chain(Path file) throws Exception {
        try (var in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        }
    }
}
