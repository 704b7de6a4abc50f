package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code test/live/check-site.sh}, which an admin runs at a real site and sends what it packs: here at a simulated one. */
@Tag("full")
class CheckSiteScriptIT {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath();

    @TempDir
    private Path folder;

    /** A site that breaks rules by chance, and one that keeps them; neither secret leaves the machine. */
    @ParameterizedTest
    @CsvSource({"'', 0, ' s after its slot and ran for a second'", "'mishaps: {share: 1, seed: 1}, ', 1, wrong"})
    void oneFileHasTheRulesTheProgramsAndAJob(String mishaps, int exit, String job) throws Exception {
        Path site = Files.writeString(folder.resolve("site.yaml"), """
                # a site
                site: toy
                scheduler: {type: simulated, nodes: 4, %sprograms: {folder: %s/jobs}}
                publish:
                  environment: {ApiToken: hush}
                """.formatted(mishaps, folder));
        Path file = folder.resolve("out.tar.gz");
        String script = ROOT.resolve("test/live/check-site.sh").toString();
        var builder = new ProcessBuilder("sh", script, site.toString(), file.toString(), "--only", "A1,R1")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("METASCHED", CliProcess.launcher(folder).toString());

        var process = builder.start();

        assertThat(process.waitFor(9, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(folder.resolve("said"));
        assertThat(process.exitValue()).as(said).isEqualTo(exit);
        assertThat(said).contains("send " + file, job);
        assertThat(packed(file, "site.yaml")).contains("site: toy").doesNotContain("hush");
        assertThat(packed(file, "machine.txt")).contains("metasched ", "Linux");
        assertThat(packed(file, "rules.html")).contains("<td>R1</td><td>" + (exit == 0 ? "PASSED" : "FAILED"));
        assertThat(packed(file, "rules.txt")).contains("A1  passed");
        assertThat(packed(file, "programs.txt")).contains("J4  ", "J5  ", "J6  ", "J7  ", "J8  ");
        assertThat(packed(file, "job.txt")).contains("job at toy");
    }

    private String packed(Path file, String name) throws Exception {
        var process = new ProcessBuilder("tar", "-xzOf", file.toString(), "report/" + name).start();
        String text = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(name).isZero();
        return text;
    }
}
