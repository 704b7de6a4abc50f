package org.metasched.adapter.ccs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** Jobs at a scheduler whose words are configuration, against scripted commands; nobody has seen them at a real one. */
class CcsJobsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:30:00Z");
    private static final String RESERVED = "12 metasched-k1 grid PLANNED 09:00 21.11.26 1:00 rset=2:ncpus=1\n";
    private static final String WITH_JOB = RESERVED + "13 metajob-k1 grid PLANNED 09:00 21.11.26 1:00 rset=2:ncpus=1\n";
    private static final String RUN =
            "dialect: {run: [ccsalloc, '--reservation={reservation}', '--name={name}', '--res=rset={nodes}']}\n";

    @TempDir
    private Path folder;

    private ScriptedCommands commands;

    @BeforeEach
    void script() {
        commands = new ScriptedCommands(folder.resolve("bin"), "ccsinfo", "ccsalloc");
    }

    private LocalScheduler site(String run) {
        String yaml = "type: ccs\nnodes: 4\ncores-per-node: 1\nsnapshot: 0s\nrun: {path: [" + commands.folder()
                + "]}\nprograms: {folder: " + folder + "/jobs}\n" + run;
        return new CcsFactory()
                .open(new SiteId("ccs"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));
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
        commands.answerOnce("ccsinfo *", 0, RESERVED, "").answerOnce("ccsinfo *", 0, RESERVED, "");
        commands.answer("ccsinfo *", 0, WITH_JOB, "");
        commands.answer("ccsalloc *", 0, "Request (13/metajob-k1) planned for 09:00\n", "");
        var starter = site(RUN).jobStarter().orElseThrow();

        var first = starter.start(job());
        var second = starter.start(job());

        assertThat(first.id()).isEqualTo("13");
        assertThat(first.state()).isEqualTo(State.WAITING);
        assertThat(second.id()).isEqualTo("13");
        String jobs = folder + "/jobs/metajob-k1";
        assertThat(commands.calls())
                .filteredOn(call -> call.startsWith("ccsalloc"))
                .containsExactly(
                        "ccsalloc --reservation=12 --name=metajob-k1 --res=rset=2 /bin/sh " + jobs + "/job.sh " + jobs);
    }

    @Test
    void aJobThatCcsRefusesLeavesAReasonAndNoJob() throws Exception {
        commands.answer("ccsinfo *", 0, RESERVED, "");
        commands.answer("ccsalloc *", 1, "", "no resources\n");
        var starter = site(RUN).jobStarter().orElseThrow();

        assertThatThrownBy(() -> starter.start(job()))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("no resources");

        assertThat(starter.jobs(List.of(job().name()))).isEmpty();
    }

    @Test
    void aJobThatIsGoneWithoutHavingBegunIsLost() throws Exception {
        commands.answerOnce("ccsinfo *", 0, RESERVED, "").answerOnce("ccsinfo *", 0, RESERVED, "");
        commands.answer("ccsalloc *", 0, "Request (13/metajob-k1) planned for 09:00\n", "");
        commands.answer("ccsinfo *", 0, RESERVED, "");
        var starter = site(RUN).jobStarter().orElseThrow();

        assertThat(starter.start(job()).state()).isEqualTo(State.LOST);
        assertThat(starter.start(job()).id()).isEqualTo("13");

        assertThat(commands.calls())
                .filteredOn(call -> call.startsWith("ccsalloc"))
                .hasSize(1);
    }

    @Test
    void aJobTakesNothingBesideItsReservation() throws Exception {
        commands.answer("ccsinfo *", 0, WITH_JOB, "");
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
