package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SettableClock;
import org.metasched.trust.Authorizer;

/** Guessers of passwords in messages, each at an address of its own: they are stopped, and slow down no honest caller. */
@Tag("full")
class PasswordGuessersTest {

    private static final int GUESSERS = 20;
    private static final int FEW_ROUNDS = 100_000;

    private static final int ROUNDS = Integer.getInteger("metasched.password.rounds", 200_000);
    private static final Duration MINUTE = Duration.ofSeconds(61);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-05T08:00:00Z"));
    private PasswordServer server;

    @BeforeEach
    void serve() throws Exception {
        server = PasswordServer.in(
                folder, Map.of("carol", ROUNDS, "dan", ROUNDS, "erin", FEW_ROUNDS), Authorizer.OPEN, clock);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void afterWrongOnesTheRightOneIsRefusedForAMinuteFromThereAlone() throws Exception {
        // A server that has just begun loads its classes, which counts as processor time of who asks first.
        assertThat(status("127.0.0.9", "dan", "secret")).isNotEqualTo(401);
        assertThat(status("127.0.0.2", "erin", "guess0")).isEqualTo(401);
        // Guesses at the log-in form count with it, but cost nothing of the two seconds of processor time for messages
        // of an address.
        for (int i = 1; i < 5; i++) {
            assertThat(server.passwords().session("erin", "guess" + i, "127.0.0.2", clock.instant()))
                    .isEmpty();
        }

        assertThat(status("127.0.0.2", "erin", "secret")).isEqualTo(401);
        assertThat(status("127.0.0.2", "dan", "secret")).as("another subject").isNotEqualTo(401);
        assertThat(status("127.0.0.3", "erin", "secret")).as("another address").isNotEqualTo(401);

        clock.advance(MINUTE);
        assertThat(status("127.0.0.2", "erin", "secret")).isNotEqualTo(401);
    }

    /** The password of the honest one was not proven before, so that it costs all its rounds. */
    @Tag("full")
    @Test
    void anHonestCallerDoesNotQueueBehindGuessers() throws Exception {
        assertHonestGoesFirst((guesser, turn) -> "127.0.1." + guesser);
    }

    /** Each guess is the first of its address, and of its name. */
    @Tag("full")
    @Test
    void anHonestCallerDoesNotQueueBehindGuessersWithManyAddresses() throws Exception {
        assertHonestGoesFirst((guesser, turn) -> "127.1." + guesser + "." + (1 + turn % 250));
    }

    private void assertHonestGoesFirst(BiFunction<Integer, Integer, String> address) throws Exception {
        long begin = System.nanoTime();
        assertThat(status("127.0.0.2", "dan", "secret")).isNotEqualTo(401);
        Duration alone = Duration.ofNanos(System.nanoTime() - begin);
        var guesses = new AtomicInteger();
        var stopped = new AtomicInteger();
        var threads = Executors.newFixedThreadPool(GUESSERS);
        try {
            for (int i = 1; i <= GUESSERS; i++) {
                int guesser = i;
                threads.submit(() -> {
                    for (int turn = 0; stopped.get() == 0; turn++) {
                        assertThat(status(address.apply(guesser, turn), "name" + guesser + "-" + turn, "guess"))
                                .isIn(401, 429);
                        guesses.incrementAndGet();
                    }
                    return null;
                });
            }
            await().atMost(PATIENCE).until(() -> guesses.get() >= 2 * GUESSERS);

            int before = guesses.get();
            begin = System.nanoTime();
            assertThat(status("127.0.0.3", "carol", "secret")).isNotEqualTo(401);
            Duration first = Duration.ofNanos(System.nanoTime() - begin);
            int meanwhile = guesses.get() - before;
            begin = System.nanoTime();
            assertThat(status("127.0.0.3", "carol", "secret")).isNotEqualTo(401);
            Duration again = Duration.ofNanos(System.nanoTime() - begin);
            System.out.printf(
                    "alone %d ms; beside %d guessers first %d ms (%d guesses judged meanwhile), again %d ms%n",
                    alone.toMillis(), GUESSERS, first.toMillis(), meanwhile, again.toMillis());
            assertThat(meanwhile).as("guesses that were judged before it").isLessThan(GUESSERS / 2);
        } finally {
            stopped.set(1);
            threads.shutdown();
            assertThat(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    /** Asks for an agreement that there is not. */
    private int status(String from, String name, String password) throws IOException {
        URI address = server.responder().server.service("Agreement/none");
        byte[] message = ("<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Header>"
                        + PasswordHeader.of(name, password) + "</s:Header><s:Body>"
                        + "<rp:GetResourcePropertyDocument xmlns:rp='http://docs.oasis-open.org/wsrf/rp-2'/>"
                        + "</s:Body></s:Envelope>")
                .getBytes(StandardCharsets.UTF_8);
        String head = "POST " + address.getPath() + " HTTP/1.1\r\nHost: localhost:" + address.getPort()
                + "\r\nContent-Type: application/soap+xml\r\nConnection: close\r\nContent-Length: " + message.length
                + "\r\n\r\n";
        var target = InetAddress.getLoopbackAddress();
        try (var socket = server.trust()
                .getSocketFactory()
                .createSocket(target, address.getPort(), InetAddress.getByName(from), 0)) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(message);
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3));
        }
    }
}
