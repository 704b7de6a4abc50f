package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.metasched.soap.ForeignProgram.PYTHON;
import static org.metasched.soap.ForeignProgram.SCRIPTS;
import static org.metasched.soap.ForeignProgram.answers;
import static org.metasched.soap.ForeignProgram.run;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.Quotas;
import org.metasched.trust.ReplayCache;
import org.metasched.trust.TokenVerifier;
import org.metasched.trust.TokenVerifier.Issuer;

/** Programs that are not ours prove who they are at a closed server: curl, zeep, npm's soap, and a client that gSOAP makes. */
@Tag("full")
class ProvenClientsIT {

    private static final String ISSUER = "https://issuer.example.org/vo";
    private static final String AUDIENCE = "https://grid.example.org";
    private static final Path SCRIPT = SCRIPTS.resolve("zeep_client.py");

    @TempDir
    private static Path folder;

    private static Path pki;
    private static String token;
    private static ChainVerifier chains;
    private static WsagServer server;

    @BeforeAll
    static void serve() throws Exception {
        pki = folder.resolve("pki");
        var authority = new DemoAuthority(pki, Clock.systemUTC());
        authority.member("alice");
        chains = new ChainVerifier(authority.directory());
        var key = new RSAKeyGenerator(2048).keyID("k1").generate();
        Path keys = Files.writeString(folder.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        var now = Instant.now();
        var jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .subject("alice")
                        .audience(AUDIENCE)
                        .jwtID("1")
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plus(Duration.ofHours(1))))
                        .claim("wlcg.ver", "1.0")
                        .claim("scope", "compute.read compute.create")
                        .build());
        jwt.sign(new RSASSASigner(key));
        token = jwt.serialize();
        server = new WsagServer(new Authentication(
                Optional.of(authority.member("server")),
                Optional.of(chains),
                Optional.of(new TokenVerifier(
                        List.of(new Issuer(ISSUER, keys.toUri(), Duration.ofHours(6), false)),
                        Set.of(AUDIENCE),
                        Clock.systemUTC())),
                Optional.of(new MessageVerifier(
                        Optional.of(chains),
                        Optional.empty(),
                        ReplayCache.inThisProcess(Clock.systemUTC()),
                        Clock.systemUTC())),
                true,
                new Authorizer(new AccessPolicy(People.CLOSED, List.of()), Quotas.NONE, AuditLog.NONE)));
    }

    @AfterAll
    static void stop() {
        server.close();
        chains.close();
    }

    @Test
    void curlMakesAnAgreementByCertificateAndByToken() throws Exception {
        assumeTrue(answers("curl", "--version"), "curl is not installed; it was not run");

        assertThat(curl("nobody")).contains("status 401");
        assertThat(curl("by-certificate", "--cert", file("alice.pem"), "--key", file("alice.key")))
                .contains("status 200", "CreateAgreementResponse");
        assertThat(curl("by-token", "-H", "Authorization: Bearer " + token))
                .contains("status 200", "CreateAgreementResponse");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soap12", "soap12 --sign", "soap11 --sign"})
    void zeepMakesAnAgreementByCertificateAndBySignature(String options) throws Exception {
        assumeTrue(
                answers(PYTHON, "-c", "import zeep, xmlsec"),
                "python3-zeep or python3-xmlsec is not installed; the Python client was not run");
        var command = new ArrayList<>(
                List.of(PYTHON, SCRIPT.toString(), server.server.base().toString()));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("--ca", file("ca.pem"), "--cert", file("alice.pem"), "--key", file("alice.key")));

        WholeWay.assertWalked(run(command));
    }

    @Test
    void aClientThatGsoapGeneratesMakesAnAgreementInTheOpenAndByCertificate() throws Exception {
        String identity = folder.resolve("alice-both.pem").toString();
        Files.writeString(
                Path.of(identity),
                Files.readString(pki.resolve("alice.pem")) + Files.readString(pki.resolve("alice.key")));
        String client;
        try (var open = new WsagServer();
                var way = new WholeWay(open)) {
            String base = open.server.base().toString();
            client = ForeignProgram.gsoap(base, folder.resolve("gsoap"));
            way.goes(List.of(client, base, "soap11"));
            way.goes(List.of(client, base, "soap12"));
        }
        String closed = server.server.base().toString();
        WholeWay.assertWalked(run(List.of(client, closed, "soap12", file("ca.pem"), identity)));
        WholeWay.assertWalked(run(List.of(client, closed, "soap11", file("ca.pem"), identity)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soap12", "soap11"})
    void soapOfNodeMakesAnAgreementBySignature(String version) throws Exception {
        assumeTrue(
                answers("node", "-e", "require('soap')"),
                "soap is not installed (npm install soap, NODE_PATH); the Node.js client was not run");
        WholeWay.assertWalked(run(List.of(
                "env",
                "NODE_EXTRA_CA_CERTS=" + file("ca.pem"),
                "node",
                SCRIPTS.resolve("node_client.js").toString(),
                server.server.base().toString(),
                "soap",
                version,
                file("alice.pem"),
                file("alice.key"))));
    }

    private static String curl(String id, String... proof) throws Exception {
        Path message = Files.writeString(
                folder.resolve(id + ".xml"),
                WsagServer.golden("create-agreement.soap12.xml")
                        .replace("meta-job-17", id)
                        .replaceFirst("<wsag:AgreementInitiator>[^<]*</wsag:AgreementInitiator>", ""));
        var command = new ArrayList<>(List.of("curl", "-q", "-s", "--noproxy", "*", "--cacert", file("ca.pem")));
        command.addAll(List.of(proof));
        command.addAll(List.of("-H", "Content-Type: application/soap+xml", "--data-binary", "@" + message));
        command.addAll(List.of("-w", "status %{http_code}"));
        command.add(server.server.service("AgreementFactory").toString());
        return run(command);
    }

    private static String file(String name) {
        return pki.resolve(name).toString();
    }
}
