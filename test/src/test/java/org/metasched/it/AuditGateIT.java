package org.metasched.it;

import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.notContaining;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code test/audit.py} with a database of this test's own. */
@Tag("full")
class AuditGateIT {

    private static final LocalDate TODAY = LocalDate.now(ZoneOffset.UTC);
    private static final String WEAK = "{\"results\":[{\"vulns\":[{\"id\":\"GHSA-1\"}]},{}]}";

    @TempDir
    private Path folder;

    @RegisterExtension
    private final WireMockExtension database = WireMockExtension.newInstance().build();

    private record Ended(int exit, String said) {}

    @Test
    void aWeaknessFailsUntilItIsBorneAndAgainAfterItsDay() throws Exception {
        database.stubFor(post("/v1/querybatch").willReturn(okJson(WEAK)));
        String url = "http://127.0.0.1:" + database.getPort();

        var bare = audit(url, "");
        assertThat(bare.said()).contains("GHSA-1 in pkg:maven/com.example/one@1.0");
        assertThat(bare.exit()).isEqualTo(1);
        database.verify(postRequestedFor(anyUrl())
                .withRequestBody(containing("two@2.0"))
                .withRequestBody(notContaining("org.metasched")));
        assertThat(audit(url, "GHSA-1 " + TODAY.plusDays(2) + " not reached by us\n"))
                .isEqualTo(new Ended(0, "audit: 2 components, 1 weaknesses, 0 to look at\n"));
        assertThat(audit(url, "GHSA-1 " + TODAY.minusDays(2) + " not reached by us\n")
                        .exit())
                .isEqualTo(1);
        var useless = audit(url, "GHSA-1 " + TODAY.plusDays(2) + " why\nGHSA-2 " + TODAY.plusDays(2) + " why\n");
        assertThat(useless.said()).contains("GHSA-2 is of no use");
        assertThat(useless.exit()).isEqualTo(1);
        assertThat(audit(url, "GHSA-1 for ever\n").exit()).isEqualTo(2);
    }

    @Test
    void withoutReachOfTheDatabaseItSaysSoAndDoesNotPass() throws Exception {
        int port;
        try (var nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = nobody.getLocalPort();
        }

        var ended = audit("http://127.0.0.1:" + port, "");

        assertThat(ended.exit()).isEqualTo(77);
        assertThat(ended.said()).contains("skipped: no reach of the database");
    }

    private Ended audit(String url, String exceptions) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "python3 is not here");
        Path bom = Files.writeString(folder.resolve("bom.json"), """
                {"components": [{"purl": "pkg:maven/com.example/one@1.0?type=jar"}, {"purl": "pkg:maven/com.example/two@2.0"},
                 {"purl": "pkg:maven/org.metasched/http@0.1"}]}
                """);
        Path borne = Files.writeString(folder.resolve("exceptions"), exceptions);
        var builder = new ProcessBuilder(
                        "/usr/bin/python3",
                        Path.of(System.getProperty("metasched.root"), "test", "audit.py")
                                .toString(),
                        bom.toString(),
                        borne.toString())
                .redirectErrorStream(true);
        builder.environment().put("OSV_URL", url);
        builder.environment().put("no_proxy", "*");
        var process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }
}
