package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.dag.DagProblem;

class SlurmRefusalTest {

    @TempDir
    Path top;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SUBDAG EXTERNAL S inner.dag       | SUBDAG
            FINAL F node.sub                  | FINAL
            PROVISIONER P node.sub            | PROVISIONER
            SERVICE V node.sub                | SERVICE
            ABORT-DAG-ON A 3 RETURN 1         | ABORT-DAG-ON
            SCRIPT HOLD A hold.sh             | SCRIPT HOLD
            SCRIPT DEFER 4 60 PRE A pre.sh    | SCRIPT DEFER
            SCRIPT POST A post.sh $EXIT_CODES | SCRIPT
            TOLERANCE A 1                     | TOLERANCE
            WEAK PARENT A CHILD B             | WEAK
            MAXJOBS big 3                     | MAXJOBS
            PRIORITY A 5                      | PRIORITY
            """)
    void aCommandOfTheDagIsRefusedByItsNameAndPlace(String command, String name) throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue\n");
        String text = "JOB A node.sub\nJOB B node.sub\nCATEGORY A big\n" + command + "\n";

        DagProblem problem = refusal(text, Set.of());

        assertThat(problem.command()).isEqualTo(name);
        assertThat(problem.line()).isEqualTo(4);
        assertThat(problem.file()).endsWith("d.dag");
        assertThat(top.resolve(RunFolder.NAME)).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            universe = java                       | universe
            hold = true                           | hold
            max_retries = 3                       | max_retries
            on_exit_remove = ExitCode == 0        | on_exit_remove
            Requirements = Memory > 5             | requirements
            periodic_hold = NumJobStarts > 3      | periodic_hold
            transfer_input_files = here, ../data  | transfer_input_files
            transfer_output_remaps = "a=b"        | transfer_output_remaps
            request_cpus = Cpus / 2               | request_cpus
            docker_image = debian                 | docker_image
            """)
    void aCommandOfTheSubmitDescriptionIsRefusedByItsNameAndPlace(String command, String name) throws Exception {
        Files.writeString(
                top.resolve("node.sub"),
                "executable = /bin/true\narguments = main\nshould_transfer_files = YES\n" + command + "\nqueue\n");

        DagProblem problem = refusal("JOB A node.sub\n", Set.of());

        assertThat(problem.command()).isEqualTo(name);
        assertThat(problem.file()).isEqualTo("node.sub");
        assertThat(problem.line()).isEqualTo(4);
    }

    @Test
    void whatChangesNoResultCanBeDoneWithout() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nrequirements = true\nqueue\n");
        Path dag = Files.writeString(top.resolve("d.dag"), "JOB A node.sub\nPRIORITY A 5\n");

        SlurmPlan plan = SlurmPlan.of(dag, Map.of(), Set.of("Requirements", "PRIORITY"), Instant.EPOCH);

        assertThat(plan.warnings()).hasSize(2).anyMatch(warning -> warning.contains("node.sub:2: requirements"));
    }

    @Test
    void whatChangesAResultCannot() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue\n");

        assertThat(refusal("JOB A node.sub\nFINAL F node.sub\n", Set.of("FINAL"))
                        .command())
                .isEqualTo("FINAL");
    }

    @Test
    void aDescriptionThatChangesFromTryToTryIsRefused() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\narguments = $(RETRY)\nqueue\n");

        assertThat(refusal("JOB A node.sub\nRETRY A 2\n", Set.of()).command()).isEqualTo("RETRY");
    }

    @Test
    void lineBreaksAreNotWrittenIntoScripts() {
        assertThatThrownBy(() -> ShellText.quote("a\nrm -rf /"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a\\u000arm -rf /");
    }

    @Test
    void aCommandWithoutSbatchIsNone() {
        assertThatThrownBy(() -> SlurmCommands.of(java.util.List.of("qsub")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(qsub)");
    }

    private DagProblem refusal(String text, Set<String> without) throws IOException {
        Path dag = Files.writeString(top.resolve("d.dag"), text);
        var refused = catchThrowableOfType(
                UnsupportedBySlurmException.class, () -> SlurmPlan.of(dag, Map.of(), without, Instant.EPOCH));
        assertThat(refused).isNotNull();
        return refused.problems().get(0);
    }
}
