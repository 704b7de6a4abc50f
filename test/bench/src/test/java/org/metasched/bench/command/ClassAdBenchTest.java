package org.metasched.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.cli.output.ExitCodeException;

class ClassAdBenchTest {

    @TempDir
    private Path folder;

    @Test
    void countsMatchesAndHasTheKeysOfTheContract() throws Exception {
        Path machines = Files.writeString(folder.resolve("machines"), """
                Name = "small"
                Memory = 1024
                Requirements = true

                Name = "large"
                Memory = 8192
                Requirements = TARGET.Owner == "alice"
                """);
        Path jobs = Files.writeString(folder.resolve("jobs"), """
                Owner = "alice"
                Rank = TARGET.Memory
                Requirements = TARGET.Memory > 1000

                Owner = "bob"
                Requirements = TARGET.Memory > 1000
                """);

        var bench = new ClassAdBench(0.001, 1000);
        var result = bench.measured(ClassAdBench.texts(machines), ClassAdBench.texts(jobs));

        assertThat(result)
                .containsKeys(
                        "parseAdsPerSecond",
                        "parseMBPerSecond",
                        "matchesPerSecond",
                        "ranksPerSecond",
                        "evaluationsPerSecond",
                        "bytesPerAd")
                .containsEntry("matches", 3L)
                .containsEntry("jobRankSum", 9216.0)
                .containsEntry("machines", 2);
        assertThat((long[]) result.get("matchesPerJob")).containsExactly(2, 1);
        assertThat(bench.checksum()).isNotZero();
    }

    @Test
    void measuresAdsThatHaveNothingInCommon() {
        var result = new DiverseBench(50, 3).measured();

        assertThat(result)
                .containsOnlyKeys("values", "names", "requirements", "condor", "condor_names", "machines", "requests");
        assertThat((java.util.Map<?, ?>) result.get("names"))
                .extracting("parseAdsPerSecond", "loopPairsPerSecond", "pairsPerSecond")
                .allMatch(rate -> (Long) rate > 0);
    }

    @Test
    void anAdThatCannotBeReadIsBadInput() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad"), "Name = \n");
        var texts = ClassAdBench.texts(bad);

        assertThatThrownBy(() -> new ClassAdBench(0.001, 1000).measured(texts, texts))
                .isInstanceOfSatisfying(
                        ExitCodeException.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(ExitCodeException.BAD_INPUT));
    }
}
