package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.dag.DagProblem;

class UnsupportedFeaturesTest {

    private static final Map<String, String> DAG_COMMANDS = Stream.of("""
            ABORT-DAG-ON A 1 RETURN 2           | done
            CATEGORY A c                        | done
            CONFIG x                            | done
            DONE A                              | done
            DOT x.dot                           | warned
            ENV SET a=b                         | done
            FINAL F node.sub                    | done
            INCLUDE inner.dag                   | done
            JOB X node.sub                      | done
            JOBSTATE_LOG x                      | done
            MAXJOBS c 1                         | done
            NODE_STATUS_FILE x                  | done
            PARENT A CHILD B                    | done
            PRE_SKIP A 1                        | done
            PRIORITY A 1                        | done
            PROVISIONER P node.sub              | done
            REJECT                              | refused
            RETRY A 1                           | done
            SAVE_POINT_FILE A                   | refused
            SCRIPT PRE A true                   | done
            SERVICE S node.sub                  | done
            SET_JOB_ATTR a = 1                  | warned
            SPLICE S inner.dag                  | done
            SUBDAG EXTERNAL D inner.dag         | done
            SUBMIT-DESCRIPTION d {~queue~}      | done
            TOLERANCE A 1                       | done
            VARS A x="1"                        | done
            """.split("\n"))
            .map(line -> line.split("\\|"))
            .collect(Collectors.toMap(words -> words[0].strip().replace('~', '\n'), words -> words[1].strip()));

    @TempDir
    Path top;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SCRIPT HOLD A hold.sh             | SCRIPT HOLD
            CONFIG dagman.config              | CONFIG
            SAVE_POINT_FILE A                 | SAVE_POINT_FILE
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
            transfer_input_files = here, osdf://a/b | transfer_input_files
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
    void aCommandIsRefusedHoweverDeepItIsIncluded() throws Exception {
        for (int i = 0; i < 20; i++) {
            Files.writeString(top.resolve("i" + i), "include : i" + (i + 1) + "\n");
        }
        Files.writeString(top.resolve("i20"), "max_retries = 3\n");
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\ninclude : i0\nqueue\n");

        assertThat(refusal("JOB A node.sub\n", Set.of()).toString()).startsWith("i20:1: max_retries");
    }

    @Test
    void aCommandOfAFileWhoseNameHasMacrosIsRefused() throws Exception {
        Files.createDirectory(top.resolve("common"));
        Files.writeString(top.resolve("common/all.sub"), "\nmax_retries = 3\n");
        Files.writeString(
                top.resolve("node.sub"), "executable = /bin/true\nD = common\ninclude : $(D)/all.sub\nqueue\n");

        assertThat(refusal("JOB A node.sub\n", Set.of()).toString()).startsWith("common/all.sub:2: max_retries");
    }

    @Test
    void aCommandThatAQueueStatementSetsIsRefused() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue max_retries in (1)\n");

        assertThat(refusal("JOB A node.sub\n", Set.of()).toString()).contains("d.dag:1: max_retries");
    }

    @Test
    void aCommandBehindAConditionThatIsFalseIsNotUsed() throws Exception {
        Files.writeString(
                top.resolve("node.sub"), "executable = /bin/true\nif version < 9.0\n  max_retries = 3\nendif\nqueue\n");
        Path dag = Files.writeString(top.resolve("d.dag"), "JOB A node.sub\n");

        assertThat(DagmanPlan.of(dag, Map.of(), DagmanPlan.Demands.NONE, Instant.EPOCH)
                        .warnings())
                .isEmpty();
    }

    @Test
    void whatChangesNoResultCanBeDoneWithout() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nrequirements = true\nqueue\n");
        Path dag = Files.writeString(top.resolve("d.dag"), "JOB A node.sub\nSAVE_POINT_FILE A\n");

        DagmanPlan plan = DagmanPlan.of(
                dag,
                Map.of(),
                new DagmanPlan.Demands(Set.of("Requirements", "save-point-file"), Optional.empty(), false),
                Instant.EPOCH);

        assertThat(plan.warnings()).hasSize(2).anyMatch(warning -> warning.contains("node.sub:2: requirements"));
    }

    @Test
    void whatChangesAResultCannot() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue\n");

        assertThat(refusal("JOB A node.sub\nSCRIPT HOLD A hold.sh\n", Set.of("SCRIPT HOLD"))
                        .command())
                .isEqualTo("SCRIPT HOLD");
    }

    @Test
    void aDescriptionThatMakesAnotherNumberOfJobsAtEachTryIsRefused() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue 2$(RETRY)\n");

        assertThat(refusal("JOB A node.sub\nRETRY A 2\n", Set.of()).command()).isEqualTo("RETRY");
    }

    /** commands.txt has the names of the two manuals, and of the settings of condor_dagman. */
    private static List<String> names(String wanted) throws Exception {
        String section = "";
        List<String> names = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(
                UnsupportedFeaturesTest.class.getResource("commands.txt").toURI()))) {
            if (line.startsWith("#")) {
                section = line;
            } else if (section.equals("# [" + wanted + "]")) {
                names.add(line);
            }
        }
        return names;
    }

    @Test
    void noSubmitCommandOfTheManualIsIgnoredInSilence() throws Exception {
        List<String> silent = new ArrayList<>();
        for (String line : names("submit")) {
            String name = line.replaceAll("<[^>]*>", "x").replaceAll("_$", "_x");
            var entry = SubmitCommandTable.find(SubmitCommandTable.plain(name));
            if (entry.isEmpty() || entry.get().kind() != SubmitCommandTable.Kind.SUPPORTED && isSilent(name)) {
                silent.add(line);
            }
        }
        assertThat(silent).isEmpty();
        assertThat(names("submit")).hasSize(227);
    }

    /** What is done, the cases of running DAGs show. */
    @Test
    void noDagCommandOfTheManualIsIgnoredInSilence() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue\n");
        Files.writeString(top.resolve("inner.dag"), "JOB I node.sub\n");
        Files.writeString(top.resolve("x"), "");
        assertThat(DAG_COMMANDS.keySet().stream().map(line -> line.replaceAll("(?s)\\s.*", "")))
                .containsExactlyInAnyOrderElementsOf(names("dag").stream()
                        .map(name -> name.replaceAll("/.*", ""))
                        .toList());
        for (var command : DAG_COMMANDS.entrySet()) {
            assertThat(treatment(command.getKey())).as(command.getKey()).isEqualTo(command.getValue());
        }
        assertThat(names("dag")).hasSize(27);
    }

    private String treatment(String command) throws IOException {
        Path dag = Files.writeString(top.resolve("d.dag"), "JOB A node.sub\nJOB B node.sub\n" + command + "\n");
        try {
            return DagmanPlan.of(dag, Map.of(), DagmanPlan.Demands.NONE, Instant.EPOCH)
                            .warnings()
                            .isEmpty()
                    ? "done"
                    : "warned";
        } catch (UnsupportedFeaturesException e) {
            assertThat(e.getMessage() + e.problems()).contains(command.replaceAll("(?s)\\s.*", ""));
            return "refused";
        }
    }

    /** They come by a file that CONFIG names. */
    @Test
    void noSettingOfCondorsDagmanIsIgnoredInSilence() throws Exception {
        for (String name : names("dagman-knobs")) {
            Files.writeString(top.resolve("x"), name + " = odd\n");
            String said;
            try {
                Path dag = Files.writeString(top.resolve("d.dag"), "CONFIG x\n");
                said = DagmanPlan.of(dag, Map.of(), DagmanPlan.Demands.NONE, Instant.EPOCH)
                        .warnings()
                        .toString();
            } catch (UnsupportedFeaturesException e) {
                said = e.problems().get(0).command();
            }
            assertThat(said).contains(name);
        }
        assertThat(names("dagman-knobs")).hasSize(65);
    }

    private boolean isSilent(String name) throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\n" + name + " = 1\nqueue\n");
        Path dag = Files.writeString(top.resolve("d.dag"), "JOB A node.sub\n");
        try {
            return DagmanPlan.of(dag, Map.of(), DagmanPlan.Demands.NONE, Instant.EPOCH)
                    .warnings()
                    .isEmpty();
        } catch (UnsupportedFeaturesException e) {
            return false;
        }
    }

    @Test
    void commandsOfTheDagWithoutEffectAreWarnedOf() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue\n");
        Path dag = Files.writeString(
                top.resolve("d.dag"), "JOB A node.sub\nDOT x.dot\nSET_JOB_ATTR a = 1\nSCRIPT DEBUG x ALL PRE A true\n");

        assertThat(DagmanPlan.of(dag, Map.of(), DagmanPlan.Demands.NONE, Instant.EPOCH)
                        .warnings())
                .containsExactly("Without effect on Slurm: DOT, SCRIPT DEBUG, SET_JOB_ATTR.");
    }

    @Test
    void lineBreaksAreNotWrittenIntoScripts() {
        assertThatThrownBy(() -> ShellText.quote("a\nrm -rf /"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a\\u000arm -rf /");
    }

    @Test
    void aLineBreakInAnArgumentIsRefusedBeforeAnythingRuns() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\narguments = \"a\u0001b\"\nqueue\n");

        assertThat(refusal("JOB A node.sub\n", Set.of()).message()).contains("a\\u0001b");
    }

    @Test
    void aRescueFileOfAnotherDagIsRefused() throws Exception {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue\n");
        Files.writeString(top.resolve("d.dag.rescue001"), "DONE X\n");
        Path dag = Files.writeString(top.resolve("d.dag"), "JOB A node.sub\n");

        assertThatThrownBy(() -> DagmanPlan.of(dag, Map.of(), DagmanPlan.Demands.NONE, Instant.EPOCH))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("(X)");
    }

    @Test
    void aCommandWithoutSbatchIsNone() {
        assertThatThrownBy(() -> DagSlurmCommands.of(java.util.List.of("qsub")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(qsub)");
    }

    private DagProblem refusal(String text, Set<String> without) throws IOException {
        Path dag = Files.writeString(top.resolve("d.dag"), text);
        var refused = catchThrowableOfType(
                UnsupportedFeaturesException.class,
                () -> DagmanPlan.of(
                        dag, Map.of(), new DagmanPlan.Demands(without, Optional.empty(), false), Instant.EPOCH));
        assertThat(refused).isNotNull();
        return refused.problems().get(0);
    }
}
