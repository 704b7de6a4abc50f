package org.metasched.adapter.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.simulated.SimulatedSite.Backfilling;

/** Ten nodes. Eight are busy for an hour from second 0; then somebody wants all ten. */
class BackfillingTest {

    private static final LocalJob WIDE = new LocalJob(-1, 0, 3600, 3600, 8);
    private static final LocalJob HEAD = new LocalJob(-1, 1, 3600, 3600, 10);

    private final SimulatedGrid grid = SimulatedGrid.at("2026-01-05T08:00:00Z");

    private SimulatedScheduler site(Backfilling policy, LocalJob... jobs) {
        grid.site(new SimulatedSite(new SiteId("fzj"))
                .nodes(10)
                .backfilling(policy)
                .workloadFrom(0)
                .workload(new Workload("test", 10, List.of(jobs))));
        return grid.site("fzj");
    }

    @ParameterizedTest
    @EnumSource
    void aShortJobFillsTheGapBeforeTheFirstInTheQueue(Backfilling policy) throws Exception {
        var fzj = site(policy, WIDE, HEAD, new LocalJob(-1, 2, 1800, 3000, 2));

        grid.advance(Duration.ofSeconds(10));

        assertThat(fzj.load()).isEqualTo(new SiteLoad(10, 0, 2, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONSERVATIVE", "EASY"})
    void aJobThatWouldDelayTheFirstInTheQueueWaits(Backfilling policy) throws Exception {
        var fzj = site(policy, WIDE, HEAD, new LocalJob(-1, 2, 1800, 4000, 2));

        grid.advance(Duration.ofSeconds(10));

        assertThat(fzj.load()).isEqualTo(new SiteLoad(10, 2, 1, 2));
    }

    @Test
    void conservativeBackfillingKeepsThePlaceOfTheSecondTooAndEasyDoesNot() throws Exception {
        // The second waits until 7200 s. The third fits beside the head, but into the second's time.
        var second = new LocalJob(-1, 2, 3600, 3600, 10);
        var third = new LocalJob(-1, 3, 600, 8000, 1);
        var wide = new LocalJob(-1, 0, 3600, 3600, 9);
        var head = new LocalJob(-1, 1, 3600, 3600, 8);

        var easy = site(Backfilling.EASY, wide, head, second, third);
        grid.advance(Duration.ofSeconds(10));
        assertThat(easy.load().runningJobs()).isEqualTo(2);

        var other = SimulatedGrid.at("2026-01-05T08:00:00Z");
        other.site(new SimulatedSite(new SiteId("fzj"))
                .nodes(10)
                .workloadFrom(0)
                .workload(new Workload("test", 10, List.of(wide, head, second, third))));
        other.advance(Duration.ofSeconds(10));
        assertThat(other.site("fzj").load().runningJobs()).isEqualTo(1);
    }

    @Test
    void firstFitOvertakesTheFirstInTheQueueUntilItStarves() throws Exception {
        var overtaking = new LocalJob(-1, 2, 1800, 4000, 2);
        var afterADay = new LocalJob(-1, 86_402, 1800, 4000, 2);
        var fzj = site(Backfilling.FIRST_FIT, new LocalJob(-1, 0, 86_500, 86_500, 8), HEAD, overtaking, afterADay);

        grid.advance(Duration.ofSeconds(10));
        assertThat(fzj.load()).isEqualTo(new SiteLoad(10, 0, 2, 1));

        grid.advance(Duration.ofSeconds(86_410));
        assertThat(fzj.load()).isEqualTo(new SiteLoad(10, 2, 1, 2));
    }

    @Test
    void noMoreIsReservedThanTheOwnerAllows() throws Exception {
        grid.site(new SimulatedSite(new SiteId("fzj")).nodes(10).reservableNodes(4));
        var fzj = grid.site("fzj");
        fzj.reserve(new RequestKey("a"), ResourceRequest.nodes(3, Duration.ofHours(1)), grid.nowPlus("PT1H"));

        var two = ResourceRequest.nodes(2, Duration.ofHours(1));

        assertThat(fzj.earliestStart(two, grid.nowPlus("PT1M"))).contains(grid.nowPlus("PT2H"));
        assertThat(fzj.earliestStart(ResourceRequest.nodes(5, Duration.ofHours(1)), grid.now()))
                .isEmpty();
        var window = new TimeSlot(grid.now(), grid.nowPlus("P1D"));
        assertThat(fzj.freeWindows(two, window).starts())
                .containsExactly(
                        new StartInterval(grid.now(), grid.now()),
                        new StartInterval(grid.nowPlus("PT2H"), grid.nowPlus("P1D")));
    }

    @ParameterizedTest
    @EnumSource
    void noJobRunsIntoAReservation(Backfilling policy) throws Exception {
        var fzj = site(policy, new LocalJob(-1, 60, 600, 1800, 1));
        fzj.reserve(new RequestKey("all"), ResourceRequest.nodes(10, Duration.ofHours(1)), grid.nowPlus("PT20M"));

        grid.advance(Duration.ofMinutes(10));
        assertThat(fzj.load()).isEqualTo(new SiteLoad(10, 10, 0, 1));

        grid.advance(Duration.ofMinutes(71));
        assertThat(fzj.load()).isEqualTo(new SiteLoad(10, 9, 1, 0));
    }

    @ParameterizedTest
    @EnumSource
    void whatEndsEarlyIsGivenToThoseWhoWait(Backfilling policy) throws Exception {
        var early = new LocalJob(-1, 0, 600, 3600, 8);
        var fzj = site(policy, early, HEAD);

        grid.advance(Duration.ofSeconds(601));

        assertThat(fzj.load()).isEqualTo(new SiteLoad(10, 0, 1, 0));
    }

    @Test
    void speedShortensJobsAndGapsAlike() throws Exception {
        grid.site(new SimulatedSite(new SiteId("fast"))
                .nodes(10)
                .speed(60)
                .workloadFrom(0)
                .workload(new Workload("test", 10, List.of(WIDE, HEAD))));
        var fast = grid.site("fast");

        grid.advance(Duration.ofSeconds(59));
        assertThat(fast.load()).isEqualTo(new SiteLoad(10, 2, 1, 1));

        grid.advance(Duration.ofSeconds(1));
        assertThat(fast.load()).isEqualTo(new SiteLoad(10, 0, 1, 0));
    }
}
