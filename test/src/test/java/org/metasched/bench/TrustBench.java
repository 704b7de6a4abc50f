package org.metasched.bench;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.http.HttpServer;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.TokenVerifier;
import org.metasched.trust.TokenVerifier.Issuer;

/**
 * What trust costs: a call of the site interface over TLS with a connection that stays open, beside the same over plain HTTP in turns, in
 * processor time of this process, client and server together, and in calls a second of one caller; a token that was not seen before, and one that was, in processor time of the
 * thread. Prints one JSON object of medians.
 *
 * <p>Arguments: calls in a round, rounds.
 */
public final class TrustBench {

    private static final String ISSUER = "https://issuer.example.org/vo";
    private static final OperatingSystemMXBean MACHINE =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private TrustBench() {}

    public static void main(String[] arguments) throws Exception {
        int calls = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        Path folder = Files.createTempDirectory("trust");
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        var tls = new Authentication(
                Optional.of(authority.member("server")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Authorizer.OPEN);
        var trusting = new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty());
        var plainCosts = new ArrayList<Cost>();
        var tlsCosts = new ArrayList<Cost>();
        try (var plainHost = host(Authentication.NONE);
                var tlsHost = host(tls);
                var plain = client(plainHost, ClientCredentials.ANONYMOUS);
                var secure = client(tlsHost, trusting)) {
            for (int i = 0; i < rounds + 2; i++) {
                var one = cost(plain, calls);
                var other = cost(secure, calls);
                if (i >= 2) {
                    plainCosts.add(one);
                    tlsCosts.add(other);
                }
            }
        }
        double plainMicros = median(plainCosts, Cost::micros);
        double tlsMicros = median(tlsCosts, Cost::micros);
        double plainRate = median(plainCosts, Cost::callsPerSecond);
        double tlsRate = median(tlsCosts, Cost::callsPerSecond);
        System.out.printf(
                Locale.ROOT,
                "{\"plainMicros\":%.0f,\"tlsMicros\":%.0f,\"tlsOverPlain\":%.3f,"
                        + "\"plainCallsPerSecond\":%.0f,\"tlsCallsPerSecond\":%.0f,\"throughputOfTls\":%.3f,%s,%s}%n",
                plainMicros,
                tlsMicros,
                tlsMicros / plainMicros,
                plainRate,
                tlsRate,
                tlsRate / plainRate,
                tokens(folder, JWSAlgorithm.RS256, calls),
                tokens(folder, JWSAlgorithm.ES256, calls));
    }

    private static AdapterHost host(Authentication authentication) {
        return AdapterHost.start(
                new SimulatedSite(new SiteId("fzj")).nodes(64).open(Clock.systemUTC()),
                HttpServer.onPort(0),
                authentication,
                Map.of());
    }

    private static RemoteScheduler client(AdapterHost host, ClientCredentials caller) {
        var patience = Duration.ofSeconds(30);
        return RemoteScheduler.at(new SiteId("fzj"), host.endpoint(), new OutgoingCalls(caller, patience, patience));
    }

    /** @param micros of processor time of a call */
    private record Cost(double micros, double callsPerSecond) {}

    private static Cost cost(RemoteScheduler site, int calls) throws Exception {
        var request = ResourceRequest.nodes(4, Duration.ofHours(1));
        long begin = MACHINE.getProcessCpuTime();
        long clock = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            site.earliestStart(request, Instant.now());
        }
        return new Cost(
                (MACHINE.getProcessCpuTime() - begin) / 1e3 / calls, calls / ((System.nanoTime() - clock) / 1e9));
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> what) {
        return median(costs.stream().mapToDouble(what).boxed().toList());
    }

    private static String tokens(Path folder, JWSAlgorithm algorithm, int count) throws Exception {
        JWSSigner signer;
        JWKSet keys;
        if (algorithm.equals(JWSAlgorithm.RS256)) {
            var key = new RSAKeyGenerator(2048).keyID("k").generate();
            signer = new RSASSASigner(key);
            keys = new JWKSet(key.toPublicJWK());
        } else {
            var key = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
            signer = new ECDSASigner(key);
            keys = new JWKSet(key.toPublicJWK());
        }
        Path file = Files.writeString(folder.resolve(algorithm.getName()), keys.toString());
        var verifier = new TokenVerifier(
                List.of(new Issuer(ISSUER, file.toUri(), Duration.ofHours(6), false)),
                Set.of("https://grid.example.org"),
                Clock.systemUTC());
        var fresh = new ArrayList<Double>();
        var seen = new ArrayList<Double>();
        var threads = ManagementFactory.getThreadMXBean();
        for (int i = 0; i < count; i++) {
            String token = token(algorithm, signer, i);
            for (var times : List.of(fresh, seen)) {
                long begin = threads.getCurrentThreadCpuTime();
                verifier.verify(token);
                times.add((threads.getCurrentThreadCpuTime() - begin) / 1e3);
            }
        }
        // The first half compiles the program.
        return String.format(
                Locale.ROOT,
                "\"%s\":{\"freshMicros\":%.0f,\"seenMicros\":%.0f}",
                algorithm,
                median(fresh.subList(count / 2, count)),
                median(seen.subList(count / 2, count)));
    }

    private static String token(JWSAlgorithm algorithm, JWSSigner signer, int number) throws Exception {
        var now = Instant.now();
        var jwt = new SignedJWT(
                new JWSHeader.Builder(algorithm).keyID("k").build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .subject("alice")
                        .audience("https://grid.example.org")
                        .jwtID(String.valueOf(number))
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plus(Duration.ofHours(1))))
                        .claim("wlcg.ver", "1.0")
                        .claim("scope", "compute.read compute.create")
                        .build());
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static double median(List<Double> times) {
        return times.stream().sorted().skip(times.size() / 2).findFirst().orElse(Double.NaN);
    }
}
