package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.CliProcess;

/**
 * Checks of the samples of {@code docs/sites}, and of what {@code init} writes, by {@code adapter check}. Changed are only names: folders,
 * addresses, queues, accounts.
 */
abstract class SampleChecks {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath();
    private static final String SUDO = """
            #!/bin/sh
            while :; do case $1 in -n) shift ;; -u) user=$2; shift 2 ;; --) shift ;; *) break ;; esac; done
            if id "$user" > /dev/null 2>&1 && [ "$(id -un)" != "$user" ]; then exec runuser -u "$user" -- "$@"; fi
            exec "$@"
            """;
    private static final String RESERVE = """
            #!/bin/sh
            spreserve -n "$2" "$4" "$6" "$8" | sed 's/^reservation \\([0-9]*\\) made/granted \\1/'
            """;

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>(Map.of("SUDO_USER", "gridalice"));
    private Process python;

    @AfterEach
    void stop() throws Exception {
        if (python != null) {
            python.destroyForcibly().waitFor();
        }
    }

    void samplePasses(String sample) throws Exception {
        passes(changed(sample, Files.readString(ROOT.resolve("docs/sites/" + sample + ".yaml"))));
    }

    void writtenByInitPasses(String type) throws Exception {
        String unused = changed(type, "");
        environment.put("PATH", bin() + ":" + System.getenv("PATH"));
        var written = CliProcess.run(
                folder, environment, "init", "--yes", "--scheduler", type, "--site", "here", "--dir", folder + "/made");
        assertThat(written.exit()).as(unused + written.err()).isZero();

        passes(Files.readString(folder.resolve("made/sites/here.yaml"))
                .replace("run: {", "run: {path: [" + bin() + "], ")
                .replaceFirst("(path: .*), path: \\['[^']*']", "$1"));
    }

    private void passes(String yaml) throws Exception {
        Path config = Files.writeString(folder.resolve("site.yaml"), yaml);

        var checked = CliProcess.run(
                folder, Map.of(), "adapter", "check", "--config", config.toString(), "--requester", "/O=Grid/CN=me");

        assertThat(checked.exit()).as(yaml + checked.out() + checked.err()).isZero();
        assertThat(checked.err()).contains(" 0 failed");
        System.out.println(
                yaml.lines().filter(line -> line.contains("type:")).findFirst().orElse("") + ": "
                        + checked.err().strip());
    }

    private String changed(String sample, String text) throws Exception {
        program("sudo", SUDO);
        boolean isPlayed = List.of("pbs", "ccs", "easy").contains(sample);
        String yaml = isPlayed ? text.replaceFirst("(?m)^  programs: .*\n", "") : text;
        return switch (sample) {
            case "my-adapter" ->
                yaml.replace("/etc/metasched/adapters.d", jar().toString()).replace("/var/lib/lab", folder.toString());
            case "http" -> yaml.replace(":9011", ":" + pythonSite());
            case "pbs" -> {
                standIn("pbs");
                Path map = Files.writeString(folder.resolve("grid-mapfile"), "\"/O=Grid/CN=me\" alice\n");
                yield yaml.replace("/opt/pbs/bin", bin().toString())
                        .replace("/etc/grid-security/grid-mapfile", map.toString())
                        .replace("/home/gridadm", folder.toString());
            }
            case "ccs" -> {
                standIn("ccs");
                yield yaml.replaceFirst("(?m)^    ssh: .*$", "    path: [" + bin() + "]")
                        .replace("nodes: 200", "nodes: 8");
            }
            case "easy" -> {
                standIn("easy");
                program("reserve", RESERVE);
                yield yaml.replace("/usr/local/easy", bin().toString()).replace("nodes: 64", "nodes: 8")
                        + "  run: {path: [" + bin() + "]}\n";
            }
            case "slurm" ->
                live(
                        "slurm",
                        yaml.replace("partition: batch", "partition: grid")
                                .replace("default: grid}", "default: gridalice}"));
            case "slurm-rest" ->
                live(
                        "slurm2605",
                        yaml.replace("partition: batch", "partition: grid")
                                .replace("default: grid}", "default: gridalice}")
                                .replace(
                                        "https://slurm.example.org:6820",
                                        Files.readString(live2605("url")).strip())
                                .replace(
                                        "/etc/metasched/slurm.jwt",
                                        live2605("token").toString()));
            case "oar" ->
                live("oar", yaml.replace("  run: {", "  run: {path: [" + bin() + "], "))
                        + "identity: {default: gridalice}\n";
            case "gridengine" ->
                live("gridengine-real", yaml.replace("work.q", "grid.q").replace(": mpi", ": metanodes"));
            default -> yaml;
        };
    }

    private String live(String name, String yaml) throws IOException {
        var site = LiveSite.named(name);
        environment.putAll(site.environment());
        String variables = site.environment().entrySet().stream()
                .map(one -> one.getKey() + ": '" + one.getValue() + "'")
                .reduce((one, other) -> one + ", " + other)
                .orElse("");
        return yaml + (yaml.contains("run:") ? "" : "run: {path: [" + bin() + "], environment: {" + variables + "}}\n");
    }

    private static Path live2605(String file) {
        return LiveSite.named("slurm2605").folder().resolve(file);
    }

    Path bin() {
        return folder.resolve("bin");
    }

    void program(String name, String text) throws IOException {
        Files.createDirectories(bin());
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(
                Files.writeString(bin().resolve(name), text), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    void standIn(String kind) throws Exception {
        run("sh", ROOT.resolve("test/standins/install.sh").toString(), kind, folder.toString(), "8", "4");
        // the account that init names reserves, not root
        run("chmod", "-R", "a+rwX", folder.toString());
    }

    private Path jar() throws Exception {
        Path adapters = Files.createDirectories(folder.resolve("adapters.d"));
        String jar = Path.of(System.getProperty("java.home"), "bin", "jar").toString();
        String classes =
                ROOT.resolve("examples/my-first-adapter/target/classes").toString();
        run(jar, "--create", "--file", adapters.resolve("lab.jar").toString(), "-C", classes, ".");
        return adapters;
    }

    private static void run(String... words) throws Exception {
        var builder = new ProcessBuilder(words).inheritIO();
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        assertThat(builder.start().waitFor()).as(List.of(words).toString()).isZero();
    }

    private String pythonSite() throws IOException {
        python = new ProcessBuilder(
                        "/usr/bin/python3",
                        ROOT.resolve("examples/python-site/site.py").toString(),
                        "0",
                        "4",
                        folder.resolve("held.json").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = new BufferedReader(python.inputReader(StandardCharsets.US_ASCII));
        return Objects.requireNonNull(out.readLine());
    }
}
