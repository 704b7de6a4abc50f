package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands before each operation of the contract: who may do nothing, who asks too often, and a database that is gone. */
@Tag("full")
class RestRefusalsTest {

    private static final int MORE_THAN_AT_ONCE = 100;

    @TempDir
    private Path folder;

    @Test
    void eachOperationRefusesWhoMayNotWhoAsksTooOftenAndWhatItCannotRecord() throws Exception {
        try (var postgres = EmbeddedPostgres.builder().start();
                var few = new RestDoor(Files.createDirectory(folder.resolve("few")), Clock.systemUTC(), 1, "");
                var stored = new RestDoor(
                        Files.createDirectory(folder.resolve("stored")),
                        Clock.systemUTC(),
                        1000,
                        "database: {url: '" + postgres.getJdbcUrl("postgres", "postgres") + "'}")) {
            for (var operation : stored.operations()) {
                var refused = send(stored, "stranger", operation);
                assertThat(refused.statusCode()).as(operation).isEqualTo(403);
                RestDoor.problem(refused, 403, "NOT_ALLOWED");
                var often = Stream.generate(() -> send(few, "bob", operation))
                        .limit(MORE_THAN_AT_ONCE)
                        .filter(answer -> answer.statusCode() == 429)
                        .findFirst();
                assertThat(often).as(operation).isPresent();
                RestDoor.problem(often.get(), 429, "BUSY");
                assertThat(often.get().headers().firstValue("Retry-After"))
                        .as(operation)
                        .isPresent();
            }

            postgres.close();
            var threads = Executors.newFixedThreadPool(stored.operations().size());
            try {
                var asked = stored.operations().stream()
                        .map(operation -> threads.submit(() -> send(stored, "alice", operation)))
                        .toList();
                for (int i = 0; i < asked.size(); i++) {
                    String operation = stored.operations().get(i);
                    var answer = asked.get(i).get();
                    assertThat(answer.statusCode()).as(operation).isNotEqualTo(500);
                    if (isStored(operation)) {
                        // The first to wait find it gone; those behind them wait in vain for a connection.
                        String code = RestDoor.body(answer).path("code").asText();
                        assertThat(code).as(operation).isIn("SERVICE_FAILED", "BUSY");
                        RestDoor.problem(answer, 503, code);
                        assertThat(answer.headers().firstValue("Retry-After"))
                                .as(operation)
                                .isPresent();
                    }
                }
            } finally {
                threads.shutdownNow();
            }
            System.out.println("RestRefusals: " + stored.operations().size() + " operations; seen " + stored.seen);
        }
    }

    /** Whether it is answered out of the database. */
    private static boolean isStored(String operation) {
        return List.of("agreements", "events", "notices", "calendars", "refused", "GET /me").stream()
                .anyMatch(operation::contains);
    }

    private static HttpResponse<String> send(RestDoor door, String who, String operation) {
        var words = operation.split(" ", -1);
        String path = words[1].replace("{site}", "fzj")
                .replace("/matches/{id}", "/matches/00000000-0000-0000-0000-000000000000")
                .replace("{id}", "x");
        boolean hasBody = words[0].startsWith("P");
        try {
            return door.send(who, words[0], path, hasBody ? body(path) : "", "If-Match", "*");
        } catch (Exception e) {
            throw new IllegalStateException(operation, e);
        }
    }

    private static String body(String path) {
        if (path.startsWith("/notices")) {
            return "{\"to\":\"http://127.0.0.1:9099/\"}";
        }
        if (path.startsWith("/matches")) {
            return path.contains("-") ? "{\"confirmed\":true}" : "{\"site\":\"fzj\",\"holder\":\"x\"}";
        }
        return path.startsWith("/me") ? "{}" : RestDoor.HOUR;
    }
}
