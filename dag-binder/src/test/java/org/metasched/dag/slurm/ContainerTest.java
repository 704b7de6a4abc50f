package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.dag.run.RunOptions;

/** Jobs in containers, by a stand-in of apptainer that keeps its words and runs the program here. */
class ContainerTest {

    @TempDir
    private Path home;

    private Path top;

    @BeforeEach
    void aStandIn() throws IOException {
        top = Files.createDirectory(home.resolve("top"));
        program(Files.createDirectory(home.resolve("bin")).resolve("apptainer"), """
                echo "$@" >> %1$s/words
                verb=$1
                shift
                [ "$1" = --bind ] && shift 2
                [ "$1" = --pwd ] && cd "$2" && shift 2
                shift
                [ "$verb" = run ] || exec "$@"
                """.formatted(home));
        program(top.resolve("run.sh"), "cat data \"$1\" > result\necho \"$COLOUR\" >> result\n");
        Files.writeString(top.resolve("data"), "alpha\n");
        Files.writeString(top.resolve("image.sif"), "");
        Files.writeString(home.resolve("far"), "beta\n");
        Files.createSymbolicLink(top.resolve("linked"), home.resolve("far"));
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private DagmanPlan plan(String description, boolean hasContainers) throws Exception {
        Files.writeString(
                top.resolve("a.sub"),
                description + "\nenvironment = \"COLOUR=red PATH=" + home.resolve("bin") + ":/usr/bin:/bin\"\nqueue\n");
        Path dag = Files.writeString(top.resolve("x.dag"), "JOB A a.sub\n");
        return DagmanPlan.of(
                dag,
                Map.of("PATH", "/usr/bin:/bin"),
                new DagmanPlan.Demands(Set.of(), Optional.empty(), hasContainers),
                Instant.EPOCH);
    }

    private String words(String description) throws Exception {
        var run = new DagmanRun(
                plan(description, true),
                new LocalSlurm(),
                LocalSlurm.COMMANDS,
                Optional.empty(),
                RunOptions.DEFAULT,
                Clock.systemUTC());
        assertThat(run.toTheEnd(Duration.ofMillis(1)).exit()).isZero();
        return Files.readString(home.resolve("words")).strip().replace(home.toString(), "@");
    }

    @Test
    void aProgramRunsInTheImageWithItsDirectoryItsInputsAndItsEnvironment() throws Exception {
        String words = words("universe = container\ncontainer_image = image.sif\nexecutable = run.sh\n"
                + "transfer_input_files = data, linked\narguments = linked\nshould_transfer_files = YES");

        assertThat(words).isEqualTo("exec --bind @,@/top --pwd @/top @/top/image.sif @/top/run.sh linked");
        assertThat(top.resolve("result")).hasContent("alpha\nbeta\nred\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            universe = docker~docker_image = debian:12~executable = /bin/true                    | exec --bind @/top --pwd @/top docker://debian:12 /bin/true
            container_image = docker://debian:12~executable = /bin/true~arguments = a 'b'        | exec --bind @/top --pwd @/top docker://debian:12 /bin/true a 'b'
            container_image = /cvmfs/images/x.sif~executable = /bin/true                         | exec --bind @/top --pwd @/top /cvmfs/images/x.sif /bin/true
            container_image = docker://hello                                                     | run --bind @/top --pwd @/top docker://hello
            """)
    void imagesAreNamedAsInTheDescription(String description, String expected) throws Exception {
        String words = words(description.replace('~', '\n') + "\nshould_transfer_files = YES");

        // An executable of the image may lie on this machine too.
        assertThat(words.replaceFirst("--bind \\S*,", "--bind ").replaceFirst("--bind /usr/bin", "--bind @/top"))
                .isEqualTo(expected);
    }

    /** Slurm has no machine's ad to fill it in, and apptainer would look for a file of that name. */
    @ParameterizedTest
    @CsvSource({"container_image = $$(Image), ContainerImage", "docker_image = $$(Image:debian), DockerImage"})
    void anImageThatAsksForAMachinesAttributeIsRefused(String command, String attribute) {
        assertThatThrownBy(() -> plan("executable = /bin/true\n" + command + "\nshould_transfer_files = YES", true))
                .isInstanceOfSatisfying(
                        UnsupportedFeaturesException.class,
                        refused -> assertThat(refused.problems().get(0).message())
                                .contains("The value of " + attribute + " still asks for a machine's attribute"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", "a,b"})
    void aDirectoryThatApptainerWouldSplitIsRefused(String name) throws Exception {
        Files.createDirectory(top.resolve(name));

        assertThatThrownBy(() -> plan(
                        "executable = run.sh\ncontainer_image = docker://debian\ninitialdir = " + name
                                + "\nshould_transfer_files = YES",
                        true))
                .isInstanceOf(UnsupportedFeaturesException.class)
                .hasMessageContaining("cannot bind the directory (" + top.resolve(name) + ") of node A");
    }

    @ParameterizedTest
    @CsvSource({"container_image = image.sif, container_image", "docker_image = debian, docker_image"})
    void withoutApptainerItIsRefusedByItsName(String command, String name) {
        assertThatThrownBy(() -> plan("executable = run.sh\n" + command + "\nshould_transfer_files = YES", false))
                .isInstanceOfSatisfying(UnsupportedFeaturesException.class, refused -> {
                    assertThat(refused.problems().get(0).command()).isEqualTo(name);
                    assertThat(refused.problems().get(0).line()).isEqualTo(2);
                    assertThat(refused.problems().get(0).message()).contains("HasApptainer");
                });
    }
}
