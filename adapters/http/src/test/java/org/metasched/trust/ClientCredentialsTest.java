package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientCredentialsTest {

    @TempDir
    private Path folder;

    @Test
    void aTokenIsReadBeforeEachCallAndTravelsOverTlsOnly() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), " abc.def.ghi\n");
        var caller = new ClientCredentials(Optional.empty(), Optional.empty(), Optional.of(file));

        assertThat(caller.authorization(URI.create("https://grid.example.org/")))
                .contains("Bearer abc.def.ghi");
        Files.writeString(file, "new.er.one");
        assertThat(caller.authorization(URI.create("http://127.0.0.1:8080/"))).contains("Bearer new.er.one");
        assertThatThrownBy(() -> caller.authorization(URI.create("http://127.0.0.1.example.org/")))
                .hasMessageContaining("is not sent");
    }

    @Test
    void whatCannotBeUsedIsSaidAtOnce() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty"), "two words\n");
        Path pki = folder.resolve("pki");
        var member = new DemoAuthority(pki, Clock.systemUTC()).member("alice");

        assertThatThrownBy(() -> new ClientCredentials(Optional.empty(), Optional.empty(), Optional.of(empty)))
                .hasMessageContaining("must hold one bearer token");
        assertThatThrownBy(() -> new ClientCredentials(Optional.empty(), Optional.of(empty), Optional.empty()))
                .hasMessageContaining(empty.toString());
        assertThatThrownBy(() -> new ClientCredentials(Optional.of(member), Optional.empty(), Optional.of(empty)))
                .hasMessageContaining("with both it is refused");
        assertThatThrownBy(() -> new DemoAuthority(pki, Clock.systemUTC())).hasMessageContaining("must be empty");
    }

    @Test
    void certificatesHoldForTheHostsThatAreNamed() throws Exception {
        var authority = new DemoAuthority(folder.resolve("hosts"), Clock.systemUTC(), List.of("grid.example.org"));
        var server = KeyMaterial.of(authority.member("server")).get().chain()[0];

        assertThat(server.getSubjectAlternativeNames().stream().map(name -> String.valueOf(name.get(1))))
                .contains("localhost", "127.0.0.1", "grid.example.org");
    }

    @Test
    void revocationListsStandBesideTheAuthoritiesAndAreReadAgain() throws Exception {
        var authority = new DemoAuthority(folder.resolve("one"), Clock.systemUTC());
        var other = new DemoAuthority(folder.resolve("other"), Clock.systemUTC());
        var chain = KeyMaterial.of(authority.member("server")).get().chain();
        String certificate = Files.readString(authority.authorities());
        Path file = Files.writeString(folder.resolve("ca.pem"), certificate + authority.revocations());
        var trust = TrustAnchors.of(file);

        trust.get().checkServerTrusted(chain, "RSA");

        change(file, certificate + authority.revocations(chain), 1);
        assertThatThrownBy(() -> trust.get().checkServerTrusted(chain, "RSA"))
                .isInstanceOf(CertificateException.class)
                .hasStackTraceContaining("revoked");
        change(file, certificate + other.revocations(), 2);
        assertThatThrownBy(() -> trust.get().checkServerTrusted(chain, "RSA"))
                .isInstanceOf(CertificateException.class)
                .hasStackTraceContaining("revocation status");
        change(file, certificate, 3);
        trust.get().checkServerTrusted(chain, "RSA");
    }

    private static void change(Path file, String text, int turn) throws Exception {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(turn * 10_000L));
    }

    @Test
    void keysAreForTheirOwnerAlone() throws Exception {
        var member = new DemoAuthority(folder, Clock.systemUTC()).member("alice");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(member.key())))
                .isEqualTo("rw-------");
    }

    @Test
    void aKeyOfAnEllipticCurveComesInAStore() throws Exception {
        Path store = folder.resolve("ec.p12");
        Path password = Files.writeString(folder.resolve("password"), "changeit\n");
        var made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=ec",
                        "-alias",
                        "ec",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        made.getInputStream().readAllBytes();
        assertThat(made.waitFor()).isZero();

        assertThat(KeyMaterial.of(new Authentication.Tls(store, password))
                        .get()
                        .key()
                        .getAlgorithm())
                .isEqualTo("EC");
    }

    /** The files of a member called ca would be those of the authority. */
    @Tag("full")
    @Test
    void noMemberHasTheNameOfTheAuthoritysFile() throws Exception {
        var authority = new DemoAuthority(folder.resolve("named"), Clock.systemUTC());
        String certificate = Files.readString(authority.authorities());

        for (String name : List.of("ca", "CA", "Ca")) {
            assertThatThrownBy(() -> authority.member(name)).hasMessageContaining("not ca.");
        }
        authority.member("ca.example");
        authority.member("cab");
        assertThat(authority.authorities()).hasContent(certificate);
    }
}
