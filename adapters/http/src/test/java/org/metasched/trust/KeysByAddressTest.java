package org.metasched.trust;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.lessThanOrExactly;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.serviceUnavailable;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.trust.TokenVerifier.Issuer;

/** An issuer whose keys stand at an address. */
class KeysByAddressTest {

    private static final String ISSUER = "https://issuer.example.org/vo";

    @RegisterExtension
    private final WireMockExtension issuer = WireMockExtension.newInstance().build();

    private RSAKey key;
    private TokenVerifier verifier;

    @BeforeEach
    void publish() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("k1").generate();
        issuer.stubFor(get("/jwks").willReturn(okJson(new JWKSet(key.toPublicJWK()).toString())));
        verifier = verifier(URI.create("http://127.0.0.1:" + issuer.getPort() + "/jwks"));
    }

    private static TokenVerifier verifier(URI keys) {
        return new TokenVerifier(
                List.of(new Issuer(ISSUER, keys, Duration.ofHours(6), false)),
                Set.of("https://grid.example.org"),
                Clock.systemUTC());
    }

    @Test
    void itsKeysAreFetchedOnceAndStayWhenItFails() throws Exception {
        assertThat(verifier.verify(token("k1", ISSUER)).name()).isEqualTo(ISSUER + ",alice");
        verifier.verify(token("k1", ISSUER));
        issuer.verify(1, getRequestedFor(urlEqualTo("/jwks")));

        issuer.stubFor(get("/jwks").willReturn(serviceUnavailable()));
        assertThat(verifier.verify(token("k1", ISSUER)).isKnown()).isTrue();
    }

    @Test
    void unknownKeysAndUnknownIssuersDoNotMakeItAskAgainAndAgain() throws Exception {
        assertThatThrownBy(() -> verifier.verify(token("k1", "https://other.example.org")))
                .isInstanceOf(UntrustedException.class);
        issuer.verify(0, getRequestedFor(urlEqualTo("/jwks")));

        verifier.verify(token("k1", ISSUER));
        for (int i = 0; i < 20; i++) {
            String unknown = token("k" + (i + 2), ISSUER);
            assertThatThrownBy(() -> verifier.verify(unknown)).isInstanceOf(UntrustedException.class);
        }
        issuer.verify(lessThanOrExactly(2), getRequestedFor(urlEqualTo("/jwks")));
    }

    @Test
    void anIssuerThatIsGoneProvesNothing() throws Exception {
        var unreachable = verifier(URI.create("http://127.0.0.1:1/jwks"));
        String token = token("k1", ISSUER);

        assertThatThrownBy(() -> unreachable.verify(token)).isInstanceOf(UntrustedException.class);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void anIssuerThatBreaksItsAnswerOffProvesNothing(Fault fault) throws Exception {
        issuer.stubFor(get("/jwks").willReturn(aResponse().withFault(fault)));
        String token = token("k1", ISSUER);

        assertThatThrownBy(() -> verifier.verify(token)).isInstanceOf(UntrustedException.class);
    }

    @Test
    void anAnswerThatIsNoKeySetProvesNothing() throws Exception {
        issuer.stubFor(get("/jwks").willReturn(okJson("{\"keys\":[{}]}")));
        String token = token("k1", ISSUER);

        assertThatThrownBy(() -> verifier.verify(token)).isInstanceOf(UntrustedException.class);
    }

    @Test
    void keysTravelByHttpsAlone() {
        assertThatThrownBy(() -> verifier(URI.create("http://issuer.example.org/jwks")))
                .hasMessageContaining("must be a file or an https address");
        assertThat(verifier(URI.create("https://issuer.example.org/jwks"))).isNotNull();
    }

    private String token(String kid, String from) throws Exception {
        var now = Instant.now();
        var jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid).build(),
                new JWTClaimsSet.Builder()
                        .issuer(from)
                        .subject("alice")
                        .audience("https://grid.example.org")
                        .jwtID("1")
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plus(Duration.ofHours(1))))
                        .claim("wlcg.ver", "1.0")
                        .claim("scope", "compute.read")
                        .build());
        jwt.sign(new RSASSASigner(key));
        return jwt.serialize();
    }
}
