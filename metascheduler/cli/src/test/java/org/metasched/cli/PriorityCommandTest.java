package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** Priorities over a server, and over a restart of it. */
@Tag("full")
class PriorityCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whatIsSetIsShownAndOutlivesTheServer() throws Exception {
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                sites:
                  - site: fzj
                    scheduler: {type: simulated, nodes: 64}
                """.formatted(folder));
        try (var server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            assertThat(run(server, "priority")).isZero();
            assertThat(run(server, "priority", "nobody")).isEqualTo(ExitCodeException.NO);
            assertThat(run(server, "priority", "--factor", "5")).isEqualTo(ExitCodeException.BAD_INPUT);
            assertThat(run(server, "priority", "alice", "--factor", "0.5")).isEqualTo(ExitCodeException.BAD_INPUT);
            assertThat(err.toString()).contains("The factor (0.5) must be a number from 1.0 to 1.0E15.");
            assertThat(run(server, "priority", "alice", "--factor", "100", "--ceiling", "8"))
                    .isZero();
            assertThat(posted(server, "{\"submitter\": \"alice\", \"ceiling\": -0.5}"))
                    .isEqualTo("400 {\"reason\":\"The ceiling (-0.5) must be a whole number.\"}");
            assertThat(posted(server, "{\"submitter\": \"alice\", \"floor\": 0.9}"))
                    .startsWith("400 ");
            assertThat(posted(server, "{\"submitter\": \"alice\", \"ceiling\": 8.0}"))
                    .startsWith("200 ");
            for (String change : List.of(
                    "\"Factor\": 10", "\"factor\": 10, \"flor\": 1", "\"delete\": \"yes\"", "\"delete\": null")) {
                assertThat(posted(server, "{\"submitter\": \"alice\", " + change + "}"))
                        .as(change)
                        .startsWith("400 {\"reason\":\"Besides the submitter, at least one of factor");
            }
            assertThat(posted(server, "{\"submitter\": \"alice\"}")).startsWith("400 ");
            assertThat(run(server, "priority", "bob", "--usage", "40")).isZero();
            assertThat(run(server, "priority", "alice", "--floor", "5")).isZero();
            assertThat(run(server, "priority", "alice", "--floor", "0")).isZero();
        }
        try (var server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            out.getBuffer().setLength(0);
            assertThat(run(server, "priority", "--json")).isZero();
            var all = new ObjectMapper().readTree(out.toString());
            assertThat(all.findValuesAsText("submitter")).containsExactly("alice", "bob");
            assertThat(all.get(0).path("effectivePriority").asDouble()).isEqualTo(50);
            assertThat(all.get(0).path("ceiling").asLong()).isEqualTo(8);
            assertThat(all.get(0).path("floor").asLong(-1)).isZero();
            assertThat(all.get(1).path("realPriority").asDouble()).isBetween(39.0, 40.0);
            assertThat(run(server, "priority", "bob", "--delete")).isZero();
            assertThat(run(server, "priority", "bob")).isEqualTo(ExitCodeException.NO);
        }
    }

    private static String posted(ServerAssembly server, String change) throws Exception {
        var request = HttpRequest.newBuilder(server.base().resolve("/services/Priorities"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(change))
                .build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body().strip();
    }

    private int run(ServerAssembly server, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--server", server.base().toString()));
        return Main.execute(out, new PrintWriter(err, true), all.toArray(String[]::new));
    }
}
