package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SettableClock;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.PasswordFile;
import org.metasched.trust.ReplayCache;

/** Messages that prove nothing cost their address, and no other sender. */
class StrangersTest {

    /** As many as one address has for passwords. */
    private static final int MOST_TRIES = 20;
    /** Of a check that takes a large part of a second. */
    private static final int ROUNDS = 2_000_000;
    /** An address has two seconds a minute; the last check may have cost a slow machine several. */
    private static final Duration REST = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-05T08:00:00Z"));

    @Test
    @Tag("full")
    void anAddressThatProvesNothingIsRefusedUnreadUntilItHasRested() throws Exception {
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        Path passwords =
                Files.writeString(folder.resolve("passwords"), PasswordFile.line("carol", "secret", ROUNDS) + "\n");
        try (var chains = new ChainVerifier(authority.directory());
                var server = new WsagServer(new Authentication(
                        Optional.of(authority.member("server")),
                        Optional.of(chains),
                        Optional.empty(),
                        Optional.of(new MessageVerifier(
                                Optional.of(chains),
                                Optional.of(new PasswordFile(passwords)),
                                ReplayCache.inThisProcess(clock),
                                clock)),
                        true,
                        Authorizer.OPEN))) {
            var stranger = SignedMessagesTest.client(authority, Optional.empty());
            var known = SignedMessagesTest.client(authority, Optional.of(authority.member("alice")));

            assertThat(post(server, stranger, message("")).statusCode()).isEqualTo(401);
            HttpResponse<String> refused = post(server, stranger, message(guess(0)));
            for (int tries = 1; refused.statusCode() == 401 && tries < MOST_TRIES; tries++) {
                refused = post(server, stranger, message(guess(tries)));
            }
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
            assertThat(refused.body()).contains("BUSY");
            assertThat(refused.headers().firstValue("Retry-After")).contains("10");
            assertThat(post(server, stranger, message("")).statusCode()).isEqualTo(429);

            assertThat(post(server, known, message("")).statusCode())
                    .as("its own certificate, same address")
                    .isNotIn(401, 429);

            clock.advance(REST);
            assertThat(post(server, stranger, message("")).statusCode()).isEqualTo(401);
        }
    }

    private static String guess(int number) {
        return PasswordHeader.of("name" + number, "guess");
    }

    private static String message(String header) {
        return "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Header>" + header
                + "</s:Header><s:Body/></s:Envelope>";
    }

    private static HttpResponse<String> post(WsagServer server, HttpClient client, String message) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.server.base() + "/services/AgreementFactory"))
                        .header("Content-Type", "application/soap+xml")
                        .POST(BodyPublishers.ofString(message))
                        .build(),
                BodyHandlers.ofString());
    }
}
