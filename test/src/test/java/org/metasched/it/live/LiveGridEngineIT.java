package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.adapter.Reservation;

/** The Grid Engine cell of {@code test/live/start-gridengine.sh}. */
@ResourceLock("gridengine")
class LiveGridEngineIT extends LiveSchedulerContract {

    LiveGridEngineIT() {
        super("gridengine");
    }

    @Override
    List<String> listing() {
        return List.of("qrstat", "-u", "*");
    }

    @Override
    String shownAs(Reservation reservation) {
        return reservation.id() + " metasched";
    }

    @Override
    void startJobOnAllNodes() throws Exception {
        live().command(
                        "qsub",
                        "-b",
                        "y",
                        "-o",
                        "/dev/null",
                        "-j",
                        "y",
                        "-pe",
                        "metanodes",
                        "32",
                        "-l",
                        "h_rt=300",
                        "/bin/sleep",
                        "300");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> live().command("qstat", "-u", "*", "-s", "r").contains(" r "));
    }

    @Override
    Instant latestEndOfTheJob() throws Exception {
        String jobs = live().command("qstat", "-u", "*", "-s", "r", "-xml");
        Matcher start =
                Pattern.compile("<JAT_start_time>([^<]+)</JAT_start_time>").matcher(jobs);
        if (!start.find()) {
            throw new IllegalStateException(jobs);
        }
        return LocalDateTime.parse(start.group(1)).toInstant(ZoneOffset.UTC).plusSeconds(300);
    }

    @Override
    void endAllJobs() throws Exception {
        live().command("qdel", "-u", "*");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> live().command("qstat", "-u", "*").isBlank());
    }

    @Override
    Duration gapAfterJob() {
        return Duration.ofSeconds(60);
    }

    @Override
    String daemon() {
        return "qmaster";
    }

    @Override
    void takeOut(String node) throws Exception {
        live().command("qmod", "-d", "grid.q@" + node);
    }

    @Override
    void bringBack(String node) throws Exception {
        live().command("qmod", "-e", "grid.q@" + node);
    }

    @Override
    String userOf(Reservation reservation) throws Exception {
        return live().command("qrstat", "-ar", reservation.id().value());
    }

    @LiveTest
    void isNotBlindedByAReservationWhoseNameLooksLikeMarkup() throws Exception {
        String granted = live().command(
                        "qrsub", "-N", "a<b>&\"<id>7", "-a", "203001011200", "-d", "600", "-pe", "metanodes", "4");
        Matcher id = Pattern.compile("reservation (\\d+) has been granted").matcher(granted);
        assertThat(id.find()).as(granted).isTrue();
        try {
            Instant start = hoursAhead(3);
            assertThat(site().earliestStart(nodes(NODES), start)).contains(start);
        } finally {
            live().command("qrdel", id.group(1));
        }
    }
}
