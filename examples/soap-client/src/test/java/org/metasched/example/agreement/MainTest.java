package org.metasched.example.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

class MainTest {

    @Test
    void goesThroughAllThatTheClientCan(@TempDir Path folder) throws Exception {
        var config = Files.writeString(
                folder.resolve("server.yaml"),
                "port: 0\ndata: " + folder + "\nsites:\n"
                        + "  - {site: fzj, scheduler: {type: simulated, nodes: 64}}\n"
                        + "  - {site: scai, scheduler: {type: simulated, nodes: 32}}\n");
        var said = new ByteArrayOutputStream();

        try (var server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            new Main(server.base(), List.of("fzj", "scai"), new PrintStream(said, true, StandardCharsets.UTF_8)).run();
        }

        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "template CO-ALLOCATION 1",
                        "agreed: Observed, 2 nodes at fzj, 2 nodes at scai",
                        "ended: Terminated, 2 nodes at fzj, 2 nodes at scai",
                        "events 9",
                        "fault AGREEMENT_FINAL",
                        "called back: accepted true",
                        "could be had: 2 slots",
                        "negotiated: Observed, 2 nodes at fzj, 2 nodes at scai",
                        "larger: Observed, 4 nodes at fzj, 4 nodes at scai",
                        "the old one: Terminated, 2 nodes at fzj, 2 nodes at scai");
    }
}
