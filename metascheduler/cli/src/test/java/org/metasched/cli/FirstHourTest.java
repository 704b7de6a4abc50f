package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.http.LoopbackAddress;
import org.metasched.server.ConfigurationFile;

/** {@code init} writes what {@code doctor} and the server take; {@code doctor} finds what is wrong. */
class FirstHourTest {

    @TempDir
    private Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @BeforeEach
    void fresh() {
        out = new StringWriter();
        err = new StringWriter();
    }

    @Test
    void whatInitWritesIsRead() throws Exception {
        for (String type : new String[] {"simulated", "slurm", "oar", "gridengine", "pbs"}) {
            Path dir = folder.resolve("etc/metasched-" + type);
            int exit = run("init", "--yes", "--site", "lab", "--scheduler", type, "--dir", dir.toString());

            assertThat(exit).as(err.toString()).isZero();
            var server = ConfigurationFile.read(dir.resolve("server.yaml"));
            assertThat(server.sites()).hasSize(1);
            assertThat(server.data()).isEqualTo(dir.resolve("data"));
            SiteConfiguration.read(dir.resolve("sites/lab.yaml"));
            for (String file : new String[] {"server.yaml", "sites/lab.yaml"}) {
                assertThat(Files.readString(dir.resolve(file)))
                        .contains("run: {environment: {")
                        .contains("#programs: {");
            }
            assertThat(Files.readString(dir.resolve("systemd/metasched.service")))
                    .contains("ExecStart=/usr/bin/metasched server --config " + dir + "/server.yaml")
                    .contains("ProtectHome=read-only", "ReadWritePaths=" + dir.resolve("data"));
            assertThat(dir.resolve("data")).isDirectory();
        }
        assertThat(run(
                        "init",
                        "--yes",
                        "--site",
                        "lab",
                        "--scheduler",
                        "pbs",
                        "--dir",
                        folder.resolve("etc/metasched-pbs").toString()))
                .isEqualTo(ExitCodeException.BAD_INPUT);
        assertThat(err.toString()).contains("exists already; nothing was written");
    }

    @Test
    void anInitThatFailsLeavesNoFileThatIsInTheWayOfTheNext() throws Exception {
        Path dir = Files.createDirectories(folder.resolve("failed"));
        Path inTheWay = Files.writeString(dir.resolve("sites"), "");
        String[] init = {"init", "--yes", "--site", "lab", "--scheduler", "simulated", "--dir", dir.toString()};

        assertThat(run(init)).isEqualTo(3);
        assertThat(dir.resolve("server.yaml")).doesNotExist();

        Files.delete(inTheWay);
        assertThat(run(init)).as(err.toString()).isZero();
    }

    @Test
    void yesIsTakenInAnyLetters() throws Exception {
        InputStream in = System.in;
        System.setIn(new ByteArrayInputStream("Yes\n".getBytes(StandardCharsets.UTF_8)));
        try {
            String dir = folder.resolve("asked").toString();
            assertThat(run("init", "--site", "lab", "--scheduler", "simulated", "--dir", dir))
                    .isZero();
        } finally {
            System.setIn(in);
        }

        assertThat(folder.resolve("asked/sites/lab.yaml")).content().containsPattern("(?m)^ +programs: \\{");
    }

    @Test
    void theSiteHasTheNameOfTheMachine() throws Exception {
        String dir = folder.resolve("named").toString();
        assertThat(run("init", "--yes", "--scheduler", "simulated", "--dir", dir))
                .isZero();

        String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        assertThat(folder.resolve("named/sites/" + name.replaceAll("\\..*", "") + ".yaml"))
                .exists();
    }

    /** PBS and OAR let no root reserve. */
    @Test
    void noSiteReservesForRootWhereRootMayNot() throws Exception {
        String me = System.setProperty("user.name", "root");
        try {
            for (String type : new String[] {"pbs", "oar"}) {
                String dir = folder.resolve(type).toString();
                assertThat(run("init", "--yes", "--programs", "--site", "lab", "--scheduler", type, "--dir", dir))
                        .isZero();
                for (String file : new String[] {"server.yaml", "sites/lab.yaml"}) {
                    String text = Files.readString(folder.resolve(type).resolve(file));
                    assertThat(text).doesNotContain("default: root").containsPattern("(?m)^ +programs: \\{");
                    assertThat(text).containsPattern(type.equals("pbs") ? "prefix: \\[sudo, -n, -u, " : "become: \\[");
                }
                SiteConfiguration.read(folder.resolve(type).resolve("sites/lab.yaml"));
            }
        } finally {
            System.setProperty("user.name", me);
        }
    }

    /** A file that init writes as root can be read, and has no mapping to root. */
    @ParameterizedTest
    @ValueSource(strings = {"slurm", "gridengine", "pbs", "oar", "simulated"})
    void whatInitWritesForRootIsRead(String type) throws Exception {
        String me = System.setProperty("user.name", "root");
        try {
            String dir = folder.resolve(type).toString();
            assertThat(run("init", "--yes", "--site", "lab", "--scheduler", type, "--dir", dir))
                    .isZero();
            Path site = folder.resolve(type).resolve("sites/lab.yaml");
            assertThat(Files.readString(site)).doesNotContainPattern("(?m)^identity: .*root");
            SiteConfiguration.read(site);
        } finally {
            System.setProperty("user.name", me);
        }
    }

    @Test
    void aNewInstallationIsInOrder() throws Exception {
        run(
                "init",
                "--yes",
                "--site",
                "lab",
                "--scheduler",
                "simulated",
                "--dir",
                folder.resolve("new").toString());
        Path config = folder.resolve("new/server.yaml");
        Files.writeString(config, Files.readString(config) + "\nport: 0\n");
        fresh();

        var findings = findings(0, config);

        assertThat(findings.findValuesAsText("what"))
                .contains("Java", "configuration", "data folder", "port", "database", "site lab");
        assertThat(findings.findValuesAsText("outcome")).doesNotContain("wrong");
    }

    @Test
    @Tag("full")
    void aJobOfASecondRunsAtTheSiteOrSaysWhyNot() throws Exception {
        Path config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %1$s
                sites:
                  - {site: lab, scheduler: {type: simulated, nodes: 1, programs: {folder: %1$s/jobs}}}
                  - {site: bare, scheduler: {type: simulated, nodes: 1, programs: {folder: %1$s/bare, launch: [no-such, '{node}']}}}
                  - {site: odd, scheduler: {type: simulated, nodes: 1, programs: {folder: '/proc/none'}}}
                """.formatted(folder));

        assertThat(run("doctor", "--try", "--json", "--config", config.toString()))
                .as(out + "\n" + err)
                .isEqualTo(ExitCodeException.NO);

        var findings = new ObjectMapper().readTree(out.toString()).path("findings");
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.path("what").asText()).isEqualTo("job at lab");
            assertThat(finding.path("outcome").asText()).as(finding.toString()).isEqualTo("good");
            assertThat(finding.path("detail").asText())
                    .matches("job \\S+ began \\d+ s after its slot and ran for a second");
        });
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.path("what").asText()).isEqualTo("job at bare");
            assertThat(finding.path("outcome").asText()).isEqualTo("wrong");
            assertThat(finding.path("detail").asText()).contains("has no program no-such to start processes");
        });
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.path("what").asText()).isEqualTo("job at odd");
            assertThat(finding.path("outcome").asText()).isEqualTo("wrong");
            assertThat(finding.path("detail").asText()).contains("/proc/none");
        });
    }

    @Test
    void saysWhatIsWrongAndWhatToDo() throws Exception {
        // Another service has the port: that it speaks HTTP does not make it our server.
        try (var late = new ServerSocket(0, 50, LoopbackAddress.get())) {
            var answering = new Thread(() -> answerFromTheFuture(late));
            answering.start();
            Path config = Files.writeString(folder.resolve("server.yaml"), """
                    port: %d
                    data: %s
                    database: {url: 'jdbc:postgresql://%s:1/none', user: x, password: geheim}
                    sites:
                      - {site: far, url: 'http://%s:%d/services/Site'}
                    """.formatted(
                            late.getLocalPort(),
                            Files.createFile(folder.resolve("file")).resolve("data"),
                            LoopbackAddress.host(),
                            LoopbackAddress.host(),
                            late.getLocalPort()));
            // Whatever the umask is.
            Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));

            var findings = findings(ExitCodeException.NO, config);
            late.close();

            for (String what : new String[] {"data folder", "rights", "port", "database", "site far", "clock of far"}) {
                assertThat(findings).as(what).anySatisfy(finding -> {
                    assertThat(finding.path("what").asText()).isEqualTo(what);
                    assertThat(finding.path("outcome").asText()).isEqualTo("wrong");
                    assertThat(finding.path("advice").asText()).isNotEmpty();
                });
            }
            assertThat(findings.toString()).doesNotContain("geheim").doesNotContain("Exception");
        }
    }

    @Test
    void aMistakeInTheConfigurationIsAFinding() throws Exception {
        Path config = Files.writeString(folder.resolve("server.yaml"), "sitse: []\n");

        assertThat(run("doctor", "--config", config.toString())).isEqualTo(ExitCodeException.NO);
        assertThat(out.toString()).contains("wrong     configuration").contains("server.yaml:1:1");
    }

    private static void answerFromTheFuture(ServerSocket at) {
        while (!at.isClosed()) {
            try (var caller = at.accept()) {
                caller.getInputStream().read(new byte[1 << 16]);
                caller.getOutputStream()
                        .write(
                                "HTTP/1.1 404 Not Found\r\nDate: Sat, 05 Jan 2030 16:00:00 GMT\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // the caller is gone, or the test is over
            }
        }
    }

    private JsonNode findings(int exit, Path config) throws Exception {
        assertThat(run("doctor", "--config", config.toString(), "--json"))
                .as(out + "\n" + err)
                .isEqualTo(exit);
        return new ObjectMapper().readTree(out.toString()).path("findings");
    }

    private int run(String... arguments) {
        return Main.execute(out, new PrintWriter(err, true), arguments);
    }
}
