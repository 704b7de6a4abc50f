package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.server.ServerAssembly;

/** Tools and the OpenAPI document that a server serves: a linter, and generators whose clients go through the life of an agreement. */
@Tag("full")
class OpenApiToolsIT {

    private static final Path SCRIPTS = Path.of(
                    System.getProperty("metasched.root", ".."), "test/src/test/resources/openapi")
            .toAbsolutePath();
    private static final Path PYTHON = Path.of("/usr/bin/python3");
    private static final String LIFE = """
            sites fzj scai
            made Observed true
            longer Observed 7200000
            history true
            ended Terminated
            refused 409 true Observed
            me true
            """;

    @TempDir
    private static Path folder;

    @AutoClose
    private static ServerAssembly server;

    private static Path contract;

    @BeforeAll
    static void serve() throws Exception {
        server = PythonClientIT.server(folder);
        contract = folder.resolve("openapi.json");
        var served = HttpRequest.newBuilder(URI.create(server.base() + "/api/v1/openapi.json"));
        assertThat(RestDoor.HTTP
                        .send(served.build(), BodyHandlers.ofFile(contract))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aLinterFindsNothing() throws Exception {
        var said = run(
                folder, node("redocly"), "lint", "--extends", "recommended", "--format", "json", contract.toString());

        assertThat(said).contains("\"errors\": 0", "\"warnings\": 0", "\"ignored\": 0");
    }

    @Test
    void aClientInTypeScriptLivesThroughAnAgreement() throws Exception {
        String compiler = node("tsc");
        Path made = Files.createDirectory(folder.resolve("typescript"));
        generate("typescript-fetch", made.resolve("client"));
        Files.copy(SCRIPTS.resolve("lifecycle.ts"), made.resolve("lifecycle.ts"));
        run(
                made,
                (compiler + " --strict --target es2022 --module commonjs --moduleResolution bundler"
                                + " --lib es2022,dom,dom.iterable --outDir out --rootDir . lifecycle.ts")
                        .split(" "));

        assertThat(run(made, "node", "out/lifecycle.js", server.base().toString()))
                .isEqualToIgnoringCase(LIFE);
    }

    @Test
    void aClientInPythonLivesThroughAnAgreement() throws Exception {
        assumeTrue(
                Files.isExecutable(PYTHON) && exits(PYTHON.toString(), "-c", "import pydantic, urllib3, dateutil"),
                "no python3-pydantic, python3-urllib3 or python3-dateutil here; the Python client was not run");
        Path made = folder.resolve("python");
        generate("python-pydantic-v1", made);

        assertThat(run(
                        folder,
                        PYTHON.toString(),
                        "-B",
                        SCRIPTS.resolve("lifecycle.py").toString(),
                        server.base().toString(),
                        made.toString()))
                .isEqualToIgnoringCase(LIFE);
    }

    private static void generate(String language, Path into) throws Exception {
        String jar = System.getenv().getOrDefault("OPENAPI_GENERATOR", "");
        assumeTrue(
                Files.isRegularFile(Path.of(jar)), "no OPENAPI_GENERATOR here; no client was generated: " + language);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        run(
                folder,
                java,
                "-Xmx512m",
                "-jar",
                jar,
                "generate",
                "-g",
                language,
                "-i",
                contract.toString(),
                "-o",
                into.toString());
    }

    /** A program of a package of npm, which lies where {@code NODE_PATH} says. */
    private static String node(String name) {
        var found = Arrays.stream(System.getenv().getOrDefault("NODE_PATH", "").split(":", -1))
                .map(modules -> Path.of(modules, ".bin", name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "no " + name + " in NODE_PATH here");
        return found.orElseThrow().toString();
    }

    private static boolean exits(String... command) throws Exception {
        return start(folder, command).waitFor() == 0;
    }

    private static Process start(Path where, String... command) throws Exception {
        var errors = where.resolve("errors.txt").toFile();
        var program = new ProcessBuilder(command).directory(where.toFile()).redirectError(errors);
        program.environment().put("REDOCLY_TELEMETRY", "off");
        return program.start();
    }

    private static String run(Path where, String... command) throws Exception {
        var program = start(where, command);
        try {
            program.getOutputStream().close();
            String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(program.waitFor(4, TimeUnit.MINUTES)).isTrue();
            assertThat(program.exitValue())
                    .as("%s: %s%s", List.of(command), said, Files.readString(where.resolve("errors.txt")))
                    .isZero();
            return said;
        } finally {
            program.destroyForcibly();
        }
    }
}
