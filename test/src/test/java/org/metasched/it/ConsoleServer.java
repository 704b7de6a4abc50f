package org.metasched.it;

import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** A whole server whose people sign in with tokens of an issuer of its own. */
final class ConsoleServer implements AutoCloseable {

    static final String ISSUER = "https://issuer.example.org/vo";

    private final KeyPair keys;
    private final Clock clock;
    final Path folder;
    final ServerAssembly wiring;

    /** @param sites as in a configuration, each on a line, indented by two */
    ConsoleServer(Path folder, String sites, Clock clock) throws IOException, GeneralSecurityException {
        this(folder, sites, "", clock);
    }

    /** @param security further lines of that section, each indented by two */
    ConsoleServer(Path folder, String sites, String security, Clock clock)
            throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.clock = clock;
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        keys = generator.generateKeyPair();
        var known = (RSAPublicKey) keys.getPublic();
        var jwks = Files.writeString(
                folder.resolve("jwks.json"),
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k\",\"alg\":\"RS256\",\"use\":\"sig\",\"n\":\""
                        + number(known.getModulus()) + "\",\"e\":\"" + number(known.getPublicExponent()) + "\"}]}");
        var config = Files.writeString(
                folder.resolve("server.yaml"), """
                    port: 0
                    data: %1$s
                    sites:
                    %2$s
                    security:
                      anonymous: false
                      audiences: ['https://grid.example.org']
                      issuers: [{url: '%3$s', keys: %4$s}]
                      roles:
                        operator: ['%3$s,op']
                        auditor: ['%3$s,auditor']
                        site: ['%3$s,site']
                        user: ['%3$s,alice', '%3$s,bob', carol]
                    %5$s
                    """.formatted(folder.resolve("data"), sites, ISSUER, jwks, security));
        wiring = ServerAssembly.start(ConfigurationFile.read(config), clock);
    }

    URI base() {
        return wiring.base();
    }

    Instant now() {
        return clock.instant();
    }

    /** A token for all actions. */
    String token(String who) {
        return token(who, "compute.read compute.create compute.modify compute.cancel");
    }

    String token(String who, String scope) {
        return signed(
                who,
                "https://grid.example.org",
                ",\"jti\":\"%s\",\"wlcg.ver\":\"1.0\",\"scope\":\"%s\"".formatted(UUID.randomUUID(), scope));
    }

    /** @param more claims, each with a comma before it */
    String signed(String who, String audience, String more) {
        long now = clock.instant().getEpochSecond();
        String text = part("{\"alg\":\"RS256\",\"kid\":\"k\",\"typ\":\"JWT\"}") + "."
                + part("{\"iss\":\"%s\",\"sub\":\"%s\",\"aud\":\"%s\",\"iat\":%d,\"nbf\":%d,\"exp\":%d%s}"
                        .formatted(ISSUER, who, audience, now, now, now + 3600, more));
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return text + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lines of a configuration with which the server may bind DAGs of a folder to other sites, and does when it is asked. */
    static String mayRebind(Path folder) throws IOException {
        return "matchmaking: {rebind: {when: 'false', below: '" + folder.toRealPath() + "'}}";
    }

    /** A DAG of two nodes, bound by somebody. */
    Path bind(String who) throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.resolve("dags"));
        Files.writeString(own.resolve("run.sh"), "");
        Files.writeString(own.resolve("step.sub"), "executable = run.sh\nqueue\n");
        Path dag = Files.writeString(
                own.resolve("group.dag"), "JOB Prepare step.sub\nJOB B step.sub\nPARENT Prepare CHILD B\n");
        Path bound = folder.toRealPath().resolve("bound");
        Path token = Files.writeString(folder.resolve("token"), token(who));
        var ended = CliProcess.run(
                folder,
                Map.of(),
                Stream.of("dag", "bind", dag, "--server", base(), "--token-file", token, "--out", bound)
                        .map(Object::toString)
                        .toArray(String[]::new));
        if (ended.exit() != 0) {
            throw new IllegalStateException(ended.err());
        }
        return bound;
    }

    /** The record of decisions. */
    String audit() throws IOException {
        var text = new StringBuilder();
        try (var files = Files.walk(folder.resolve("data"))) {
            for (var file : files.filter(f -> f.toString().endsWith(".jsonl")).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String number(BigInteger value) {
        byte[] bytes = value.toByteArray();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    @Override
    public void close() {
        wiring.close();
    }

    /** An offer by the server's first template, of one alternative: all parts at one time. */
    static AgreementOffer offer(ServerAssembly server, OfferKey key, String name, RequestedPart... parts) {
        var request = new AgreementRequest(List.of(parts), Optional.empty(), Optional.empty());
        return offer(server, key, name, request);
    }

    static AgreementOffer offer(ServerAssembly server, OfferKey key, String name, AgreementRequest request) {
        return new AgreementOffer(
                key,
                name,
                server.agreements().templates().get(0).key(),
                List.of(request),
                List.of(),
                Optional.empty(),
                new OfferDocument("<offer/>"),
                Optional.empty(),
                Optional.empty());
    }
}
