package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** Looking again and again, and completing words, against a server with one idle simulated site. */
class WatchCommandTest {

    @TempDir
    private static Path folder;

    private static ServerAssembly server;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void serve() throws Exception {
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                sites:
                  - site: fzj
                    scheduler: {type: simulated, nodes: 64}
                """.formatted(folder));
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void anAgreementIsWatchedToItsEnd() throws Exception {
        String id = reserved("watched");
        run("watch", id, "--looks", "2", "--every", "PT0.1S");
        assertThat(out.toString().lines()).singleElement().asString().contains("agreement " + id + " is Observed; ");

        run("terminate", id);
        out.getBuffer().setLength(0);
        assertThat(run("watch", id, "--json")).isEqualTo(ExitCodeException.NO);
        assertThat(new ObjectMapper().readTree(out.toString()).path("state").asText())
                .isEqualTo("Terminated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cms/17", "50%", "a\\b"})
    void anAgreementIsWatchedByANameThatNoSiteHas(String name) throws Exception {
        reserved(name);

        assertThat(run("watch", name, "--looks", "1")).as(err.toString()).isZero();
        assertThat(out.toString()).contains(" is Observed; ");
        assertThat(run("watch", name + "0", "--looks", "1")).isEqualTo(ExitCodeException.BAD_INPUT);
        assertThat(err.toString()).contains(name + "0");
        run("terminate", name);
    }

    @Test
    void aSiteIsWatchedByItsName() {
        assertThat(run("watch", "fzj", "--looks", "1")).isZero();
        assertThat(out.toString()).contains("site fzj is up; 64 of 64 nodes free");
        assertThat(run("watch", "julich-x", "--looks", "1")).isEqualTo(ExitCodeException.NO);
        assertThat(err.toString()).contains("julich-x");
    }

    @Test
    void aDagIsWatchedByItsFolder() throws Exception {
        assertThat(run("watch", folder.toString())).isEqualTo(ExitCodeException.BAD_INPUT);
        assertThat(err.toString()).contains("holds no bound DAG");
    }

    @Test
    void theShellCompletesWhatTheServerKnows() throws Exception {
        assertThat(completed("metasched agreement ", "NAME x\\nfzj up\\nag-1 Observed\\nag-2"))
                .containsExactly("ag-1", "ag-2", "fzj");
        assertThat(completed("metasched dag bind x --site sc", "SITE\\nfzj up\\nscai up"))
                .containsExactly("scai");
    }

    private String reserved(String id) throws IOException {
        assertThat(run("reserve", "--site", "fzj:nodes=1", "--duration", "1h", "--id", id, "--json"))
                .as(err.toString())
                .isZero();
        String made =
                new ObjectMapper().readTree(out.toString()).path("agreementId").asText();
        out.getBuffer().setLength(0);
        return made;
    }

    /** What bash offers when a line is completed and the program answers with these words. */
    private static List<String> completed(String line, String words) throws Exception {
        var program = Main.commandLine(new StringWriter(), new PrintWriter(new StringWriter()));
        var script = Files.writeString(folder.resolve("completion"), Completions.script(program));
        var process = new ProcessBuilder("bash", "-c", """
                compopt() { :; }
                metasched() { printf '%%b\\n' '%s'; }
                . '%s'
                line='%s'
                read -ra COMP_WORDS <<<"$line"; case $line in *' ') COMP_WORDS+=("") ;; esac
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$line; COMP_POINT=${#line}
                _complete_metasched
                printf '%%s\\n' "${COMPREPLY[@]}" | sort
                """.formatted(words, script, line))
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return List.of(printed.strip().split("\\s+"));
    }

    private int run(String... arguments) {
        var all = new ArrayList<>(List.of("--server", server.base().getAuthority()));
        all.addAll(List.of(arguments));
        return Main.execute(out, new PrintWriter(err, true), all.toArray(String[]::new));
    }
}
