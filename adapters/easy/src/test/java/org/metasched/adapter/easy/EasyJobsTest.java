package org.metasched.adapter.easy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** Jobs at a scheduler whose words are configuration, against scripted commands; nobody has seen them at a real one. */
class EasyJobsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:30:00Z");
    private static final String RESERVED =
            "ID USER NAME NODES LENGTH STATE START\n12 grid metasched-k1 2 60 V 11/21/2026 09:00\n";
    private static final String WITH_JOB = RESERVED + "13 grid metajob-k1 2 60 V 11/21/2026 09:00\n";

    @TempDir
    private Path folder;

    private ScriptedCommands commands;

    @BeforeEach
    void script() {
        commands = new ScriptedCommands(folder.resolve("bin"), "spq", "sprun", "msub");
    }

    private LocalScheduler site(String run) {
        String yaml = "type: easy\nnodes: 4\ncores-per-node: 1\nsnapshot: 0s\nrun: {path: [" + commands.folder()
                + "]}\nprograms: {folder: " + folder + "/jobs}\n" + run;
        return new EasyFactory()
                .open(new SiteId("easy"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static Job job() {
        var name = new Job.Name(new RequestKey("k1"), new ReservationId("12"), Optional.empty());
        var program = new Program(
                "/bin/true",
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                0,
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of());
        return new Job(name, program, Map.of());
    }

    @Test
    void aJobIsHandedOverOnceInTheSitesOwnWords() throws Exception {
        commands.answerOnce("spq*", 0, RESERVED, "").answerOnce("spq*", 0, RESERVED, "");
        commands.answer("spq*", 0, WITH_JOB, "");
        commands.answer("sprun *", 0, "reservation 13 made\n", "");
        var starter = site("dialect: {run: [sprun, -r, '{reservation}', -J, '{name}', -n, '{nodes}']}\n")
                .jobStarter()
                .orElseThrow();

        var first = starter.start(job());
        var second = starter.start(job());

        assertThat(first.id()).isEqualTo("13");
        assertThat(first.state()).isEqualTo(State.WAITING);
        assertThat(second.id()).isEqualTo("13");
        String jobs = folder + "/jobs/metajob-k1";
        assertThat(commands.calls())
                .filteredOn(call -> call.startsWith("sprun"))
                .containsExactly("sprun -r 12 -J metajob-k1 -n 2 /bin/sh " + jobs + "/job.sh " + jobs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\nMoab.13\n", "\n13\n", "reservation 13 made\n"})
    void theSampleForMauiReadsTheAnswersOfBothCommands(String answer) throws Exception {
        commands.answerOnce("spq*", 0, RESERVED, "").answerOnce("spq*", 0, RESERVED, "");
        commands.answer("spq*", 0, WITH_JOB, "");
        commands.answer("msub *", 0, answer, "");

        var started = site(mauiSample()).jobStarter().orElseThrow().start(job());

        assertThat(started.state()).isEqualTo(State.WAITING);
        assertThat(commands.calls()).filteredOn(call -> call.startsWith("msub")).hasSize(1);
    }

    /** The dialect of the page's sample with {@code msub}. */
    private static String mauiSample() throws IOException {
        var page = Path.of(System.getProperty("metasched.root", "../.."), "docs", "adapters", "easy.md");
        return Stream.of(Files.readString(page).split("```"))
                .filter(block -> block.startsWith("yaml\n") && block.contains("msub"))
                .map(block -> block.substring(block.indexOf("  dialect:")).indent(-2))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aJobTakesNothingBesideItsReservation() throws Exception {
        commands.answer("spq*", 0, WITH_JOB, "");
        var request = ResourceRequest.nodes(2, Duration.ofHours(1));
        var within = TimeSlot.of(NOW.plusSeconds(1800), Duration.ofMinutes(1));

        assertThat(site("").windowListing()
                        .orElseThrow()
                        .freeWindows(request, within)
                        .starts())
                .isNotEmpty();
    }

    @Test
    void withoutWordsForItTheSiteRunsNoPrograms() {
        assertThat(site("").jobStarter()).isEmpty();
    }
}
