package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Program;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ResourceRequest;
import org.metasched.it.CliProcess;

/** A Slurm cluster of {@code test/live}, of whatever version, by whatever way it is asked. */
abstract class LiveSlurmContract extends LiveSchedulerContract {

    private static final Program PROGRAM = Program.of("/bin/sh", List.of("-c", "exit 7"));

    LiveSlurmContract(String name) {
        super(name);
    }

    @Override
    List<String> listing() {
        return List.of("scontrol", "show", "reservation");
    }

    @Override
    String shownAs(Reservation reservation) {
        return "ReservationName=" + reservation.id() + " ";
    }

    /** As 40 to 50 and 60 to 30 of 64: the old and the new do not fit beside each other. */
    @LiveTest
    void changesAReservationWhereItIs() throws Exception {
        Instant start = hoursAhead(15);
        var changing = site().reservationChange().orElseThrow();
        Reservation five = site().reserve(newKey(), nodes(5), start);

        Reservation six = changing.change(five.id(), nodes(6), start);
        assertThat(six.nodeNames()).hasSize(6).containsAll(five.nodeNames());
        Reservation longer = changing.change(five.id(), nodes(6).lasting(Duration.ofMinutes(20)), start);
        assertThat(longer.slot().length()).isEqualTo(Duration.ofMinutes(20));
        Reservation three = changing.change(five.id(), nodes(3), start);
        assertThat(six.nodeNames()).containsAll(three.nodeNames());
        assertThat(three.slot()).isEqualTo(five.slot());

        site().reserve(newKey(), nodes(4), start);
        assertThatThrownBy(() -> changing.change(five.id(), nodes(5), start)).isInstanceOf(Refused.class);
        assertThat(site().state(five.id()).reservation()).isEqualTo(three);
    }

    @Override
    void startJobOnAllNodes() throws Exception {
        live().command(
                        "sbatch",
                        "--uid=gridalice",
                        "-N",
                        "8",
                        "--exclusive",
                        "-t",
                        "5",
                        "-o",
                        "/dev/null",
                        "--wrap",
                        "sleep 300");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> live().command("squeue", "-h", "-o", "%T").contains("RUNNING"));
    }

    @Override
    Instant latestEndOfTheJob() throws Exception {
        String end = live().command("env", "SLURM_TIME_FORMAT=%s", "squeue", "-h", "-t", "R", "-o", "%e");
        return Instant.ofEpochSecond(Long.parseLong(end.strip()));
    }

    @Override
    void endAllJobs() throws Exception {
        live().command("scancel", "--user=gridalice");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> live().command("squeue", "-h").isBlank());
    }

    @Override
    Map<String, Callable<Instant>> otherHoldings() {
        return Map.of(
                "an array",
                        () -> {
                            String array =
                                    "sbatch --uid=gridalice --array=1-10000 -N1 --exclusive -t 5 -o /dev/null --wrap";
                            var words = new ArrayList<>(List.of(array.split(" ")));
                            words.add("sleep 300");
                            live().command(words);
                            await().atMost(Duration.ofSeconds(30))
                                    .until(() -> live().command("squeue", "-h", "-t", "R")
                                                    .lines()
                                                    .count()
                                            == NODES);
                            return Instant.now().plus(Duration.ofMinutes(3));
                        },
                "a reservation of cores", () -> reserved("CoreCnt=2", "NodeCnt=1"),
                "a daily reservation", () -> reserved("Nodes=s8", "Flags=DAILY"));
    }

    /** For an hour from now on. */
    private Instant reserved(String... what) throws Exception {
        var words = new ArrayList<>(
                List.of("scontrol", "create", "reservation", "ReservationName=theirs", "StartTime=now"));
        words.addAll(List.of("Duration=60", "Users=gridbob", "PartitionName=grid"));
        words.addAll(List.of(what));
        String said = live().command(words);
        if (!said.contains("created")) {
            throw new IllegalStateException(said);
        }
        return Instant.now().plus(Duration.ofMinutes(59));
    }

    @Override
    void endOtherHoldings() throws Exception {
        live().command("scontrol", "delete", "ReservationName=theirs");
    }

    @Override
    Duration gapAfterJob() {
        return Duration.ofSeconds(1);
    }

    @Override
    Duration gapBeforeReservation() {
        return Duration.ofSeconds(90);
    }

    @Override
    Duration gapAfterReservation() {
        return Duration.ofSeconds(90);
    }

    @Override
    String daemon() {
        return "slurmctld";
    }

    @Override
    void takeOut(String node) throws Exception {
        live().command("scontrol", "update", "NodeName=" + node, "State=DOWN", "Reason=tested");
    }

    @Override
    void bringBack(String node) throws Exception {
        live().command("scontrol", "update", "NodeName=" + node, "State=RESUME");
    }

    @Override
    String userOf(Reservation reservation) throws Exception {
        return live().command(
                        "scontrol",
                        "-o",
                        "show",
                        "reservation",
                        reservation.id().value());
    }

    @LiveTest
    void seesThatSlurmReplacesADrainedNodeByASpareOne() throws Exception {
        Reservation reservation = site().reserve(newKey(), nodes(3), hoursAhead(21));
        String victim = reservation.nodeNames().get(0);
        live().command("scontrol", "update", "NodeName=" + victim, "State=DRAIN", "Reason=tested");
        try {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        var status = site().state(reservation.id());
                        assertThat(status.reservation().nodeNames()).hasSize(3).doesNotContain(victim);
                        assertThat(status.lostNodes()).isEmpty();
                    });
        } finally {
            bringBack(victim);
        }
    }

    /**
     * A job begins a little after its reservation, and slurmctld begins none whose limit reaches into the next reservation of
     * its nodes.
     */
    @LiveTest
    void runsTheJobsOfReservationsThatFollowEachOther() throws Exception {
        var minute = ResourceRequest.nodes(NODES, Duration.ofMinutes(1));
        // A node that a test before this one took out of service and brought back may not answer yet.
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> site().earliestStart(minute, Instant.now()).isPresent());
        Instant start = site().earliestStart(minute, Instant.now()).orElseThrow();
        var jobs = new ArrayList<Job.Name>();
        for (int i = 0; i < 2; i++) {
            Instant next = site().earliestStart(minute, start).orElseThrow();
            Reservation held = site().reserve(newKey(), minute, next);
            var name = new Job.Name(held.key(), held.id(), Optional.empty());
            starter().start(new Job(name, PROGRAM, Map.of(Job.MACHINE_FILE, "node1\n")));
            jobs.add(name);
        }

        await().atMost(Duration.ofMinutes(6))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> starter().jobs(jobs).values().stream()
                        .allMatch(job -> job.state().isFinal()));
        assertThat(starter().jobs(jobs).values()).allMatch(job -> job.exitCode().equals(Optional.of(7)));
    }

    /** Processes on nodes, files and environments; at 22.05 {@code LiveProgramsIT} has them run. */
    final void runsTheProgramsOfTheKit(Path folder) throws Exception {
        String config = live().folder().resolve("site.yaml").toString();

        var checked = CliProcess.run(
                folder,
                Map.of(),
                "adapter",
                "check",
                "--config",
                config,
                "--nodes",
                "2",
                "--lead",
                "PT5S",
                "--only",
                "J4,J5,J6,J7");

        assertThat(checked.out()).as(checked.err()).contains("J4  passed", "J5  passed", "J6  passed", "J7  passed");
    }

    private JobStarter starter() {
        return site().jobStarter().orElseThrow();
    }

    @LiveTest
    void endsTheJobsOfAReservationThatIsCancelled() throws Exception {
        Reservation reservation = site().reserve(newKey(), nodes(2), hoursAhead(23));
        live().command(
                        "sbatch",
                        "--uid=gridalice",
                        "--reservation=" + reservation.id(),
                        "-N",
                        "1",
                        "-t",
                        "5",
                        "-o",
                        "/dev/null",
                        "--wrap",
                        "sleep 300");
        assertThat(live().command("squeue", "-h", "-R", reservation.id().value()))
                .isNotBlank();

        site().cancel(reservation.id());

        assertThat(live().command("scontrol", "show", "reservation"))
                .doesNotContain(reservation.id().value());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> live().command("squeue", "-h").isBlank());
    }
}
