package org.metasched.adapter.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Period;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.slurm.SlurmOutput.JobLine;
import org.metasched.adapter.slurm.SlurmOutput.NodeLine;

/** The readers against output that was captured from Slurm 22.05.8, whole and damaged. */
class SlurmOutputTest {

    private static final int ROUNDS = Integer.getInteger("metasched.fuzz", 2_000);

    static String captured(String name) {
        try (var stream = SlurmOutputTest.class.getResourceAsStream("/captured/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    @Test
    void readsNodesWithTheirCoresFeaturesAndStates() {
        List<NodeLine> nodes = SlurmOutput.nodes(captured("sinfo.txt")).rows();

        assertThat(nodes).hasSize(8);
        assertThat(nodes.get(0).node().name()).isEqualTo("s1");
        assertThat(nodes.get(0).node().cores()).isEqualTo(4);
        assertThat(nodes.get(0).node().properties()).containsExactly("fast");
        assertThat(nodes)
                .filteredOn(node -> !node.usable())
                .extracting(node -> node.node().name())
                .containsExactly("s7", "s8");
    }

    @Test
    void readsJobsWithTheirLimitAndNodes() {
        List<JobLine> jobs = SlurmOutput.jobs(captured("squeue.txt")).rows();

        assertThat(jobs).hasSize(2);
        assertThat(jobs.get(1).nodes()).containsExactly("s1", "s2");
        assertThat(jobs.get(1).end()).isPresent();
        assertThat(jobs.get(0).waits()).isTrue();
        assertThat(jobs.get(0).nodes()).isEmpty();
    }

    @Test
    void readsReservationsOfAllShapes() {
        List<SlurmReservations.SlurmReservation> all =
                SlurmReservations.read(captured("reservations.txt")).readable();

        assertThat(all).extracting(SlurmReservations.SlurmReservation::name).containsExactly("metasched-k1", "nightly");
        assertThat(all.get(0).nodes()).hasSize(3);
        assertThat(all.get(0).features()).containsExactly("fast");
        assertThat(all.get(0).users()).isEqualTo("gridalice");
        assertThat(all.get(0).active()).isFalse();
        assertThat(Duration.between(all.get(0).start(), all.get(0).end())).isEqualTo(Duration.ofSeconds(1799));
        assertThat(all.get(1).period()).contains(Period.ofDays(1));
        assertThat(SlurmReservations.read("No reservations in the system\n").readable())
                .isEmpty();
    }

    /** Watts= is gone, and cores come with a list of nodes of their own. */
    @Test
    void readsWhatSlurm2411Prints() {
        var reservations = SlurmReservations.read(captured("24.11/reservations.txt"));

        assertThat(reservations.odd()).isEmpty();
        assertThat(reservations.readable())
                .extracting(line -> line.name() + " " + line.nodes() + " " + line.floating())
                .containsExactly("x-plain [s1, s2, s3] false", "x-cores [s4] false", "x-float [s1] true");
        assertThat(SlurmOutput.nodes(captured("24.11/sinfo.txt")).rows())
                .hasSize(8)
                .allMatch(NodeLine::usable);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n", "sinfo: error: Unable to contact\n", "NODELIST|STATE\ns1|idle\n", "{\"nodes\": []}\n"})
    void takesNothingElseForATable(String output) {
        assertThatThrownBy(() -> SlurmOutput.nodes(output)).isInstanceOf(OutputFormatException.class);
        assertThatThrownBy(() -> SlurmOutput.jobs(output)).isInstanceOf(OutputFormatException.class);
        assertThatThrownBy(() -> SlurmReservations.read(output)).isInstanceOf(OutputFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Nodes=s[1-",
                "NodeCnt=many",
                "StartTime=2026-11-21T10:00:00",
                "EndTime=1",
                "State=",
                "Duration=",
                "Users=\u009b"
            })
    void anOddReservationIsNamedAndHidesNoOther(String instead) {
        String whole = captured("reservations.txt");
        String line = whole.lines().findFirst().orElseThrow() + "\n";
        String key = instead.substring(0, instead.indexOf('='));
        String broken = line.replaceFirst(" " + key + "=\\S*", " " + (instead.endsWith("=") ? "" : instead));
        if (instead.endsWith("\u009b")) {
            assertThatThrownBy(() -> SlurmReservations.read(broken)).isInstanceOf(OutputFormatException.class);
            return;
        }

        var read = SlurmReservations.read(whole.replace(line, broken));

        assertThat(read.readable())
                .extracting(SlurmReservations.SlurmReservation::name)
                .containsExactly("nightly");
        assertThat(read.odd()).hasSize(1);
        assertThat(read.odd().get(0).name()).isEqualTo("metasched-k1");
        assertThat(read.odd().get(0).why()).contains("metasched-k1", "is odd");
        assertThat(read.odd().get(0).nodes()).hasSize(key.equals("Nodes") ? 0 : 3);
    }

    @Test
    void anOddRowHidesNoOther() {
        var nodes = SlurmOutput.nodes(captured("sinfo.txt") + "s9|idle|four|(null)\n");
        var jobs = SlurmOutput.jobs(captured("squeue.txt") + "17|RUNNING|soon|s1\n");

        assertThat(nodes.rows()).hasSize(8);
        assertThat(nodes.odd()).singleElement(STRING).contains("CPUS", "four");
        assertThat(jobs.rows()).hasSize(2);
        assertThat(jobs.odd()).singleElement(STRING).contains("END_TIME", "soon");
    }

    @Test
    void aJobThatEndsInTheNextCenturyHoldsItsNodes() {
        var jobs = SlurmOutput.jobs("JOBID|STATE|END_TIME|NODELIST\n17|RUNNING|4949999999|s[1-2]\n");

        assertThat(jobs.odd()).isEmpty();
        assertThat(jobs.rows()).singleElement().satisfies(job -> {
            assertThat(job.end()).isEmpty();
            assertThat(job.nodes()).containsExactly("s1", "s2");
        });
    }

    @Test
    void seesACutAnywhereButBetweenTwoLines() {
        cutEverywhere(captured("sinfo.txt"), SlurmOutputTest::nodes);
        cutEverywhere(captured("squeue.txt"), SlurmOutputTest::jobs);
        cutEverywhere(captured("reservations.txt"), SlurmOutputTest::lines);
    }

    private static List<?> nodes(String output) {
        return SlurmOutput.nodes(output).rows();
    }

    private static List<?> jobs(String output) {
        return SlurmOutput.jobs(output).rows();
    }

    private static List<?> lines(String output) {
        return SlurmReservations.read(output).readable();
    }

    private static void cutEverywhere(String whole, Function<String, List<?>> reader) {
        List<?> all = reader.apply(whole);
        for (int length = 0; length < whole.length(); length++) {
            String cut = whole.substring(0, length);
            try {
                List<?> some = reader.apply(cut);
                assertThat(cut).endsWith("\n");
                assertThat(some).isEqualTo(all.subList(0, some.size()));
            } catch (OutputFormatException refused) {
                assertThat(refused).hasMessageNotContaining("\n");
            }
        }
    }

    @Test
    void refusesControlCharactersWhereverTheyAre() {
        for (String file : List.of("sinfo.txt", "squeue.txt", "reservations.txt")) {
            String whole = captured(file);
            var random = new Random(7);
            for (int round = 0; round < 200; round++) {
                int at = 1 + random.nextInt(whole.length() - 2);
                String hostile = whole.substring(0, at) + "\u001b[2K" + whole.substring(at);
                assertThatThrownBy(() -> {
                            SlurmOutput.nodes(hostile);
                        })
                        .isInstanceOf(OutputFormatException.class);
                assertThatThrownBy(() -> {
                            SlurmReservations.read(hostile);
                        })
                        .isInstanceOf(OutputFormatException.class);
            }
        }
    }

    @Test
    void throwsNothingElseAndChangesNoOtherLineOnRandomDamage() {
        long seed = 20261121;
        damage(captured("sinfo.txt"), SlurmOutputTest::nodes, seed);
        damage(captured("squeue.txt"), SlurmOutputTest::jobs, seed);
        damage(captured("reservations.txt"), SlurmOutputTest::lines, seed);
    }

    private static void damage(String whole, Function<String, List<?>> reader, long seed) {
        List<?> all = reader.apply(whole);
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            var damaged = new StringBuilder(whole);
            int at = random.nextInt(whole.length());
            int before = (int) whole.substring(0, at).lines().count();
            switch (random.nextInt(3)) {
                case 0 -> damaged.setCharAt(at, (char) (32 + random.nextInt(95)));
                case 1 -> damaged.deleteCharAt(at);
                default -> damaged.insert(at, (char) random.nextInt(0x300));
            }
            try {
                List<?> some = reader.apply(damaged.toString());
                long changed = some.stream().filter(row -> !all.contains(row)).count();
                assertThat(changed)
                        .as("seed %d, round %d, line %d", seed, round, before)
                        .isLessThanOrEqualTo(2);
            } catch (OutputFormatException refused) {
                assertThat(refused.getMessage()).hasSizeLessThan(600);
            }
        }
    }

    @Test
    void readsTheReferenceCaptures() throws IOException {
        Path folder = Path.of(System.getProperty("metasched.shared", ""), "schedulers", "fixtures", "slurm");
        assumeTrue(Files.isDirectory(folder), "no reference captures beside this checkout");
        int read = 0;
        for (String name :
                List.of("res-show-all.txt", "res-create-toomany-show.txt", "res-create-toomany-empty-show.txt")) {
            Path file = folder.resolve(name);
            if (Files.exists(file) && Files.readString(file).matches("(?s).*StartTime=\\d{4}-.*")) {
                // captured without SLURM_TIME_FORMAT: local times are refused, not guessed at
                assertThat(SlurmReservations.read(Files.readString(file)).readable())
                        .isEmpty();
                read++;
            }
        }
        assertThat(SlurmReservations.saysNotFound(Files.readString(folder.resolve("res-show-unknown.txt")), "nope"))
                .isTrue();
        assertThat(read).isPositive();
    }
}
