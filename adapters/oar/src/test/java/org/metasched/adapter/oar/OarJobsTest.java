package org.metasched.adapter.oar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.jobs.JobQueue.Submission;
import org.metasched.adapter.testkit.ScriptedCommands;

/** Inner jobs of OAR, against what its commands were seen to say. */
class OarJobsTest {

    @TempDir
    Path folder;

    private static Submission job(String reservation) {
        var slot = TimeSlot.of(Instant.parse("2026-11-21T10:00:00Z"), Duration.ofMinutes(30));
        var held = new Reservation(
                new ReservationId(reservation),
                new RequestKey("k1"),
                slot,
                new Need.Nodes(2, 4, new TreeSet<>()),
                List.of());
        return new Submission(
                "metajob-k1",
                Optional.of("alice"),
                List.of("sudo", "-u", "{user}"),
                held,
                "/home/alice/j",
                List.of("/bin/sh", "/home/alice/j/job.sh", "/home/alice/j"));
    }

    private static CommandRunner runner(ScriptedCommands commands) {
        return new CommandRunner(
                new SiteId("here"),
                new RunSettings(
                        List.of(commands.folder().toString()),
                        Map.of(),
                        List.of(),
                        Duration.ofSeconds(30),
                        1 << 20,
                        Optional.empty()));
    }

    private static OarCommands commands(ScriptedCommands scripted) {
        return new OarCommands(runner(scripted), new SiteClock(java.time.ZoneOffset.UTC), List.of());
    }

    @Test
    void aJobRunsInsideTheContainerAndFitsIntoWhatIsLeftOfIt() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "sudo", "oarstat");
        scripted.answer(
                "sudo -u alice env * oarsub *", 0, "[ADMISSION RULE] Modify resource description\nOAR_JOB_ID=6\n", "");

        assertThat(commands(scripted).submit(job("5"))).isEqualTo("6");
        assertThat(scripted.calls().get(0))
                .endsWith("oarsub -n metajob-k1 -d /home/alice/j -t inner=5 -O /home/alice/j/job.log -E"
                        + " /home/alice/j/job.log -l nodes=2,walltime=0:27:0 /bin/sh /home/alice/j/job.sh"
                        + " /home/alice/j");
    }

    @Test
    void aJobThatItDoesNotTakeIsRefused() {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "sudo");
        scripted.answer("sudo *", 254, "[ADMISSION RULE] Error: the container job does not exist\n", "");

        assertThatThrownBy(() -> commands(scripted).submit(job("5"))).isInstanceOf(Refused.class);
    }
}
