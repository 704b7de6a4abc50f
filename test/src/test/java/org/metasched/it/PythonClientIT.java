package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** The tests of the client in Python, against the server that they bring and a whole one, and what tools say of it. */
class PythonClientIT {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));
    private static final Path PYTHON = Path.of("/usr/bin/python3");

    private static final String EXAMPLES = "../../examples/python-client";

    @Test
    void itsOwnTestsHold() throws Exception {
        assumeTrue(Files.isExecutable(PYTHON), "no python3 here");
        run(PYTHON.toString(), "-B", "-m", "unittest", "discover", "-s", "tests");
    }

    @Test
    @Tag("full")
    void itsLifeCycleHoldsAtAServer(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isExecutable(PYTHON), "no python3 here");
        try (var server = server(folder)) {
            run(
                    PYTHON.toString(),
                    "-B",
                    "tests/against_server.py",
                    server.base().toString());
        }
    }

    /** An open one of two sites. */
    static ServerAssembly server(Path folder) throws IOException {
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 64}}
                  - {site: scai, scheduler: {type: simulated, nodes: 8}}
                """.formatted(folder.resolve("data")));
        return ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @Test
    void itsTypesAreStrict() throws Exception {
        run(
                tool("mypy"),
                "--strict",
                "--cache-dir=/dev/null",
                "src",
                EXAMPLES + "/two_sites.py",
                EXAMPLES + "/what_if.py",
                EXAMPLES + "/wait_for_start.py");
    }

    @Test
    void itsStyleIsClean() throws Exception {
        run(tool("ruff"), "check", "--no-cache", "--quiet", "--config", "pyproject.toml", ".", EXAMPLES);
    }

    /** From the folder where CI installs it, or the search path. */
    private static String tool(String name) {
        var found = Stream.of(System.getenv().getOrDefault("METASCHED_PYTHON_TOOLS", ""), System.getenv("PATH"))
                .flatMap(path -> Stream.of(path.split(":", -1)))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "no " + name + " here");
        return found.orElseThrow().toString();
    }

    private static void run(String... command) throws Exception {
        Path said = Files.createTempFile("python-client", ".out");
        var tests = new ProcessBuilder(command)
                .directory(ROOT.resolve("metascheduler/client-python").toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(tests.waitFor(4, TimeUnit.MINUTES)).isTrue();
            assertThat(tests.exitValue()).as(Files.readString(said)).isZero();
        } finally {
            tests.destroyForcibly();
            Files.delete(said);
        }
    }
}
