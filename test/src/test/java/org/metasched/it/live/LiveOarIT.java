package org.metasched.it.live;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.adapter.Reservation;

/** The OAR server of {@code test/live/start-oar.sh}. */
@ResourceLock("oar")
class LiveOarIT extends LiveSchedulerContract {

    LiveOarIT() {
        super("oar");
    }

    @Override
    List<String> listing() {
        return List.of("oarstat");
    }

    @Override
    String shownAs(Reservation reservation) {
        return "\n" + reservation.id() + " ";
    }

    @Override
    void startJobOnAllNodes() throws Exception {
        live().command(
                        "runuser",
                        "-u",
                        "gridalice",
                        "--",
                        "oarsub",
                        "-d",
                        "/",
                        "-O",
                        "/dev/null",
                        "-E",
                        "/dev/null",
                        "-l",
                        "nodes=8,walltime=0:5:0",
                        "sleep 300");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> live().command("oarstat", "-J").contains("\"Running\""));
    }

    @Override
    Instant latestEndOfTheJob() throws Exception {
        String job = live().command("oarstat", "-f", "-J", "--sql", "state = 'Running'");
        Matcher start = Pattern.compile("\"startTime\" : (\\d+)").matcher(job);
        Matcher walltime = Pattern.compile("\"walltime\" : (\\d+)").matcher(job);
        if (!start.find() || !walltime.find()) {
            throw new IllegalStateException(job);
        }
        return Instant.ofEpochSecond(Long.parseLong(start.group(1)) + Long.parseLong(walltime.group(1)));
    }

    @Override
    void endAllJobs() throws Exception {
        live().command("oardel", "--sql", "state = 'Running'");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !live().command("oarstat", "-J").contains("\"Running\""));
    }

    @Override
    Duration gapAfterJob() {
        return Duration.ofSeconds(61);
    }

    @Override
    Duration gapBeforeReservation() {
        return Duration.ofSeconds(60);
    }

    @Override
    Duration gapAfterReservation() {
        return Duration.ofSeconds(61);
    }

    @Override
    String daemon() {
        return "almighty";
    }

    @Override
    void takeOut(String node) throws Exception {
        live().command("oarnodesetting", "-s", "Dead", "-h", node);
    }

    @Override
    void bringBack(String node) throws Exception {
        live().command("oarnodesetting", "-s", "Alive", "-h", node);
    }

    @Override
    String userOf(Reservation reservation) throws Exception {
        return live().command("oarstat", "-f", "-j", reservation.id().value());
    }

    /** OAR begins a reservation when its scheduler next wakes up, which is up to a minute late. */
    @Override
    Duration shortest() {
        return Duration.ofSeconds(75);
    }

    @Override
    long secondsToShortest() {
        return 15;
    }
}
