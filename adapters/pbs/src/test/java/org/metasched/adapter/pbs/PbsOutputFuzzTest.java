package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.RecordStream;
import org.metasched.adapter.command.SiteClock;

/** Damaged output is refused, or says what the whole output said: never something else that looks right. */
class PbsOutputFuzzTest {

    private static final int ROUNDS = Integer.getInteger("metasched.fuzz", 3_000);

    private static final String RESERVATIONS = """
            Resv ID: R12.pbs
            Reserve_Name = mss_1
            reserve_state = RESV_CONFIRMED
            reserve_start = Sat Nov 21 08:31:57 2026
            reserve_end = Sat Nov 21 09:01:57 2026
            Resource_List.select = 3:ncpus=4
            Resource_List.place = scatter
            resv_nodes = (n0:ncpus=4)+(n1:ncpus=4)+(n2:ncpus=4)
            server = pbs

            Resv ID: R13.pbs
            Reserve_Name = -U root -E
            reserve_state = RESV_UNCONFIRMED
            reserve_start = Sat Nov  7 09:31:57 2026
            reserve_end = Sat Nov  7 10:01:57 2026
            server = pbs

            """;

    private static final String JOBS = """
            {"timestamp": 1, "pbs_version": "23", "Jobs": {
              "7.pbs": {"Job_Name": "$(rm -rf /) -N x", "job_state": "R", "stime": "Sat Nov 21 08:10:31 2026",
                 "exec_vnode": "(n0:ncpus=4)+(n1:ncpus=2:mem=1gb)", "Resource_List": {"walltime": "240:10:00"},
                 "Variable_List": {"X": "line\\n    job_state = Q", "Y": 007}}}}
            """;

    private static final String NODES = """
            n0
                 state = free
                 jobs = 7.pbs/0, 7.pbs/1
                 resources_available.host = n0
                 resources_available.ncpus = 4

            n1
                 state = offline,job-busy
                 resources_available.host = n1
                 resources_available.ncpus = 4

            """;

    private final PbsOutput output = new PbsOutput(new SiteClock(ZoneOffset.UTC));

    private List<PbsJob> jobsFromJson(String text) {
        var stream =
                new RecordStream(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), Integer.MAX_VALUE, 0);
        try {
            return PbsJson.read(stream, "Jobs", PbsJob.KEYS::contains, fields -> PbsJob.of(fields, output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aCutOutputIsNeverHalfUnderstood() {
        for (int length = 1; length < JOBS.strip().length(); length++) {
            String cut = JOBS.substring(0, length);
            assertThatThrownBy(() -> jobsFromJson(cut)).isInstanceOf(OutputFormatException.class);
        }
        cutAtEveryPlace(RESERVATIONS, output::reservations, 2);
        cutAtEveryPlace(NODES, output::nodesFromText, 2);
    }

    /** A cut between two blocks cannot be seen; every other one is. */
    private static void cutAtEveryPlace(String whole, Function<String, List<?>> reader, int blocks) {
        List<?> all = reader.apply(whole);
        assertThat(all).hasSize(blocks);
        for (int length = 1; length < whole.length(); length++) {
            String cut = whole.substring(0, length);
            try {
                assertThat(reader.apply(cut)).as("cut at %d", length).isEqualTo(all.subList(0, 1));
                assertThat(cut).endsWith("\n\n");
            } catch (OutputFormatException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }

    @Test
    void damageThrowsNothingButAFormatException() {
        long seed = Long.getLong("metasched.seed", 20261121L);
        var random = new Random(seed);
        int understood = 0;
        for (int round = 0; round < ROUNDS; round++) {
            understood += survives(damaged(RESERVATIONS, random), output::reservations);
            understood += survives(damaged(JOBS, random), this::jobsFromJson);
            understood += survives(damaged(NODES, random), output::nodesFromText);
            understood += survives(damaged("R12.pbs CONFIRMED\n", random), output::submitted);
        }
        assertThat(understood).as("seed %d", seed).isLessThan(4 * ROUNDS);
    }

    private static int survives(String text, Function<String, Object> reader) {
        try {
            assertThat(reader.apply(text)).isNotNull();
            return 1;
        } catch (OutputFormatException refused) {
            assertThat(refused).message().hasSizeLessThan(2_000);
            return 0;
        }
    }

    private static String damaged(String text, Random random) {
        var damaged = new StringBuilder(text);
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            int at = random.nextInt(damaged.length());
            switch (random.nextInt(5)) {
                case 0 -> damaged.setCharAt(at, (char) random.nextInt(256));
                case 1 -> damaged.insert(at, "\u0000\u001b[2J\u202e".charAt(random.nextInt(6)));
                case 2 -> damaged.delete(at, Math.min(damaged.length() - 1, at + random.nextInt(20)));
                case 3 ->
                    damaged.insert(at, damaged.substring(at, Math.min(damaged.length(), at + random.nextInt(60))));
                default -> damaged.insert(at, "9".repeat(random.nextInt(40)));
            }
        }
        return damaged.toString();
    }

    @Test
    void readsWhatIsWhole() {
        assertThat(jobsFromJson(JOBS).get(0).shares())
                .extracting(s -> s.node() + s.cores())
                .containsExactly("n04", "n12");
        assertThat(jobsFromJson(JOBS).get(0).latestEnd()).hasToString("Optional[2026-12-01T08:20:31Z]");
        assertThat(output.reservations(RESERVATIONS).get(1).name()).isEqualTo("-U root -E");
        assertThat(output.nodesFromText(NODES).get(1).states()).containsExactlyInAnyOrder("offline", "job-busy");
    }

    @Test
    void namesTheRecordThatOnlyLooksRight() {
        for (String odd : List.of(
                RESERVATIONS.replace("Sat Nov 21 08:31:57 2026", "Sam 21. Nov 08:31:57 2026"),
                RESERVATIONS.replace("Sat Nov 21 08:31:57 2026", "Sun Nov 21 08:31:57 2026"),
                RESERVATIONS.replace("09:01:57", "08:01:57"),
                RESERVATIONS.replace("(n1:ncpus=4)", "(n1:ncpus=-4)"),
                RESERVATIONS.replace("(n1:ncpus=4)", "(n1:ncpus=4000000000)"),
                RESERVATIONS.replace("RESV_CONFIRMED", "CONFIRMED"),
                RESERVATIONS.replace("resv_nodes = ", "other = "),
                RESERVATIONS.replace("(n1:ncpus=4)", "\u0005\n\u009bfreed"))) {
            List<PbsOutput.Resv> read = output.reservations(odd);
            assertThat(read).as(odd).hasSize(2);
            assertThat(read.get(0).odd()).as(odd).isPresent();
            assertThat(read.get(0).odd().orElseThrow()).doesNotContain("\n", "\u0005", "\u009b");
            assertThat(read.get(0).shares()).as(odd).isEmpty();
            assertThat(read.get(1).odd()).as(odd).isEmpty();
        }
    }

    @Test
    void refusesWhatOnlyLooksRight() {
        for (String bad : List.of(RESERVATIONS.replace("R12.pbs", "-f"), "bash: warning: setlocale\n" + RESERVATIONS)) {
            assertThatThrownBy(() -> output.reservations(bad)).as(bad).isInstanceOf(OutputFormatException.class);
        }
        for (String bad :
                List.of("", "R12.pbs\n", "R12.pbs CONFIRMED\nR13.pbs CONFIRMED\n", "error: R12.pbs CONFIRMED\n")) {
            assertThatThrownBy(() -> output.submitted(bad)).as(bad).isInstanceOf(OutputFormatException.class);
        }
        assertThat(output.submitted("R12.pbs delete, wait period expired\n").verdict())
                .startsWith("delete");
        assertThat(output.submitted("Welcome!\nR12.pbs DENIED\n").verdict()).isEqualTo("DENIED");
    }
}
