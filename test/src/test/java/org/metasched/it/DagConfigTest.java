package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.CliProcess.Ended;

/** Settings of condor_dagman that a user gives to {@code dag run --config}. */
class DagConfigTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void aBoundDagWhosePreScriptFails() throws Exception {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        SlurmStandIn.install(bin);
        SlurmStandIn.script(folder.resolve("pre.sh"), "exit 3\n");
        SlurmStandIn.script(folder.resolve("post.sh"), "echo \"$1\" > post\n");
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        Files.writeString(
                folder.resolve("d.dag"),
                "JOB A a.sub\nSCRIPT PRE A pre.sh\nSCRIPT POST A post.sh $PRE_SCRIPT_RETURN\n");
        Files.writeString(folder.resolve("s.ads"), "Name = \"oak\"\nRequirements = true\n");
        Ended bound = cli("dag bind @/d.dag --sites @/s.ads --ledger @/ledger --out @/bound");
        assertThat(bound.exit()).as(bound.err()).isZero();
    }

    /** @param line {@code @} in it is the folder */
    private Ended cli(String line) {
        return CliProcess.here(line.replace("@", folder.toString()).split(" "));
    }

    private Ended run(String settings, String more) throws Exception {
        Files.writeString(folder.resolve("dagman.config"), settings);
        return cli("dag run @/bound --sbatch @/bin/sbatch --poll 1 --config @/dagman.config" + more);
    }

    private void assertNothingRan() throws Exception {
        assertThat(folder.resolve("bin/count")).as("submissions").doesNotExist();
        assertThat(folder.resolve("bound/post")).doesNotExist();
        try (Stream<Path> files = Files.list(folder.resolve("bound"))) {
            assertThat(files).noneMatch(file -> file.toString().contains("rescue"));
        }
    }

    @Test
    void settingsOfTheFileCount() throws Exception {
        Ended without = run("# nothing", " --follow");
        assertThat(without.exit()).as(without.err()).isEqualTo(1);
        assertThat(folder.resolve("bound/post")).doesNotExist();

        Ended with = run("# as the site's admin likes it\n\ndagman_always_run_post = \\\n  TRUE\n", " --follow");

        assertThat(with.exit()).as(with.err()).isZero();
        assertThat(folder.resolve("bound/post")).hasContent("3");
    }

    @Test
    void anUnknownSettingIsNamed() throws Exception {
        Ended planned = run("DAGMAN_MAX_JOB_IDLE = 5\nDAGMAN_VERBOSITY = 4\n", " --follow --dry-run");

        assertThat(planned.exit()).as(planned.err()).isZero();
        assertThat(planned.err()).contains("Without effect on Slurm", "DAGMAN_MAX_JOB_IDLE", "DAGMAN_VERBOSITY");
        assertNothingRan();
    }

    @Test
    void whatCannotBeMeantIsRefusedWithItsLineBeforeAnythingIsSubmitted() throws Exception {
        Ended refused = run("""
                DAGMAN_MAX_JOBS_IDLE = 5
                DAGMAN_MAX_JOBS_SUBMITTED = many
                DAGMAN_ALWAYS_RUN_POST = perhaps
                DAGMAN_AUTO_RESCUE = false
                post always
                """, " --follow");

        assertThat(refused.exit()).isEqualTo(2);
        String file = folder.resolve("dagman.config") + ":";
        assertThat(refused.err())
                .contains(file + "2: DAGMAN_MAX_JOBS_SUBMITTED: Its value (many) must be a number")
                .contains(file + "3: DAGMAN_ALWAYS_RUN_POST: Its value (perhaps) must be a truth value")
                .contains(file + "4: DAGMAN_AUTO_RESCUE", "--without dagman_auto_rescue")
                .contains(file + "5: CONFIG: Only NAME = VALUE is read, not (post always)")
                .contains("Nothing has been submitted")
                .doesNotContain(file + "1");
        assertNothingRan();
        assertThat(run("DAGMAN_AUTO_RESCUE = false\n", " --follow --dry-run --without dagman_auto_rescue")
                        .exit())
                .isZero();
    }

    @Test
    void aFileThatIsNotThereIsNamed() throws Exception {
        Ended refused = cli("dag run @/bound --sbatch @/bin/sbatch --follow --config @/none.config");

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains(folder.resolve("none.config") + ": there is no such file");
        assertNothingRan();
    }

    @Test
    void theRunnersJobReadsTheSameFile() throws Exception {
        Path here = Path.of("").toAbsolutePath();
        Files.writeString(folder.resolve("x.config"), "DAGMAN_MAX_JOBS_IDLE = 5\n");
        String relative =
                here.relativize(folder.resolve("x.config").toAbsolutePath()).toString();

        // No job runs there.
        Files.createFile(folder.resolve("bin/stuck"));
        Files.createFile(folder.resolve("bin/full"));

        Ended submitted = cli("dag run @/bound --sbatch @/bin/sbatch --launcher /bin/true --config " + relative);

        assertThat(submitted.exit()).as(submitted.err()).isZero();
        assertThat(folder.resolve("bound/.metasched-slurm/runner.sh"))
                .content()
                .contains("--config=" + folder.toAbsolutePath().normalize().resolve("x.config"));
    }
}
