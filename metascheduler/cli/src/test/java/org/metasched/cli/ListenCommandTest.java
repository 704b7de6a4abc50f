package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.cycle.Introduction;
import org.metasched.http.OutboundPolicy;
import org.metasched.soap.introduction.IntroductionCalls;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;

@Tag("full")
class ListenCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void printsWhatItIsToldAndEndsAfterTheNumberAskedFor(String scheme) throws Exception {
        int port = freePort();
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        var own = authority.member("party");
        var trusting = new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty());
        var arguments = new ArrayList<>(List.of("listen", "--port", String.valueOf(port), "--count", "1", "--json"));
        if (scheme.equals("https")) {
            arguments.addAll(List.of(
                    "--cert", own.certificate().toString(), "--key", own.key().toString()));
        }
        var listening = CompletableFuture.supplyAsync(() -> run(arguments.toArray(String[]::new)));
        assertThat(introduce(scheme + "://127.0.0.1:" + port, trusting, listening))
                .isZero();

        JsonNode told = new ObjectMapper().readTree(out.toString());
        assertThat(told.get("name").asText()).isEqualTo("j");
        assertThat(told.get("other").asText()).isEqualTo("m");
        assertThat(told.get("ticket").asText()).isEqualTo("the-ticket");
        assertThat(told.get("preempts").asBoolean()).isTrue();
        assertThat(err.toString()).contains("ContactAddress = \"" + scheme + "://127.0.0.1:" + port);
    }

    /** Tells a listening command of a match; returns its exit code. */
    private static int introduce(String at, ClientCredentials trusting, Future<Integer> listening) throws Exception {
        ClassAd job = ClassAd.parse("[ Type = \"Job\"; Name = \"j\" ]")
                .with("ContactAddress", at + "/services/Introductions");
        ClassAd machine = ClassAd.parse("[ Type = \"Machine\"; Name = \"m\" ]");

        var memory = new DatabaseSettings("jdbc:h2:mem:" + UUID.randomUUID(), "", "", 4);
        try (var database = Database.open(memory);
                var calls = new IntroductionCalls(
                        database.outbox(),
                        OutboundPolicy.LOCAL,
                        trusting,
                        new IntroductionCalls.Patience(Duration.ofSeconds(30), Duration.ofSeconds(2)))) {
            calls.introduced(new Introduction(UUID.randomUUID(), "ann", job, machine, "the-ticket", "", true));

            return listening.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void itEndsWhenNoMatchCanBePrinted() throws Exception {
        int port = freePort();
        var closed = new Writer() {
            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        var listening = CompletableFuture.supplyAsync(
                () -> Main.execute(closed, new PrintWriter(err, true), "listen", "--port", String.valueOf(port)));

        assertThat(introduce("http://127.0.0.1:" + port, ClientCredentials.ANONYMOUS, listening))
                .isEqualTo(3);
        assertThat(err.toString()).contains("The results could not be written: Broken pipe.");
    }

    @Test
    void anAddressThatIsTakenIsAFailureOfTheWorld() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("listen", "--port", String.valueOf(taken.getLocalPort())))
                    .isEqualTo(3);
        }
        assertThat(run("listen", "--port", "70000")).isEqualTo(2);
        assertThat(run("listen", "--cert", "pom.xml")).isEqualTo(2);
        assertThat(run("listen", "--cert", "missing.pem", "--key", "missing.key"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("both --cert and --key").contains("missing.pem: there is no such file.");
    }

    private int run(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
