package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metasched.trust.TokenVerifier.Issuer;

/** An issuer whose keys stand at an address. */
class KeysByAddressTest {

    private static final String ISSUER = "https://issuer.example.org/vo";

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer issuer;
    private RSAKey key;
    private TokenVerifier verifier;

    @BeforeEach
    void publish() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("k1").generate();
        byte[] keys = new JWKSet(key.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/jwks", exchange -> {
            asked.incrementAndGet();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        issuer.start();
        verifier = verifier(URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/jwks"));
    }

    @AfterEach
    void stop() {
        issuer.stop(0);
    }

    private static TokenVerifier verifier(URI keys) {
        return new TokenVerifier(
                List.of(new Issuer(ISSUER, keys, Duration.ofHours(6), false)),
                Set.of("https://grid.example.org"),
                Clock.systemUTC());
    }

    @Test
    void itsKeysAreFetchedOnceAndStayWhenItIsGone() throws Exception {
        assertThat(verifier.verify(token("k1", ISSUER)).name()).isEqualTo(ISSUER + ",alice");
        verifier.verify(token("k1", ISSUER));
        assertThat(asked).hasValue(1);

        issuer.stop(0);
        assertThat(verifier.verify(token("k1", ISSUER)).isKnown()).isTrue();
    }

    @Test
    void unknownKeysAndUnknownIssuersDoNotMakeItAskAgainAndAgain() throws Exception {
        assertThatThrownBy(() -> verifier.verify(token("k1", "https://other.example.org")))
                .isInstanceOf(UntrustedException.class);
        assertThat(asked).hasValue(0);

        verifier.verify(token("k1", ISSUER));
        for (int i = 0; i < 20; i++) {
            String unknown = token("k" + (i + 2), ISSUER);
            assertThatThrownBy(() -> verifier.verify(unknown)).isInstanceOf(UntrustedException.class);
        }
        assertThat(asked.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void anIssuerThatDoesNotAnswerProvesNothing() throws Exception {
        issuer.stop(0);
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
