package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;

/**
 * The numbered rules against a scheduler that really runs, and what only such a one can show: that its own listing has the
 * reservation, that its rules about gaps are the ones the adapter counts with, and what happens when somebody is quicker,
 * a daemon stops in mid-call or a node goes.
 */
abstract class LiveSchedulerContract extends LiveFixture {

    LiveSchedulerContract(String name) {
        super(name);
    }

    @LiveTest
    void showsTheReservationInItsOwnListing() throws Exception {
        Instant start = hoursAhead(3);

        Reservation reservation = site().reserve(newKey(), nodes(3), start);

        assertThat(live().command(listing())).contains(shownAs(reservation));
        assertThat(reservation.slot()).isEqualTo(TimeSlot.of(start, TEN_MINUTES));
        assertThat(reservation.nodeNames()).hasSize(3).doesNotHaveDuplicates();
    }

    @LiveTest
    void grantsUpToTheSecondWhatTheFreeWindowsSayBesideAReservation() throws Exception {
        Instant start = hoursAhead(5);
        site().reserve(newKey(), nodes(NODES), start);

        FreeWindows windows = site().windowListing()
                .orElseThrow()
                .freeWindows(nodes(2), new TimeSlot(start.minusSeconds(7200), start.plusSeconds(7200)));

        Instant lastBefore = windows.starts().get(0).latest();
        Instant firstAfter = windows.starts().get(1).earliest();
        assertThat(lastBefore).isEqualTo(start.minus(TEN_MINUTES).minus(gapBeforeReservation()));
        assertThat(firstAfter).isEqualTo(start.plus(TEN_MINUTES).plus(gapAfterReservation()));
        refuses(nodes(2), lastBefore.plusSeconds(1));
        refuses(nodes(2), firstAfter.minusSeconds(1));
        grants(nodes(2), lastBefore);
        grants(nodes(2), firstAfter);
    }

    @LiveTest
    void grantsUpToTheSecondWhatIsSaidToBeFreeAfterAJob() throws Exception {
        startJobOnAllNodes();
        try {
            // One look at the site serves all questions of an interval, so a new job is seen a little later; while its
            // hosts take it up, a daemon may count them as out of service.
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> site().earliestStart(nodes(2), Instant.now())
                            .filter(start -> start.isAfter(Instant.now().plusSeconds(150)))
                            .isPresent());
            Instant free = site().earliestStart(nodes(2), Instant.now()).orElseThrow();

            assertThat(free).isEqualTo(latestEndOfTheJob().plus(gapAfterJob()));
            refuses(nodes(2), free.minusSeconds(1));
            grants(nodes(2), free);
        } finally {
            endAllJobs();
        }
    }

    @LiveTest
    void refusesAndNamesALaterStartWhenSomebodyWasQuicker() throws Exception {
        Instant previewed = site().earliestStart(nodes(5), hoursAhead(7)).orElseThrow();
        try (LocalScheduler other = live().open()) {
            other.reserve(newKey(), nodes(5), previewed);
        }
        RequestKey key = newKey();

        assertThatThrownBy(() -> site().reserve(key, nodes(5), previewed))
                .isInstanceOfSatisfying(Refused.class, refusal -> {
                    assertThat(refusal.possibleStart()).isPresent();
                    assertThat(refusal.possibleStart().get()).isAfter(previewed);
                })
                .hasMessageContaining("live-");

        assertThat(site().find(key).map(status -> status.state().isHeld())).isNotEqualTo(Optional.of(true));
        Instant next = site().earliestStart(nodes(5), previewed).orElseThrow();
        grants(nodes(5), next);
    }

    @LiveTest
    void neverPromisesANodeTwiceToManyClientsAtOnce() throws Exception {
        Instant start = hoursAhead(9);
        var clients = Executors.newFixedThreadPool(4);
        try {
            var calls = new ArrayList<Callable<Optional<Reservation>>>();
            for (int i = 0; i < 4; i++) {
                RequestKey key = newKey();
                calls.add(() -> {
                    try (LocalScheduler own = live().open()) {
                        return Optional.of(own.reserve(key, nodes(3), start));
                    } catch (Refused taken) {
                        return Optional.empty();
                    }
                });
            }

            var granted = new ArrayList<Reservation>();
            for (var answer : clients.invokeAll(calls)) {
                answer.get().ifPresent(granted::add);
            }

            assertThat(granted).hasSize(2);
            assertThat(granted.stream().flatMap(one -> one.nodeNames().stream()))
                    .hasSize(6)
                    .doesNotHaveDuplicates();
        } finally {
            clients.shutdownNow();
        }
    }

    @LiveTest
    void isFoundAgainByItsKeyAfterARestartOfTheAdapter() throws Exception {
        RequestKey key = newKey();
        Reservation reservation = site().reserve(key, nodes(1), hoursAhead(11));

        try (LocalScheduler restarted = live().open()) {
            assertThat(restarted.find(key).map(ReservationStatus::reservation)).contains(reservation);
            assertThat(restarted.reserve(key, nodes(1), hoursAhead(11)).id()).isEqualTo(reservation.id());
            restarted.cancel(reservation.id());
        }

        assertThat(site().state(reservation.id()).state()).isEqualTo(ReservationState.CANCELLED);
    }

    @LiveTest
    void leavesNoOrphanWhenTheDaemonStopsInMidCall() throws Exception {
        RequestKey key = newKey();
        Instant start = hoursAhead(13);
        try (LocalScheduler hasty = live().open(yaml -> yaml.contains("\nrun:\n")
                ? yaml.replace("\nrun:\n", "\nrun:\n  timeout: 4s\n")
                : yaml + "run:\n  timeout: 4s\n")) {
            live().signal(daemon(), "STOP");

            assertThatThrownBy(() -> hasty.reserve(key, nodes(2), start)).isInstanceOf(Unreachable.class);
        } finally {
            live().signal(daemon(), "CONT");
        }

        // whether the scheduler still does what it had not read yet is its business; the key tells either way, and what
        // is
        // found is given back, as the sweeper does
        Instant watchedUntil = Instant.now().plusSeconds(20);
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> settled(key) && Instant.now().isAfter(watchedUntil));
        Optional<ReservationStatus> found = site().find(key);
        if (found.isPresent() && found.get().state().isHeld()) {
            assertThat(found.get().reservation().slot()).isEqualTo(TimeSlot.of(start, TEN_MINUTES));
            site().cancel(found.get().reservation().id());
        }
        assertThat(live().command(listing())).doesNotContain(key.value());
        grants(nodes(NODES), start);
    }

    private boolean settled(RequestKey key) {
        try {
            Optional<ReservationStatus> found = site().find(key);
            return found.isEmpty() || found.get().detail().isEmpty();
        } catch (LocalSchedulerException stillBusy) {
            return false;
        }
    }

    @LiveTest
    void reportsANodeThatGoesDownUnderAReservation() throws Exception {
        Reservation reservation = site().reserve(newKey(), nodes(NODES), hoursAhead(15));
        String victim = reservation.nodeNames().get(1);
        takeOut(victim);
        try {
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(500))
                    .untilAsserted(
                            () -> assertThat(site().state(reservation.id()).lostNodes())
                                    .contains(victim));

            assertThat(site().state(reservation.id()).isDegraded()).isTrue();
            refuses(nodes(NODES), hoursAhead(20));
        } finally {
            bringBack(victim);
        }

        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() ->
                        assertThat(site().state(reservation.id()).isDegraded()).isFalse());
    }

    @LiveTest
    void givesBackNothingLessThanAskedWhenTheRequestIsLargerThanTheSite() throws Exception {
        refuses(nodes(NODES + 1), hoursAhead(17));
        refuses(nodes(100), hoursAhead(17));
    }

    @LiveTest
    void reservesForTheUserThatTheCertificateIsMappedTo() throws Exception {
        var map = Files.createTempFile("grid", ".map");
        Files.writeString(map, "\"/O=Grid/CN=Bob\" gridbob\n");
        try (LocalScheduler mapped = live().open(yaml -> yaml.replace("default: gridalice", "grid-mapfile: " + map))) {
            var bob = new ResourceRequest(new Need.Nodes(1), TEN_MINUTES, Optional.of(new Requester("/O=Grid/CN=Bob")));
            var eve = new ResourceRequest(new Need.Nodes(1), TEN_MINUTES, Optional.of(new Requester("/O=Grid/CN=Eve")));

            Reservation reservation = mapped.reserve(newKey(), bob, hoursAhead(19));

            assertThat(userOf(reservation)).contains("gridbob").doesNotContain("gridalice");
            assertThatThrownBy(() -> mapped.reserve(newKey(), eve, hoursAhead(19)))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("/O=Grid/CN=Eve");
        } finally {
            Files.delete(map);
        }
    }

    @LiveTest
    void keepsSecondsAcrossTheBoundaryOfADay() throws Exception {
        Instant midnight = Instant.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
        Instant start = midnight.minusSeconds(1);

        Reservation reservation = site().reserve(newKey(), nodes(2), start.plusMillis(250));

        assertThat(reservation.slot())
                .isEqualTo(new TimeSlot(start, start.plus(TEN_MINUTES).plusSeconds(1)));
        assertThat(site().state(reservation.id()).reservation().slot()).isEqualTo(reservation.slot());
    }

    @LiveTest
    void keepsItsTimesWhenTheZoneChangesToSummerTime() throws Exception {
        try (LocalScheduler berlin =
                live().open(yaml -> yaml.replace("look-ahead: PT72H", "look-ahead: 200d\nzone: Europe/Berlin"))) {
            Instant springForward = Instant.parse("2027-03-28T01:00:00Z");
            var threeHours = ResourceRequest.nodes(2, Duration.ofHours(3));

            Reservation across = berlin.reserve(newKey(), threeHours, springForward.minusSeconds(5400));
            Reservation after = berlin.reserve(newKey(), nodes(2), springForward.plusSeconds(60));

            assertThat(across.slot()).isEqualTo(TimeSlot.of(springForward.minusSeconds(5400), Duration.ofHours(3)));
            assertThat(after.slot()).isEqualTo(TimeSlot.of(springForward.plusSeconds(60), TEN_MINUTES));
            assertThat(berlin.state(across.id()).reservation().slot()).isEqualTo(across.slot());
        }
    }

    @LiveTest
    void becomesActiveAndThenFinished() throws Exception {
        var brief = ResourceRequest.nodes(1, shortest());
        Instant start = Instant.now().plusSeconds(secondsToShortest()).truncatedTo(ChronoUnit.SECONDS);

        Reservation reservation = site().reserve(newKey(), brief, start);

        await().atMost(Duration.ofSeconds(150))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> site().state(reservation.id()).state() == ReservationState.ACTIVE);
        await().atMost(Duration.ofSeconds(150))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> site().state(reservation.id()).state() == ReservationState.FINISHED);
    }
}
