package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** The JSON of the commands that call a server, as scripts rely on it. */
class ShownFormsOfServerTest {

    @TempDir
    private static Path folder;

    private static ServerAssembly server;

    private final ShownForms shown = new ShownForms(folder);

    @BeforeAll
    static void serve() throws Exception {
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %1$s
                negotiation: {lead: 1s}
                monitor: {every: 1s}
                sites:
                  - site: fzj
                    scheduler: {type: simulated, nodes: 64}
                  - site: scai
                    scheduler: {type: simulated, nodes: 32, programs: {folder: %1$s/jobs}}
                """.formatted(folder));
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private JsonNode check(String name, int exit, String... arguments) throws IOException {
        return shown.check(
                name,
                exit,
                Stream.concat(
                                Stream.of(
                                        arguments[0], "--server", server.base().toString()),
                                Stream.of(arguments).skip(1))
                        .toArray(String[]::new));
    }

    @Test
    void agreements() throws Exception {
        String id = check(
                        "reserve",
                        0,
                        "reserve",
                        "--id",
                        "one",
                        "--site",
                        "fzj:nodes=16",
                        "--site",
                        "scai:nodes=8",
                        "--duration",
                        "PT30M",
                        "--earliest",
                        "+2h")
                .get("agreementId")
                .asText();

        check("agreement", 0, "agreement", id);
        check("agreements", 0, "agreements", "--state", "observed");
        check("watch-agreement", 0, "watch", id, "--looks", "1");
        check("terminate", 0, "terminate", id);
        check("agreement-history", 0, "agreement", id, "--history");
        check("agreement-unknown", 1, "agreement", "none");
        check(
                "reserve-program",
                0,
                "reserve",
                "--id",
                "two",
                "--site",
                "scai:nodes=1",
                "--duration",
                "PT1M",
                "--earliest",
                "+3h",
                "/bin/true");
        // Else the site's job waits for its slot longer than this test lives.
        assertThat(ShownForms.run("terminate", "--server", server.base().toString(), "two")
                        .exit())
                .isZero();
        check("reserve-refused", 2, "reserve", "--site", "nowhere:nodes=1", "--duration", "PT1H");
    }

    @Test
    void templates() throws Exception {
        check("templates", 0, "templates");
    }

    @Test
    void ads() throws Exception {
        var ads = Files.writeString(folder.resolve("ads"), """
                [ MyType = "Thing"; Name = "a"; UpdateSequenceNumber = 4 ]
                [ MyType = "Thing"; Name = "a"; UpdateSequenceNumber = 3 ]
                [ MyType = "Thing" ]
                """);

        check("advertise", 2, "advertise", ads.toString());
        check("invalidate", 0, "invalidate", "a");
        check("priority", 0, "priority", "ann", "--factor", "2");
        check("priority-delete", 0, "priority", "ann", "--delete");
    }
}
