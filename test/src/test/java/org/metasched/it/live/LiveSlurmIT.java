package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.adapter.Reservation;

/** The Slurm cluster of {@code test/live/start-slurm.sh}. */
@ResourceLock("slurm")
class LiveSlurmIT extends LiveSchedulerContract {

    LiveSlurmIT() {
        super("slurm");
    }

    @Override
    List<String> listing() {
        return List.of("scontrol", "show", "reservation");
    }

    @Override
    String shownAs(Reservation reservation) {
        return "ReservationName=" + reservation.id() + " ";
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
    Duration gapAfterJob() {
        return Duration.ofSeconds(1);
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
