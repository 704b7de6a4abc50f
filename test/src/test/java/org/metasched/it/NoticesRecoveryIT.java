package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a server inside its call of a web hook, or of a mail server: the next server makes the call again, with the same id. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("full")
class NoticesRecoveryIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String HOUR = "{\"parts\":[{\"site\":\"fzj\",\"nodes\":2}],\"duration\":\"PT1H\"}";

    @TempDir
    private Path folder;

    @Test
    void whatAKilledServerHadToTellItsSuccessorTellsOnce() throws Exception {
        var heard = new LinkedBlockingQueue<String>();
        var onFirst = new AtomicReference<Runnable>(() -> {});
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 8, state-file: %s/fzj}}
                """.formatted(folder, folder));
        var hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext("/", exchange -> {
            onFirst.getAndSet(() -> {}).run();
            heard.add(String.valueOf(exchange.getRequestHeaders().getFirst("webhook-id")));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        hook.start();
        try {
            String receiver = "http://127.0.0.1:" + hook.getAddress().getPort() + "/";
            String told = toldByKilled(config, receiver, heard, onFirst);

            try (var second = ServerProcess.start(config)) {
                var base = second.awaitReady();
                assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(told);
                Awaitility.await()
                        .until(() -> HTTP.send(
                                        HttpRequest.newBuilder(base.resolve("/metrics"))
                                                .build(),
                                        BodyHandlers.ofString())
                                .body()
                                .contains("metasched_notices_total{end=\"told\"} 1.0"));
            }
            try (var third = ServerProcess.start(config)) {
                third.awaitReady();
            }
            assertThat(heard).as("calls after the one that was answered").isEmpty();
        } finally {
            hook.stop(0);
        }
    }

    @Test
    void mailThatAKilledServerHadSentIsSentAgainWithTheSameId() throws Exception {
        var ids = new LinkedBlockingQueue<String>();
        var onFirst = new AtomicReference<Runnable>(() -> {});
        try (var mail = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var taking = new Thread(() -> takeMail(mail, ids, onFirst), "mail");
            taking.setDaemon(true);
            taking.start();
            var config = Files.writeString(
                    folder.resolve("server.yaml"), """
                    port: 0
                    data: %s
                    mail: {server: '127.0.0.1:%d', from: grid@example.org, tls: false}
                    sites:
                      - {site: fzj, scheduler: {type: simulated, nodes: 8, state-file: %s/fzj}}
                    """.formatted(folder, mail.getLocalPort(), folder));
            String sent = toldByKilled(config, "mailto:alice@example.org", ids, onFirst);
            assertThat(sent).contains("@example.org");

            try (var second = ServerProcess.start(config)) {
                second.awaitReady();
                assertThat(ids.poll(60, TimeUnit.SECONDS)).isEqualTo(sent);
            }
            assertThat(ids).isEmpty();
        }
    }

    /** The id with which a server that is killed meanwhile tells of the end of an agreement. */
    private static String toldByKilled(
            Path config, String receiver, BlockingQueue<String> heard, AtomicReference<Runnable> onFirst)
            throws Exception {
        try (var first = ServerProcess.start(config)) {
            onFirst.set(first::kill);
            var api = URI.create(first.awaitReady() + "/api/v1/");
            String id = JSON.readTree(send(api.resolve("agreements"), HOUR))
                    .path("agreementId")
                    .asText();
            String wish = "{\"to\":\"" + receiver + "\",\"events\":[\"ended\"],\"agreement\":\"" + id + "\"}";
            assertThat(send(api.resolve("notices"), wish)).contains(receiver);
            // The server may be killed before it answers this one.
            var unused = HTTP.sendAsync(
                    HttpRequest.newBuilder(api.resolve("agreements/" + id))
                            .DELETE()
                            .build(),
                    BodyHandlers.discarding());
            String told = heard.poll(60, TimeUnit.SECONDS);
            assertThat(told).contains(id + ".", ".ended.");
            return told;
        }
    }

    /** A mail server that takes everything; before its first answer to a whole letter, something happens. */
    private static void takeMail(ServerSocket server, Queue<String> ids, AtomicReference<Runnable> onFirst) {
        while (!server.isClosed()) {
            try (var client = server.accept();
                    var in = new BufferedReader(
                            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                    var out = client.getOutputStream()) {
                takeMail(in, out, ids, onFirst);
            } catch (IOException e) {
                // The client was killed, or the test has ended.
            }
        }
    }

    private static void takeMail(
            BufferedReader in, OutputStream out, Queue<String> ids, AtomicReference<Runnable> onFirst)
            throws IOException {
        answer(out, "220 here");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("DATA")) {
                answer(out, "354 go on");
                for (String text = in.readLine(); !".".equals(text); text = in.readLine()) {
                    if (text == null) {
                        return;
                    }
                    if (text.startsWith("Message-ID: ")) {
                        ids.add(text.substring("Message-ID: ".length()));
                    }
                }
                onFirst.getAndSet(() -> {}).run();
            }
            answer(out, line.startsWith("QUIT") ? "221 bye" : "250 good");
        }
    }

    private static void answer(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String send(URI address, String body) throws Exception {
        return HTTP.send(
                        HttpRequest.newBuilder(address)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }
}
