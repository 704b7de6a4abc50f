package org.metasched.adapter.oar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
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

    private static OarCommands commands(ScriptedCommands scripted) {
        return new OarCommands(
                runner(scripted),
                new SiteClock(java.time.ZoneOffset.UTC),
                new BookingRules("metasched-", Duration.ZERO, Duration.ZERO),
                Optional.of(".metasched"),
                List.of());
    }

    @Test
    void aReservationRunsItsProgramAsSoonAsThatIsThere() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "oarsub");
        scripted.answer("oarsub *", 0, "Reservation valid --> OK\n", "");
        var job = job("5");
        var slot = job.reservation().slot();
        var booking = new BookingRequest(
                new RequestKey("k1"), "metasched-k1", List.of(), Optional.of("P42"), new Need.Nodes(2), slot);

        commands(scripted).reserve(booking, "");

        assertThat(commands(scripted).submit(job)).isEqualTo("5");
        assertThat(scripted.calls())
                .hasSize(1)
                .first()
                .asString()
                .contains("--project=P42 ", "sleep 1800 & ", "cd .metasched/metajob-k1 &&");
    }

    @Test
    void theHeldCommandWaitsForTheProgramAndThenForTheEnd() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "oarsub");
        scripted.answer("oarsub *", 0, "Reservation valid --> OK\n", "");
        var slot = TimeSlot.of(Instant.parse("2026-11-21T10:00:00Z"), Duration.ofSeconds(3));
        var booking = new BookingRequest(
                new RequestKey("k1"), "metasched-k1", List.of(), Optional.empty(), new Need.Nodes(2), slot);
        commands(scripted).reserve(booking, "");
        String call = scripted.calls().get(0);
        var builder = new ProcessBuilder("sh", "-c", call.substring(call.indexOf("sh -c '")));
        builder.environment().put("HOME", folder.toString());
        var held = builder.start();
        var directory = Files.createDirectories(folder.resolve(".metasched/metajob-k1"));

        Files.writeString(directory.resolve("job.sh"), "echo $1 > ran\n");
        Files.writeString(directory.resolve("output"), "stdout\n");

        assertThat(held.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(directory.resolve("ran")).hasContent(directory.toString());
    }

    @Test
    void aJobLivesAsLongAsItsReservation() throws Exception {
        var scripted = new ScriptedCommands(folder.resolve("bin"), "oarstat");
        scripted.answer(
                "oarstat -f -J --sql job_name IN ('metasched-k1') AND state NOT IN*", 0, OarOutputTest.RESERVED, "");

        assertThat(commands(scripted).living(List.of("metajob-k1"))).containsOnlyKeys("metajob-k1");
    }
}
