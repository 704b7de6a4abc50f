package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.trust.AuditLog;

/** A server whose files may not grow any more, as on a full disk, while its database, which is in memory, goes on. */
@Tag("full")
@Timeout(120)
class FullAuditDiskIT {

    /** Of the first line that does not fit. */
    private static final int BYTES_THAT_FIT = 60;

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    @Test
    void nothingIsDoneThatCannotBeWrittenDownAndAllIsWellWhenThereIsRoomAgain() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "prlimit of util-linux bounds the size of files");
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                database: {url: 'jdbc:h2:mem:audit'}
                sites: [{site: one, scheduler: {type: simulated, nodes: 4}}]
                """.formatted(folder));
        Path record = folder.resolve("audit");
        try (var server = ServerProcess.start(config)) {
            var base = server.awaitReady();
            var client = new AgreementClient(base, Duration.ofSeconds(30));
            client.templates();
            assertThat(get(base, "/sites").statusCode()).isEqualTo(200);
            var contract = new ObjectMapper()
                    .readTree(get(base, "/api/v1/openapi.json").body());
            Path file = record.resolve("audit-000001.jsonl");
            long before = AuditLog.verify(record, Optional.empty()).lines();

            filesMayHave(server, Files.size(file) + BYTES_THAT_FIT + ":");

            assertThat(get(base, "/sites").statusCode()).isEqualTo(503);
            assertThatThrownBy(client::templates)
                    .asInstanceOf(type(AgreementFaultException.class))
                    .returns("BUSY", AgreementFaultException::code);
            for (var path : contract.path("paths").properties()) {
                for (var verb : path.getValue().properties()) {
                    assertThat(send(base, verb.getKey(), path.getKey()).statusCode())
                            .as(verb.getKey() + " " + path.getKey())
                            .isEqualTo(503);
                }
            }
            assertThat(get(base, "/health").body()).contains("\"audit\":\"down\"", "\"database\":\"up\"");
            assertThat(get(base, "/health").statusCode()).isEqualTo(503);
            assertThat(get(base, "/health/live").statusCode()).isEqualTo(200);
            assertThat(AuditLog.verify(record, Optional.empty()).problem()).isPresent();

            filesMayHave(server, "unlimited:");

            var again = get(base, "/health");
            assertThat(again.body()).contains("\"audit\":\"up\"");
            assertThat(again.statusCode()).isEqualTo(200);
            client.templates();
            var report = AuditLog.verify(record, Optional.empty());
            assertThat(report.problem()).isEmpty();
            assertThat(report.lines()).isEqualTo(before + 2);
            assertThat(Files.readAllLines(file).get((int) before))
                    .containsPattern("\"event\":\"resumed\",\"unwritten\":[1-9]");
        }
    }

    private static void filesMayHave(ServerProcess server, String bytes) throws Exception {
        var set = new ProcessBuilder("prlimit", "--pid", Long.toString(server.pid()), "--fsize=" + bytes)
                .inheritIO()
                .start();
        assertThat(set.waitFor()).isZero();
    }

    private HttpResponse<String> send(URI base, String method, String path) throws Exception {
        var request = HttpRequest.newBuilder(base.resolve(path.replaceAll("[{}]", "")))
                .method(method.toUpperCase(Locale.ROOT), HttpRequest.BodyPublishers.noBody());
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(URI base, String path) throws Exception {
        return http.send(HttpRequest.newBuilder(base.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
