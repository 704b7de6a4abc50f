package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.metasched.trust.TokenVerifier.Issuer;

/** Every verdict of the shared security vectors; their keys are made afresh for each run. */
@Tag("full")
class VectorsIT {

    private static final Path SHARED =
            Path.of(System.getProperty("metasched.shared", "missing")).resolve("security");
    private static final String ISSUER = "https://issuer.example.org/testvo";
    private static final Set<String> AUDIENCE = Set.of("https://metasched.example.org");

    @TempDir
    private static Path vectors;

    private static final Map<String, String> TOKENS = new HashMap<>();
    private static Clock clock = Clock.systemUTC();

    @BeforeAll
    static void make() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(SHARED.resolve("make-vectors.sh")), "the shared security vectors are not here");
        var made = new ProcessBuilder("sh", SHARED.resolve("make-vectors.sh").toString(), vectors.toString())
                .redirectErrorStream(true)
                .redirectOutput(vectors.resolve("log").toFile())
                .start();
        Assumptions.assumeTrue(made.waitFor() == 0, "openssl, python3 or keytool cannot make the vectors");
        for (String line : Files.readAllLines(vectors.resolve("tokens.jsonl"))) {
            var read = JSONObjectUtils.parse(line);
            TOKENS.put((String) read.get("case"), (String) read.get("jwt"));
        }
        clock = Clock.fixed(
                Instant.ofEpochSecond(Long.parseLong(
                        Files.readString(vectors.resolve("now.txt")).strip())),
                ZoneOffset.UTC);
    }

    static Stream<Map<String, Object>> cases(String kind) throws Exception {
        if (!Files.exists(SHARED.resolve("expected.jsonl"))) {
            return Stream.of(Map.of());
        }
        List<Map<String, Object>> cases = new ArrayList<>();
        for (String line : Files.readAllLines(SHARED.resolve("expected.jsonl"))) {
            var read = JSONObjectUtils.parse(line);
            if (read.get("kind").equals(kind)) {
                cases.add(read);
            }
        }
        return cases.stream();
    }

    static Stream<Map<String, Object>> tokens() throws Exception {
        return cases("token");
    }

    static Stream<Map<String, Object>> chains() throws Exception {
        return cases("chain");
    }

    static Stream<Map<String, Object>> names() throws Exception {
        return cases("dn");
    }

    private static TokenVerifier verifier(String keys, Duration longest, boolean condor) {
        return new TokenVerifier(
                List.of(new Issuer(ISSUER, vectors.resolve(keys).toUri(), longest, condor)), AUDIENCE, clock);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tokens")
    void eachTokenGetsItsVerdict(Map<String, Object> expected) throws Exception {
        String token = TOKENS.get((String) expected.get("case"));
        var strict = verifier("jwks.json", Duration.ofHours(6), false);

        if (expected.get("verdict").equals("accept")) {
            assertThat(actions(strict.verify(token))).isEqualTo(expectedActions(expected));
        } else if (expected.get("case").equals("scope-condor")) {
            assertThat(actions(strict.verify(token))).isEmpty();
            assertThat(actions(verifier("jwks.json", Duration.ofHours(6), true).verify(token)))
                    .isEqualTo(expectedActions(expected));
        } else {
            assertThatThrownBy(() -> strict.verify(token)).isInstanceOf(UntrustedException.class);
        }
    }

    @Test
    void anIssuerMayBeAllowedALongerLifeAndAnOldKeySetTakesTheOldKey() throws Exception {
        assertThat(verifier("jwks.json", Duration.ofDays(31), false)
                        .verify(TOKENS.get("policy-lifetime-30d"))
                        .name())
                .isEqualTo(ISSUER + ",5f9c1f0e-alice");
        assertThat(verifier("jwks-rotated.json", Duration.ofHours(6), false)
                        .verify(TOKENS.get("rotated-old-key"))
                        .isKnown())
                .isTrue();
    }

    @Test
    void groupsCountOnlyWithoutACapability() throws Exception {
        var strict = verifier("jwks.json", Duration.ofHours(6), false);

        assertThat(strict.verify(TOKENS.get("ok-groups-only")).groups())
                .containsExactly("/testvo/production", "/testvo");
        assertThat(strict.verify(TOKENS.get("scope-storage-plus-group")).groups())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chains")
    void eachChainGetsItsVerdict(Map<String, Object> expected) throws Exception {
        try (var verifier = new ChainVerifier(vectors.resolve("certificates"))) {
            var chain = chain((String) expected.get("file"));

            if (expected.get("verdict").equals("reject")) {
                assertThatThrownBy(() -> verifier.verify(chain)).isInstanceOf(UntrustedException.class);
            } else {
                var subject = verifier.verify(chain);
                assertThat(subject.name()).isEqualTo(expected.get("identity"));
                assertThat(subject.may(Subject.Action.CREATE))
                        .isEqualTo(!expected.get("file").equals("plimited.chain.pem"));
            }
        }
    }

    @Test
    void aSignerIsJudgedAsACallerIsAndMustBeForSignatures() throws Exception {
        String here = "https://grid.example.org/services/Agreement";
        try (var chains = new ChainVerifier(vectors.resolve("certificates"))) {
            var verifier = new MessageVerifier(
                    Optional.of(chains),
                    Optional.empty(),
                    ReplayCache.inThisProcess(Clock.systemUTC()),
                    Clock.systemUTC());
            for (String good : List.of("alice.p12", "proxy1.p12")) {
                assertThat(Signing.verify(verifier, signing(good).sign(Signing.message(here)), false, here))
                        .as(good)
                        .hasValueSatisfying(
                                s -> assertThat(s.name()).isEqualTo("/DC=org/DC=example/O=Test/CN=Alice Liddell"));
            }
            for (String bad : List.of("revoked.p12", "expired.p12", "evilalice.p12", "viasub.p12", "nosign.p12")) {
                assertThatThrownBy(
                                () -> Signing.verify(verifier, signing(bad).sign(Signing.message(here)), false, here))
                        .as(bad)
                        .isInstanceOf(UntrustedException.class)
                        .hasMessageContaining(bad.equals("nosign.p12") ? "not for signatures" : "the chain");
            }
            var proof = new MessageProof(Optional.of(chains), (name, password) -> false, nonce -> true);
            var store = store("nosign.p12");
            var nosign = Stream.of(store.getCertificateChain(store.aliases().nextElement()))
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
            assertThatThrownBy(() -> proof.verifyTrust(nosign, false, null, null))
                    .hasRootCauseMessage("the certificate is not for signatures");
            assertThatThrownBy(proof::subject).isInstanceOf(UntrustedException.class);
        }
    }

    private static KeyStore store(String file) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(vectors.resolve(file))) {
            store.load(in, "changeit".toCharArray());
        }
        return store;
    }

    private static Signing signing(String file) throws Exception {
        return new Signing(store(file), "changeit").with(s -> s.wholeChain = file.startsWith("proxy"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void aSubjectIsWrittenAsGridMapfilesHaveIt(Map<String, Object> expected) throws Exception {
        assertThat(DistinguishedName.slash(chain((String) expected.get("file"))[0]))
                .isEqualTo(expected.get("slash"));
    }

    private static X509Certificate[] chain(String file) throws Exception {
        try (InputStream in = Files.newInputStream(vectors.resolve(file))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        }
    }

    private static Set<String> actions(Subject subject) {
        return subject.actions().stream()
                .map(a -> a.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private static Set<Object> expectedActions(Map<String, Object> expected) {
        return Set.copyOf((List<?>) expected.get("may"));
    }
}
