package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launchers' start, by all JVMs of this machine: with a class archive that does not fit, as after a build over an older one; with another collector. */
@Tag("full")
class StaleArchiveTest {

    private static final Path START = Path.of(System.getProperty("metasched.root", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("metascheduler/dist/src/tree/lib/start.sh");

    @Test
    void noJvmTalksAboutIt(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("stale.jsa"), "not an archive");
        for (Path java : virtualMachines()) {
            assertThat(version(java, folder, ""))
                    .as(java.toString())
                    .startsWith("metasched ")
                    .doesNotContain("[error]");
        }
    }

    /** The JVM refuses two collectors, and a short command has one of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseParallelGC", "-Xmx64m -XX:+UseG1GC"})
    void anotherCollectorMayBeChosen(String options, @TempDir Path folder) throws Exception {
        for (Path java : virtualMachines()) {
            assertThat(version(java, folder, options)).as(java.toString()).startsWith("metasched ");
        }
    }

    private static String version(Path java, Path folder, String options) throws Exception {
        var start = new ProcessBuilder("sh", "-c", "set -- --version; . " + START).redirectErrorStream(true);
        start.environment()
                .putAll(Map.of(
                        "java",
                        java.toString(),
                        "jar",
                        System.getProperty("java.class.path"),
                        "benches",
                        "",
                        "archive",
                        folder.resolve("stale.jsa").toString(),
                        "METASCHED_OPTS",
                        options,
                        "launcher",
                        "metasched"));
        Process process = start.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** This JVM, and the JDKs of release 17 or newer where Debian puts them. */
    private static List<Path> virtualMachines() throws Exception {
        var found = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java")));
        if (Files.isDirectory(Path.of("/usr/lib/jvm"))) {
            try (var homes = Files.newDirectoryStream(Path.of("/usr/lib/jvm"), "*-*")) {
                for (Path home : homes) {
                    if (isNewEnough(home.resolve("release"))) {
                        found.add(home.resolve("bin/java"));
                    }
                }
            }
        }
        found.removeIf(java -> !Files.isExecutable(java));
        return found;
    }

    private static boolean isNewEnough(Path release) throws Exception {
        return Files.isReadable(release)
                && Pattern.compile("JAVA_VERSION=\"(1[7-9]|[2-9]\\d)")
                        .matcher(Files.readString(release))
                        .find();
    }
}
