package org.metasched.adapter.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;

class SimulatedSchedulerTest {

    private static final RequestKey KEY = new RequestKey("meta-17-1");
    private static final ResourceRequest HALF = ResourceRequest.nodes(32, Duration.ofHours(2));

    private final SimulatedGrid grid = SimulatedGrid.at("2026-01-05T08:00:00Z").site("fzj", 64);
    private final SimulatedScheduler fzj = grid.site("fzj");

    @Test
    void aReservationKeepsItsNodesAndLeavesTheOthers() throws Exception {
        var first = fzj.reserve(KEY, HALF, grid.now());

        var second = fzj.reserve(new RequestKey("meta-18-1"), HALF, grid.now());

        assertThat(first.nodeNames()).hasSize(32).doesNotContainAnyElementsOf(second.nodeNames());
        assertThat(fzj.earliestStart(HALF, grid.now())).contains(grid.nowPlus("PT2H"));
    }

    @Test
    void fillingUpRefusesAndNamesTheNextStart() throws Exception {
        fzj.suffers(InjectedFault.FILL_UP);

        assertThatThrownBy(() -> fzj.reserve(KEY, HALF, grid.now()))
                .asInstanceOf(type(Refused.class))
                .satisfies(refused -> assertThat(refused.possibleStart()).contains(grid.nowPlus("PT2H")));

        assertThat(fzj.held()).isEmpty();
        assertThat(fzj.earliestStart(HALF, grid.now())).contains(grid.nowPlus("PT2H"));
    }

    @Test
    void aLostAnswerLeavesTheReservationAndALostRequestDoesNot() {
        fzj.suffers(InjectedFault.LOSE_ANSWER).suffers(InjectedFault.LOSE_REQUEST);

        assertThatThrownBy(() -> fzj.reserve(KEY, HALF, grid.now())).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> fzj.reserve(new RequestKey("meta-18-1"), HALF, grid.now()))
                .isInstanceOf(Unreachable.class);

        assertThat(fzj.held())
                .singleElement()
                .satisfies(held -> assertThat(held.reservation().key()).isEqualTo(KEY));
    }

    @Test
    void aLaterStartIsGrantedAndReported() throws Exception {
        fzj.suffers(InjectedFault.GRANT_LATER);

        var reservation = fzj.reserve(KEY, HALF, grid.nowPlus("PT1H"));

        assertThat(reservation.slot()).isEqualTo(TimeSlot.of(grid.nowPlus("PT1H30M"), Duration.ofHours(2)));
        assertThat(fzj.state(reservation.id()).reservation()).isEqualTo(reservation);
    }

    @Test
    void aSiteThatIsDownDoesNothingUntilItComesBack() throws Exception {
        fzj.goesDown();

        assertThatThrownBy(() -> fzj.reserve(KEY, HALF, grid.now())).isInstanceOf(Unreachable.class);

        fzj.comesBack();
        assertThat(fzj.find(KEY)).isEmpty();
    }

    @Test
    void aLateAnswerIsStillTheAnswer() throws Exception {
        fzj.suffers(InjectedFault.ANSWER_LATE);

        long began = System.nanoTime();
        var reservation = fzj.reserve(KEY, HALF, grid.now());

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(fzj.find(KEY)).map(ReservationStatus::reservation).contains(reservation);
    }

    @Test
    void brokenNodesAreReplacedAsLongAsOthersAreFree() throws Exception {
        var reservation = fzj.reserve(KEY, HALF, grid.nowPlus("PT1H"));

        fzj.failNodes(Set.of("fzj-1", "fzj-2"));

        var status = fzj.state(reservation.id());
        assertThat(status.isDegraded()).isFalse();
        assertThat(status.reservation().nodeNames()).hasSize(32).doesNotContain("fzj-1", "fzj-2");
    }

    @Test
    void aReservationIsDegradedWhenNoOtherNodeIsFreeAndWholeAfterRepair() throws Exception {
        var all = ResourceRequest.nodes(64, Duration.ofHours(2));
        var reservation = fzj.reserve(KEY, all, grid.nowPlus("PT1H"));

        fzj.failNodes(Set.of("fzj-7"));

        assertThat(fzj.state(reservation.id()).lostNodes()).containsExactly("fzj-7");
        assertThat(fzj.earliestStart(all, grid.nowPlus("PT3H"))).isEmpty();
        fzj.repairNodes(Set.of("fzj-7"));
        assertThat(fzj.state(reservation.id()).isDegraded()).isFalse();
        fzj.cancel(reservation.id());
        assertThat(fzj.earliestStart(all, grid.now())).contains(grid.now());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1000000000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "+1000000000-12-31T23:59:59Z"})
    void aStartOutsideTheLookAheadIsRefusedHoweverFarItIs(String start) throws Exception {
        fzj.suffers(InjectedFault.GRANT_LATER).suffers(InjectedFault.FILL_UP);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> fzj.reserve(KEY, HALF, Instant.parse(start)))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("fzj");
        }

        assertThat(fzj.held()).isEmpty();
    }

    @Test
    void aKeyThatWasCancelledIsRefused() throws Exception {
        fzj.cancel(fzj.reserve(KEY, HALF, grid.now()).id());

        assertThatThrownBy(() -> fzj.reserve(KEY, HALF, grid.now()))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("meta-17-1");
    }

    @Test
    void reservationsOutliveTheProcessWhenThereIsAStateFile(@TempDir Path folder) throws Exception {
        var file = folder.resolve("fzj.state");
        var before =
                new SimulatedSite(new SiteId("fzj")).nodes(64).stateFile(file).open(grid.clock());
        var kept = before.reserve(KEY, HALF, grid.nowPlus("PT1H"));
        var given = before.reserve(new RequestKey("given-up"), HALF, grid.nowPlus("PT1H"));
        before.cancel(given.id());
        // A line that was not finished when the process was killed.
        Files.writeString(file, "held\tR9", StandardOpenOption.APPEND);

        var after =
                new SimulatedSite(new SiteId("fzj")).nodes(64).stateFile(file).open(grid.clock());

        assertThat(after.held()).extracting(ReservationStatus::reservation).containsExactly(kept);
        assertThat(after.reserve(new RequestKey("next"), HALF, grid.nowPlus("PT1H"))
                        .id())
                .isNotIn(kept.id());
    }

    @Test
    void anIdIsNotGivenAgainAfterARestart(@TempDir Path folder) throws Exception {
        var site = new SimulatedSite(new SiteId("fzj")).nodes(64).stateFile(folder.resolve("fzj.state"));
        var before = site.open(grid.clock());
        var first = before.reserve(new RequestKey("first"), HALF, grid.nowPlus("PT1H"));
        var second = before.reserve(KEY, HALF, grid.nowPlus("PT1H"));
        before.cancel(second.id());
        before.cancel(first.id());

        var next = site.open(grid.clock()).reserve(new RequestKey("next"), HALF, grid.nowPlus("PT1H"));

        assertThat(next.id()).isNotIn(first.id(), second.id());
    }

    @Test
    void aChangeBeyondTheLookAheadIsRefusedForThatReason() throws Exception {
        var reservation = fzj.reserve(KEY, HALF, grid.nowPlus("PT1H"));

        assertThatThrownBy(() -> fzj.change(reservation.id(), HALF, grid.nowPlus("P30D")))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("for 32 nodes at")
                .hasMessageContaining("the start is beyond the look-ahead of PT168H");
    }

    @Test
    void localJobsAndReservationsNeverShareANode() throws Exception {
        for (var policy : SimulatedSite.Backfilling.values()) {
            var busy = new SimulatedSite(new SiteId("scai"))
                    .nodes(32)
                    .backfilling(policy)
                    .workload(LublinFeitelson.generate(32, 3000, 11).withLoad(0.8))
                    .open(grid.clock());
            var request = ResourceRequest.nodes(12, Duration.ofHours(1));

            int jobsSeen = 0;
            for (int hour = 0; hour < 48; hour++) {
                var start = busy.earliestStart(request, grid.nowPlus("PT1H"));
                if (start.isPresent()) {
                    // The plan refuses to take a node twice, so that a double booking would throw.
                    busy.reserve(new RequestKey("r" + hour), request, start.get());
                }
                grid.advance(Duration.ofHours(1));
                jobsSeen += busy.load().runningJobs();
            }

            assertThat(jobsSeen).isGreaterThan(48);
            assertThat(busy.reservations()).hasSizeGreaterThan(24);
            assertThat(doubleUses(busy)).isEmpty();
        }
    }

    private static Map<String, Instant> doubleUses(SimulatedScheduler site) {
        var lastEnd = new HashMap<String, Instant>();
        var clashes = new HashMap<String, Instant>();
        site.reservations().stream()
                .filter(status -> status.state() != ReservationState.CANCELLED)
                .map(ReservationStatus::reservation)
                .sorted((a, b) -> a.slot().start().compareTo(b.slot().start()))
                .forEach(reservation -> reservation.nodeNames().forEach(node -> {
                    var end = lastEnd.put(node, reservation.slot().end());
                    if (end != null && end.isAfter(reservation.slot().start())) {
                        clashes.put(node, end);
                    }
                }));
        return clashes;
    }
}
