package org.metasched.adapter.gridengine;

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
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.jobs.JobQueue.Submission;
import org.metasched.adapter.testkit.ScriptedCommands;

/** Jobs inside advance reservations of Grid Engine, against what its commands were seen to say. */
class GridEngineJobsTest {

    private static final String LISTING = """
        <?xml version='1.0'?>
        <job_info  xmlns:xsd="http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/qstat.xsd">
          <queue_info>
            <job_list state="running">
              <JB_job_number>2</JB_job_number>
              <JB_name>metajob-k2</JB_name>
            </job_list>
          </queue_info>
          <job_info>
            <job_list state="pending">
              <JB_job_number>1</JB_job_number>
              <JB_name>metajob-k1</JB_name>
            </job_list>
          </job_info>
        </job_info>
        """;

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

    private GridEngineCommands commands(ScriptedCommands scripted) {
        scripted.answer("qconf -sp metanodes", 0, "pe_name metanodes\nallocation_rule 4\n", "");
        return new GridEngineCommands(runner(scripted), new SiteClock(java.time.ZoneOffset.UTC), "grid.q", "metanodes");
    }

    @Test
    void handsAJobIntoItsReservationAsTheUser() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "sudo", "qconf", "qstat");
        scripted.answer("sudo -u alice env * qsub *", 0, "57\n", "");
        scripted.answer("qstat -u * -xml", 0, LISTING, "");
        var queue = commands(scripted);

        assertThat(queue.submit(job("12"))).isEqualTo("57");
        assertThat(scripted.calls().get(1))
                .endsWith("qsub -terse -N metajob-k1 -b y -r n -j y -A P42 -ar 12 -pe metanodes 8 -wd /home/alice/j"
                        + " -o /home/alice/j/job.log /bin/sh /home/alice/j/job.sh /home/alice/j");
        assertThat(queue.living(List.of("metajob-k1", "metajob-k2", "metajob-k3")))
                .isEqualTo(Map.of("metajob-k1", "1", "metajob-k2", "2"));
    }

    @Test
    void aReservationHasItsUsersAndItsAccount() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "qrsub");
        scripted.answer("qrsub *", 0, "Your advance reservation 12 has been granted\n", "");
        var slot = TimeSlot.of(Instant.parse("2026-11-21T10:00:00Z"), Duration.ofMinutes(30));

        commands(scripted)
                .reserve(
                        new BookingRequest(
                                new RequestKey("k1"),
                                "ms-k1",
                                List.of("alice", "bob"),
                                Optional.of("P42"),
                                new Need.Nodes(2),
                                slot),
                        8);

        assertThat(scripted.calls().get(0)).endsWith(" -u alice,bob -A P42");
    }

    @Test
    void aJobThatItDoesNotTakeIsRefused() {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "sudo", "qconf");
        scripted.answer("sudo *", 1, "", "error: no suitable queues\n");

        assertThatThrownBy(() -> commands(scripted).submit(job("12"))).isInstanceOf(Refused.class);
    }
}
