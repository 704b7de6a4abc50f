package org.metasched.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GangWorkloadTest {

    private static final Path GENERATOR =
            Path.of(System.getProperty("metasched.shared", "../../shared"), "gang", "gen_gang.py");

    @ParameterizedTest
    @CsvSource({
        "500, 50, 8, 1, false, false, false",
        "500, 100, 1, 2, false, false, true",
        "403, 50, 4, 3, true, false, false",
        "700, 100, 8, 12345678901, true, true, true",
        "300, 50, 2, 0, false, true, false",
        "1, 50, 8, 7, false, false, true",
        "0, 100, 2, 7, false, false, false",
    })
    void writesTheSameBytesAsTheReferenceGenerator(
            int jobs,
            int density,
            int partitions,
            long seed,
            boolean cont,
            boolean blocked,
            boolean hard,
            @TempDir Path dir)
            throws Exception {
        assumeTrue(Files.exists(GENERATOR), "The reference generator is not beside the checkout.");
        var workload = new GangWorkload(jobs, density, partitions, seed, cont, blocked, hard);

        runReference(workload, dir);

        assertThat(sha256(workload.jobAds())).isEqualTo(sha256(Files.readString(dir.resolve("jobs.classads"))));
        assertThat(sha256(workload.machineAds())).isEqualTo(sha256(Files.readString(dir.resolve("machines.classads"))));
        assertThat(sha256(workload.licenseAds())).isEqualTo(sha256(Files.readString(dir.resolve("licenses.classads"))));
    }

    @Test
    void keepsItsTextFromOneReleaseToTheNext() {
        var workload = GangWorkload.standard(1000, 50, 8, 1);

        String digest = sha256(workload.jobAds() + workload.machineAds() + workload.licenseAds());

        assertThat(digest).isEqualTo("11254f040458292e183daf0901dbe17f6dcfececb0f1ec065e2823c38d0b3b24");
    }

    @Test
    void refusesSizesThatMakeNoSense() {
        assertThatThrownBy(() -> GangWorkload.standard(-1, 50, 8, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(-1)");
        assertThatThrownBy(() -> GangWorkload.standard(1, 50, 0, 1)).hasMessageContaining("selectivity (0)");
        assertThatThrownBy(() -> GangWorkload.standard(1, -5, 1, 1)).hasMessageContaining("density (-5)");
    }

    private static void runReference(GangWorkload workload, Path dir) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "python3",
                GENERATOR.toString(),
                "" + workload.jobs(),
                "" + workload.licenseDensity(),
                "" + workload.selectivity(),
                "" + workload.seed(),
                dir.toString()));
        if (workload.continuous()) {
            command.addAll(List.of("--dist", "cont"));
        }
        if (workload.blocked()) {
            command.addAll(List.of("--placement", "blocked"));
        }
        if (workload.hard()) {
            command.add("--hard");
        }
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(new File(dir.toFile(), "generator.log"))
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "python3 is not installed here.");
            return;
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
