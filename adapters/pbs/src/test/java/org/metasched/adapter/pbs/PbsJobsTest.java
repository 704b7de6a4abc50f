package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.jobs.JobQueue.Submission;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** Jobs in the queue that is a PBS reservation; the words of the server are those that OpenPBS 23.06 was seen to say. */
class PbsJobsTest {

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
                Optional.of("P42"),
                List.of("sudo", "-u", "{user}"),
                held,
                "/home/alice/j",
                List.of("/bin/sh", "/home/alice/j/job.sh", "/home/alice/j"));
    }

    private static PbsCommands commands(ScriptedCommands scripted) {
        return commands(scripted, "");
    }

    private static PbsCommands commands(ScriptedCommands scripted, String run) {
        var settings =
                YamlSettings.parse("site.yaml", "type: pbs\nrun: {path: [" + scripted.folder() + "]" + run + "}\n");
        var usual = new CommandLineSite.Defaults(java.time.ZoneOffset.UTC, Duration.ofSeconds(1));
        var site = CommandLineSite.from(new SiteId("here"), settings, java.time.Clock.systemUTC(), usual);
        return new PbsCommands(site, PbsSettings.from(settings));
    }

    @Test
    void handsAJobToTheQueueOfItsReservationAsTheUser() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "sudo", "qselect");
        scripted.answer("sudo -u alice env * qsub *", 0, "57.server\n", "");
        scripted.answer("qselect -N metajob-k1", 0, "57.server\n", "");
        scripted.answer("qselect -N metajob-k2", 0, "", "");
        var queue = commands(scripted);

        assertThat(queue.submit(job("R12.server"))).isEqualTo("57.server");
        assertThat(scripted.calls().get(0))
                .contains(" TZ=UTC ")
                .endsWith("qsub -N metajob-k1 -r n -j oe -A P42 -q R12 -l select=2:ncpus=4 -l place=scatter:excl -l"
                        + " walltime=1800 -o /home/alice/j/job.log -- /bin/sh -l /home/alice/j/job.sh /home/alice/j");
        assertThat(queue.living(List.of("metajob-k1", "metajob-k2")))
                .containsExactly(java.util.Map.entry("metajob-k1", "57.server"));
    }

    @Test
    void aReservationHasItsUsersOnItsList() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "pbs_rsub");
        scripted.answer("pbs_rsub *", 0, "R12.server CONFIRMED\n", "");
        var slot = TimeSlot.of(Instant.parse("2026-11-21T10:00:00Z"), Duration.ofMinutes(30));
        for (var users : List.of(List.of("alice", "bob"), List.<String>of())) {
            commands(scripted)
                    .reserve(new BookingRequest(
                            new RequestKey("k1"), "ms-k1", users, Optional.of("P42"), new Need.Nodes(2), slot));
        }

        assertThat(scripted.calls().get(0)).endsWith(" -N ms-k1 -U alice,bob");
        assertThat(scripted.calls().get(1)).endsWith(" -N ms-k1");
    }

    /** As {@code docs/adapters/pbs.md} says: the account of {@code prefix} needs the right of {@code become}. */
    @Test
    void prefixComesBeforeBecomeAndEachSetsTheEnvironmentBehindIt() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "sudo");
        scripted.answer("sudo -n -u gridadm env *", 0, "57.server\n", "");

        commands(scripted, ", prefix: [sudo, -n, -u, gridadm]").submit(job("R12.server"));

        assertThat(scripted.calls().get(0))
                .matches("sudo -n -u gridadm env (\\w+=\\S+ )+sudo -u alice env (\\w+=\\S+ )+qsub -N metajob-k1 .*");
    }

    /** 188: the job is larger than the reservation; 170: there is no such queue. */
    @Test
    void aJobThatItDoesNotTakeIsRefused() {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "sudo");
        scripted.answer("sudo *", 188, "", "qsub: Job violates queue and/or server resource limits\n");

        assertThatThrownBy(() -> commands(scripted).submit(job("R12.server"))).isInstanceOf(Refused.class);
    }
}
