package org.metasched.negotiation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.SiteId;
import org.metasched.fakes.FakeSite.Mishap;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationJournal.Standing;
import org.metasched.sites.UnknownSiteException;

@Timeout(60)
class ParallelNegotiationTest {

    private final TestGrid grid =
            new TestGrid().site("fzj", 64).site("scai", 32).site("cesca", 16);

    @AfterEach
    void end() {
        grid.close();
    }

    @Test
    void reservesTheEarliestCommonStartAtEverySite() throws Exception {
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT2H"), 60);
        grid.at("scai").busy(grid.nowPlus("PT3H"), grid.nowPlus("PT4H"), 32);

        var outcome = negotiate(16, "fzj", "scai", "cesca");

        assertThat(outcome).isInstanceOfSatisfying(CoAllocated.class, c -> {
            assertThat(c.start()).isEqualTo(grid.nowPlus("PT2H"));
            assertThat(c.reservations()).extracting(r -> r.site().value()).containsExactly("fzj", "scai", "cesca");
            assertThat(c.effort().attempts()).isEqualTo(1);
        });
        assertThat(grid.heldEverywhere()).isEqualTo(3);
        assertThat(grid.memory.entries())
                .extracting(ReservationJournal.Entry::standing)
                .containsOnly(Standing.INTENDED);
    }

    @Test
    void saysWhichSiteHasNoRoomAndHoldsNothing() throws Exception {
        grid.at("scai").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT48H"), 20);

        var outcome = negotiate(16, "fzj", "scai");

        assertThat(outcome).isInstanceOfSatisfying(NoCommonSlot.class, n -> {
            assertThat(n.exhausted()).isEqualTo(new SiteId("scai"));
            assertThat(n.byPreview()).isFalse();
        });
        assertNothingIsLeft();
    }

    @Test
    void saysWhenOnlyTheLookAheadIsInTheWay() throws Exception {
        grid.at("scai").previews(new PreviewWindow(Duration.ofHours(3)));
        grid.at("scai").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT5H"), 32);

        var outcome = negotiate(16, "fzj", "scai");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        NoCommonSlot.class, n -> assertThat(n.byPreview()).isTrue());
    }

    @Test
    void releasesEverythingWhenOneSiteGrantsALaterStartAndByListing1GoesOnFromThere() throws Exception {
        for (var strategy : SearchStrategy.values()) {
            grid.at("scai").next(Mishap.GRANT_LATER);

            var outcome = grid.start(strategy).engine.negotiate(grid.request(8, "fzj", "scai"));

            assertThat(outcome).isInstanceOfSatisfying(CoAllocated.class, c -> {
                assertThat(c.start()).isEqualTo(grid.nowPlus(strategy == SearchStrategy.LISTING1 ? "PT1H" : "PT1S"));
                assertThat(c.effort().attempts()).isEqualTo(2);
            });
        }
        assertThat(grid.at("fzj").held()).hasSize(2);
        assertThat(grid.at("scai").held()).hasSize(2);
    }

    /** A site that never confirms is passed over in steps that double, so that time and not a number of attempts ends it. */
    @Test
    void aSiteThatRefusesAgainAndAgainIsLeftForALaterTime() throws Exception {
        grid.at("scai").next(Collections.nCopies(12, Mishap.REFUSE).toArray(Mishap[]::new));

        var outcome = grid.attempts(100).start().engine.negotiate(grid.request(16, "fzj", "scai"));

        assertThat(outcome).isInstanceOfSatisfying(CoAllocated.class, c -> {
            assertThat(c.start()).isEqualTo(grid.nowPlus("PT1H8M15S"));
            assertThat(c.effort().attempts()).isEqualTo(13);
        });
        assertThat(grid.heldEverywhere()).isEqualTo(2);
    }

    @Test
    void aRuleThatForbidsTheLastAttemptIsNamedWithThePart() throws Exception {
        grid.at("scai").next(Collections.nCopies(3, Mishap.FORBID).toArray(Mishap[]::new));

        var outcome = grid.attempts(3).start().engine.negotiate(grid.request(16, "fzj", "scai"));

        assertThat(outcome).isInstanceOfSatisfying(Abandoned.class, a -> {
            assertThat(a.why()).isEqualTo(Why.SITE_REFUSES);
            assertThat(a.cause()).isEqualTo(new SiteId("scai"));
            assertThat(a.reason())
                    .isEqualTo(
                            "Given up after 3 attempts. "
                                    + "Part 2 of 2 (16 nodes for PT1H): rule fair, most-reservations: 2 are held already, of 2");
        });
        assertNothingIsLeft();
    }

    /** The site that forbids is named, not another that lost a race in the same attempt; a race that came later is one. */
    @Test
    void aRuleComesBeforeARaceOfTheSameAttemptAndNotBeforeALaterOne() throws Exception {
        grid.at("fzj").next(Mishap.REFUSE);
        grid.at("scai").next(Mishap.FORBID);

        var ruled = grid.attempts(1).start().engine.negotiate(grid.request(16, "fzj", "scai"));

        grid.at("scai").next(Mishap.FORBID, Mishap.REFUSE);

        var raced = grid.attempts(2).start().engine.negotiate(grid.request(16, "fzj", "scai"));

        assertThat(ruled).isInstanceOfSatisfying(Abandoned.class, a -> {
            assertThat(a.why()).isEqualTo(Why.SITE_REFUSES);
            assertThat(a.cause()).isEqualTo(new SiteId("scai"));
        });
        assertThat(raced)
                .isInstanceOfSatisfying(
                        Abandoned.class, a -> assertThat(a.why()).isEqualTo(Why.OUTRUN));
    }

    @Test
    void whatASiteMadeUnderAForeignKeyIsGivenBack() throws Exception {
        var started = grid.start();
        grid.at("scai").next(Mishap.FOREIGN_KEY);

        var outcome = started.engine.negotiate(grid.request(16, "fzj", "scai"));
        started.sweeper.sweep();

        assertThat(outcome).isInstanceOf(CoAllocated.class);
        assertThat(grid.at("scai").held()).extracting(r -> r.key().value()).noneMatch(key -> key.endsWith("x"));
        assertThat(grid.at("scai").held()).hasSize(1);
    }

    @Test
    void goesOnStrictlyLaterWhenASiteRefusesWhatItPreviewed() throws Exception {
        grid.at("fzj").next(Mishap.REFUSE);

        var outcome = negotiate(16, "fzj", "scai");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CoAllocated.class, c -> assertThat(c.start()).isEqualTo(grid.nowPlus("PT1S")));
        assertThat(grid.heldEverywhere()).isEqualTo(2);
    }

    @Test
    void aLostAnswerIsFoundAgainAndCountsAsConfirmed() throws Exception {
        grid.at("fzj").next(Mishap.LOSE_ANSWER);

        var outcome = negotiate(16, "fzj", "scai");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CoAllocated.class,
                        c -> assertThat(c.effort().attempts()).isEqualTo(1));
        assertThat(grid.heldEverywhere()).isEqualTo(2);
    }

    @Test
    void aRequestThatMayStillArriveStaysInTheJournalUntilItIsCertain() throws Exception {
        var started = grid.start();
        grid.at("fzj").next(Mishap.ARRIVE_LATE);

        var outcome = started.engine.negotiate(grid.request(16, "fzj", "scai"));
        grid.at("fzj").deliverLate();
        var early = started.sweeper.sweep();

        assertThat(outcome).isInstanceOf(CoAllocated.class);
        assertThat(early.released()).isEqualTo(1);
        assertThat(grid.at("fzj").held()).hasSize(1);
    }

    @Test
    void aRequestThatNeverArrivesIsForgottenAfterTheGrace() throws Exception {
        var started = grid.start();
        grid.at("fzj").next(Mishap.LOSE_REQUEST);
        started.engine.negotiate(grid.request(16, "fzj", "scai"));

        var early = started.sweeper.sweep();
        grid.clock.advance(TestGrid.GRACE);
        var late = started.sweeper.sweep();

        assertThat(early).isEqualTo(new OrphanSweeper.Report(0, 1, 0));
        assertThat(late).isEqualTo(new OrphanSweeper.Report(1, 0, 0));
    }

    @Test
    void aCancelThatFailsOnceIsTriedAgain() throws Exception {
        grid.at("scai").next(Mishap.REFUSE);
        grid.at("fzj").failsToCancel(1);

        negotiate(16, "fzj", "scai");

        assertThat(grid.heldEverywhere()).isEqualTo(2);
    }

    @Test
    void whatCannotBeCancelledIsReportedAndLeftToTheSweeper() throws Exception {
        var started = grid.start();
        grid.at("scai").next(Mishap.REFUSE, Mishap.REFUSE, Mishap.REFUSE, Mishap.REFUSE, Mishap.REFUSE);
        grid.at("fzj").failsToCancel(100);

        var outcome = started.engine.negotiate(grid.request(8, "fzj", "scai"));

        assertThat(outcome).isInstanceOfSatisfying(Abandoned.class, a -> {
            assertThat(a.why()).isEqualTo(Why.OUTRUN);
            assertThat(a.cause()).isEqualTo(new SiteId("scai"));
            assertThat(a.orphans()).hasSize(5);
        });
        assertThat(grid.at("fzj").held()).hasSize(5);
        grid.at("fzj").failsToCancel(0);
        started.sweeper.sweep();
        assertNothingIsLeft();
    }

    @Test
    void aSiteThatIsDownIsNamedBeforeAnythingIsReserved() throws Exception {
        grid.at("cesca").down(true);

        var outcome = negotiate(8, "fzj", "cesca");

        assertThat(outcome).isInstanceOfSatisfying(Abandoned.class, a -> {
            assertThat(a.why()).isEqualTo(Why.SITE_UNAVAILABLE);
            assertThat(a.cause()).isEqualTo(new SiteId("cesca"));
        });
        assertNothingIsLeft();
    }

    @Test
    void aSiteThatHangsCostsItsTimeoutAndNoMore() throws Exception {
        grid.timeout(Duration.ofMillis(200));
        grid.at("fzj").next(Mishap.HANG);

        var outcome = negotiate(8, "fzj", "scai");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CoAllocated.class, c -> assertThat(c.effort().took()).isLessThan(Duration.ofSeconds(5)));
        assertThat(grid.at("scai").held()).hasSize(1);
    }

    @Test
    void sitesOnACoarseGridBookTheIntervalThatCovers() throws Exception {
        grid.at("scai").previews(new PreviewWindow(Duration.ofDays(7), Duration.ofMinutes(15)));
        grid.clock.advance(Duration.ofSeconds(100));

        var outcome = negotiate(8, "fzj", "scai");

        assertThat(outcome).isInstanceOfSatisfying(CoAllocated.class, c -> {
            assertThat(c.start()).isEqualTo(grid.clock.instant());
            assertThat(c.reservations().get(1).reservation().slot().length()).isEqualTo(Duration.ofMinutes(75));
        });
    }

    @Test
    void interruptionGivesBackWhatWasMade() throws Exception {
        var started = grid.start();
        grid.at("fzj").next(Mishap.HANG);
        var thrown = new AtomicReference<Throwable>();
        var interrupted = new CompletableFuture<Boolean>();
        var thread = new Thread(() -> {
            try {
                started.engine.negotiate(grid.request(8, "fzj", "scai"));
            } catch (Throwable t) {
                thrown.set(t);
            } finally {
                interrupted.complete(true);
            }
        });

        thread.start();
        Awaitility.await().until(() -> grid.at("scai").held().size() == 1);
        thread.interrupt();
        interrupted.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(grid.at("scai").held()).isEmpty();
        grid.clock.advance(TestGrid.GRACE);
        started.sweeper.sweep();
        assertNothingIsLeft();
    }

    @Test
    void anUnknownSiteIsRefusedBeforeAnythingIsAsked() {
        assertThatThrownBy(() -> negotiate(8, "fzj", "nowhere")).isInstanceOf(UnknownSiteException.class);

        assertThat(grid.at("fzj").questions()).isZero();
    }

    private NegotiationOutcome negotiate(int nodes, String... sites) throws InterruptedException {
        return grid.start().engine.negotiate(grid.request(nodes, sites));
    }

    private void assertNothingIsLeft() {
        assertThat(grid.heldEverywhere()).isZero();
        assertThat(grid.memory.entries()).isEmpty();
    }
}
