package org.metasched.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client waits for a server of this machine that is starting, and for nothing else. */
class LocalServersTest {

    private final List<String> said = new ArrayList<>();
    private int port;
    private Process starting;

    @BeforeEach
    void aServerIsStarting() throws IOException {
        try (var any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = any.getLocalPort();
        }
        starting =
                new ProcessBuilder("sh", "-c", "read x", "metasched", "server", "--port", String.valueOf(port)).start();
    }

    @AfterEach
    void itEnds() {
        starting.destroyForcibly();
    }

    private URI at(String host, int where) {
        return URI.create("http://" + host + ":" + where);
    }

    /** Other servers of this machine are none of its business. */
    private static void await(URI server, Consumer<String> say) {
        LocalServers.await(server, ProcessHandle.current()::children, say);
    }

    @Test
    void anAddressWithoutAPortHasTheUsualOneOfItsScheme() {
        assertThat(LocalServers.port(URI.create("https://localhost"))).isEqualTo(443);
        assertThat(LocalServers.port(URI.create("http://localhost"))).isEqualTo(80);
        assertThat(LocalServers.port(URI.create("https://localhost:8443"))).isEqualTo(8443);
    }

    @Test
    void waitsUntilItListens() throws Exception {
        try (var ready = new ServerSocket()) {
            await(at("localhost", port), line -> {
                said.add(line);
                bind(ready);
            });

            assertThat(ready.isBound()).isTrue();
        }
        assertThat(said).singleElement().asString().contains("is starting", "at most 120 s");
        assertThat(starting.isAlive()).isTrue();
    }

    private void bind(ServerSocket socket) {
        try {
            socket.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void endsWithTheServerThatFails() {
        await(at("localhost", port), line -> starting.destroyForcibly());

        assertThat(starting.isAlive()).isFalse();
    }

    @Test
    void isNotMisledByAServerOfAnotherPortThatEnds() throws Exception {
        var other = new ProcessBuilder("sh", "-c", "read x", "metasched", "server", "--config", "other.yaml").start();
        try (var ready = new ServerSocket()) {
            // Whichever of the two is found first ends; the address is served some time later.
            var end = new CompletableFuture<Void>();
            await(at("localhost", port), line -> {
                long found = Long.parseLong(line.replaceAll(".*process (\\d+).*", "$1"));
                (found == starting.pid() ? starting : other).destroyForcibly();
                end.completeAsync(
                        () -> {
                            bind(ready);
                            return null;
                        },
                        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
            });

            assertThat(ready.isBound()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void doesNotWaitForAServerWhoseConfigurationNamesAnotherPort(@TempDir Path folder) throws Exception {
        starting.destroyForcibly().waitFor();
        Files.writeString(folder.resolve("other.yaml"), "port: 0\nsites: []\n");
        var other = new ProcessBuilder("sh", "-c", "read x", "metasched", "server", "--config=other.yaml")
                .directory(folder.toFile())
                .start();
        try {
            await(at("localhost", port), line -> {
                said.add(line);
                other.destroyForcibly();
            });
            Files.writeString(folder.resolve("other.yaml"), "port: " + port + "\nsites: []\n");
            assertThat(said).isEmpty();

            await(at("localhost", port), line -> {
                said.add(line);
                other.destroyForcibly();
            });
        } finally {
            other.destroyForcibly();
        }

        assertThat(said).hasSize(1);
    }

    @Test
    void isNotMisledByAClientThatSaysTheWord() throws Exception {
        starting.destroyForcibly().waitFor();
        var client = new ProcessBuilder("sh", "-c", "read x", "metasched", "reserve", "--label", "server").start();
        try {
            await(at("localhost", port), line -> {
                said.add(line);
                client.destroyForcibly();
            });
        } finally {
            client.destroyForcibly();
        }

        assertThat(said).isEmpty();
    }

    @Test
    void leavesOffWhenInterrupted() {
        var looks = new AtomicInteger();
        Thread.currentThread().interrupt();

        // A wait that goes on looks again and again; the fourth look ends it.
        LocalServers.await(
                at("localhost", port),
                () -> looks.incrementAndGet() > 3
                        ? Stream.empty()
                        : ProcessHandle.current().children(),
                said::add);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(looks).hasValue(1);
    }

    @Test
    void aProcessHasNotEndedBecauseTheWaitIsInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> LocalServers.hasEnded(starting.toHandle(), 60_000))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void doesNotWaitForAnotherPortOrAnotherMachine() {
        await(at("127.0.0.1", port == 9 ? 10 : 9), said::add);
        await(at("no.such.host.invalid", port), said::add);

        assertThat(said).isEmpty();
    }
}
