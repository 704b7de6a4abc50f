package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** An operator's template on the command line. */
@Tag("full")
class ReserveTemplateTest {

    @TempDir
    private static Path folder;

    private static ServerAssembly server;

    private record Ran(int exit, String out, String err) {}

    @BeforeAll
    static void serve() throws Exception {
        Path templates = Path.of(System.getProperty("metasched.root", "../..")).resolve("examples/templates");
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                templates: %s
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 16}}
                  - site: keys
                    scheduler: {type: simulated, nodes: 1, licences: {paraview: 2}}
                    publish: {type: License, max-matches: 10, attributes: {App: paraview}}
                """.formatted(folder.resolve("data"), templates));
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theTemplateIsListedAndReserved() {
        assertThat(run("templates").out).contains("VIS-AFTERNOON 2026-11\n", "  Minutes: at least 120, at most 300\n");

        var dry = run("reserve", "--template", "VIS-AFTERNOON", "--duration", "2h", "--dry-run");
        assertThat(dry.exit).as(dry.err).isZero();
        var made = run("reserve", "--template", "VIS-AFTERNOON", "--duration", "2h", "--id", "vis");
        assertThat(made.exit).as(made.err).isZero();
        assertThat(made.out).contains("fzj", "keys");
    }

    @Test
    void whatTheTemplateDoesNotAllowIsSaid() {
        assertThat(run("reserve", "--template", "VIS-AFTERNOON", "--duration", "1h"))
                .satisfies(ran -> assertThat(ran.err).contains("Minutes: the value (60) must be at least 120."))
                .returns(2, Ran::exit);
        assertThat(run("reserve", "--template", "NONE"))
                .satisfies(ran ->
                        assertThat(ran.err).contains("--template (NONE) must be one of [CO-ALLOCATION, VIS-AFTERNOON]"))
                .returns(2, Ran::exit);
        assertThat(run("reserve", "--template", "VIS-AFTERNOON", "--site", "fzj:nodes=1"))
                .satisfies(ran -> assertThat(ran.err).contains("--template says what is needed"))
                .returns(2, Ran::exit);
        assertThat(run("reserve", "--template", "VIS-AFTERNOON", "--prefer", "rank"))
                .satisfies(ran -> assertThat(ran.err).contains("--template says what is needed"))
                .returns(2, Ran::exit);
        assertThat(run("reserve", "--template", "VIS-AFTERNOON", "--duration", "150m30s"))
                .satisfies(ran -> assertThat(ran.err).contains("must be whole minutes"))
                .returns(2, Ran::exit);
    }

    private static Ran run(String... words) {
        var out = new StringWriter();
        var err = new StringWriter();
        var all = Stream.concat(
                        Stream.of(words), List.of("--server", server.base().toString()).stream())
                .toArray(String[]::new);
        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
        return new Ran(exit, out.toString(), err.toString());
    }
}
