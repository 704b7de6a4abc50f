package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.agreement.making.NegotiationResult.Declined;
import org.metasched.fakes.FakeSite;
import org.metasched.fakes.FakeSite.Mishap;
import org.metasched.fakes.TestGrid;

/** Renegotiation in place at sites of 64 nodes: where the old and the new do not fit beside each other. */
class InPlaceRenegotiationTest {

    private static final Duration HELD = Duration.ofMinutes(5);
    private static final Instant START = Instant.parse("2026-01-05T10:00:00Z");
    private static final Duration LATEST = Duration.ofHours(3);

    /** The end of a process: nothing it does afterwards reaches the world. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    private static TestGrid grid() {
        var grid = new TestGrid().site("fzj", 64).site("scai", 64);
        grid.sites().forEach(FakeSite::changesInPlace);
        return grid;
    }

    /** One hour from the next one on. */
    private static List<RequestedPart> nodes(int count, String... sites) {
        return Stream.of(sites)
                .map(site -> RequestedPart.at(site, ResourceRequest.nodes(count, Duration.ofHours(1))))
                .toList();
    }

    private static AgreementOffer offer(TestGrid grid, String id, List<RequestedPart> parts) {
        var soon = grid.offer(id, parts);
        return new AgreementOffer(
                soon.key(),
                soon.name(),
                soon.template(),
                List.of(soon.alternatives().get(0).with(parts, Optional.of(START), Optional.of(START.plus(LATEST)))),
                soon.guarantees(),
                soon.expiration(),
                soon.document(),
                soon.acceptance(),
                Optional.empty());
    }

    private static Agreement agreed(TestGrid grid, CreationOutcome outcome) {
        return outcome.<Agreement, RuntimeException>fold(Created::agreement, refused -> {
            throw new AssertionError(refused);
        });
    }

    private static CreationOutcome renegotiate(TestGrid grid, AgreementMaking making, AgreementId old, int nodes)
            throws InterruptedException {
        var offer = offer(grid, "new", nodes(nodes, "fzj", "scai"));
        return making.offers().renegotiate(offer, Optional.empty(), Optional.of(old));
    }

    @ParameterizedTest
    @CsvSource({"40,50", "60,30", "40,64", "30,30"})
    void theReservationsStayAndHoldWhatTheNewAgreementSays(int before, int after) throws Exception {
        try (var grid = grid()) {
            var making = grid.start().making;
            var old = agreed(grid, making.offers().offer(offer(grid, "old", nodes(before, "fzj", "scai"))));

            var made = agreed(grid, renegotiate(grid, making, old.id(), after));

            assertThat(made.keys()).isEqualTo(old.keys());
            assertThat(made.slot()).isEqualTo(old.slot());
            assertThat(making.offers().find(old.id()).orElseThrow().state()).isEqualTo(AgreementState.TERMINATED);
            assertHolds(grid, after, "");
            assertThat(grid.memory.decided(9)).isEmpty();
            making.offers().end(made.id(), "done");
            assertThat(grid.heldEverywhere()).isZero();
        }
    }

    @Test
    void nothingIsHeldInPlaceOfAnAgreementThatIsNotObserved() throws Exception {
        try (var grid = grid()) {
            var making = grid.start().making;
            var offer = offer(grid, "old", nodes(60, "fzj"));
            var pending = grid.memory.save(Agreement.offered(AgreementId.random(), offer, grid.clock.instant()));

            var answer = making.negotiations()
                    .holds()
                    .hold("hold", offer(grid, "new", nodes(30, "fzj")), START, Optional.of(pending.id()));

            assertThat(((Declined) answer).refusal().code()).isEqualTo(RefusalCode.WITHDRAWN);
            assertThat(grid.heldEverywhere()).isZero();
        }
    }

    @Test
    void anotherLengthInTheSameSlotIsTakenInPlaceToo() throws Exception {
        try (var grid = grid()) {
            var making = grid.start().making;
            var old = agreed(grid, making.offers().offer(offer(grid, "old", nodes(60, "fzj"))));
            var longer = List.of(RequestedPart.at("fzj", ResourceRequest.nodes(30, Duration.ofHours(3))));

            var made = agreed(
                    grid,
                    making.offers().renegotiate(offer(grid, "new", longer), Optional.empty(), Optional.of(old.id())));

            var held = grid.at("fzj").held().get(0);
            assertThat(held.slot()).isEqualTo(made.slot().orElseThrow());
            assertThat(held.slot().length()).isEqualTo(Duration.ofHours(3));
            assertThat(held.granted().amount()).isEqualTo(30);
        }
    }

    @Test
    void aSiteThatCannotHoldsBothAndARefusalSaysSo() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64).site("scai", 64)) {
            grid.at("fzj").changesInPlace();
            grid.sites().forEach(site -> site.busy(grid.nowPlus("PT3H"), grid.nowPlus("PT48H"), 64));
            var making = grid.start().making;
            var old = agreed(grid, making.offers().offer(offer(grid, "old", nodes(24, "fzj", "scai"))));

            var refused = renegotiate(grid, making, old.id(), 50);

            assertThat(refused.<String, RuntimeException>fold(Object::toString, no -> no.reason()))
                    .contains("Site scai cannot change a reservation in place.");
            assertHolds(grid, 24, "");
            var made = agreed(
                    grid,
                    making.offers()
                            .renegotiate(
                                    offer(grid, "small", nodes(30, "fzj", "scai")),
                                    Optional.empty(),
                                    Optional.of(old.id())));
            assertThat(made.keys()).doesNotContainAnyElementsOf(old.keys());
            assertHolds(grid, 30, "");
        }
    }

    @Test
    void whatOthersTookMeanwhileIsNotTakenFromThem() throws Exception {
        try (var grid = grid()) {
            var making = grid.start().making;
            var old = agreed(grid, making.offers().offer(offer(grid, "old", nodes(40, "fzj", "scai"))));
            grid.at("scai").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT48H"), 20);

            var refused = renegotiate(grid, making, old.id(), 50);

            assertThat(refused.<Boolean, RuntimeException>fold(made -> false, no -> true))
                    .isTrue();
            assertHolds(grid, 40, "");
            assertThat(making.offers().find(old.id()).orElseThrow().state()).isEqualTo(AgreementState.OBSERVED);
        }
    }

    /** The hold is a widened reservation; when its time is over it holds what it held. */
    @Test
    void aCounterOfferIsHeldInPlaceAndLapses() throws Exception {
        try (var grid = grid()) {
            var making = grid.start().making;
            var old = agreed(grid, making.offers().offer(offer(grid, "old", nodes(40, "fzj", "scai"))));
            var holds = making.negotiations().holds();
            var offer = offer(grid, "new", nodes(50, "fzj", "scai"));
            var until = grid.clock.instant().plus(HELD);

            var held = (Allocated) holds.hold("h", offer, until, Optional.of(old.id()));
            assertThat(Optional.of(held.slot())).isEqualTo(old.slot());
            assertHolds(grid, 50, "");
            grid.start().making.recover();
            grid.start().sweeper.sweep();
            assertHolds(grid, 50, "");
            grid.clock.advance(HELD);
            holds.expire();
            assertHolds(grid, 40, "");

            var again = grid.clock.instant().plus(HELD);
            assertThat(holds.hold("i", offer, again, Optional.of(old.id()))).isInstanceOf(Allocated.class);
            var made = agreed(grid, making.offers().renegotiate(offer, Optional.of("i"), Optional.of(old.id())));
            assertThat(made.keys()).isEqualTo(old.keys());
            assertHolds(grid, 50, "");
        }
    }

    /** The agreement was recorded while the hold was wide, and its target is that width until the next poll. */
    @Test
    void anAttemptAfterAHoldDoesNotWidenForGood() throws Exception {
        try (var grid = grid()) {
            var started = grid.start();
            var making = started.making;
            var old = agreed(grid, making.offers().offer(offer(grid, "old", nodes(40, "fzj", "scai"))));
            grid.sites().forEach(site -> site.busy(grid.nowPlus("PT3H"), grid.nowPlus("PT48H"), 64));
            var until = grid.clock.instant().plus(HELD);
            var holds = making.negotiations().holds();
            assertThat(holds.hold("h", offer(grid, "new", nodes(50, "fzj", "scai")), until, Optional.of(old.id())))
                    .isInstanceOf(Allocated.class);
            started.monitor.poll();
            grid.clock.advance(HELD);
            holds.expire();
            assertHolds(grid, 40, "");

            assertThat(renegotiate(grid, making, old.id(), 60)).isInstanceOf(CreationOutcome.Refused.class);

            assertHolds(grid, 40, "");
            started.monitor.poll();
            var living = making.offers().find(old.id()).orElseThrow();
            assertThat(living.state()).isEqualTo(AgreementState.OBSERVED);
            assertThat(living.commitments())
                    .allSatisfy(part ->
                            assertThat(part.reservation().granted().amount()).isEqualTo(40));
            assertThat(grid.memory.changes(old.keys())).isEmpty();
        }
    }

    /** The repair gives back a reservation that the hold has widened. */
    @Test
    void aHoldWhoseReservationWasRepairedMeanwhileIsMadeAnew() throws Exception {
        try (var grid = grid()) {
            var started = grid.start();
            var making = started.making;
            var old = agreed(grid, making.offers().offer(offer(grid, "old", nodes(30, "fzj", "scai"))));
            var offer = offer(grid, "new", nodes(32, "fzj", "scai"));
            var until = grid.clock.instant().plus(HELD);
            assertThat(making.negotiations().holds().hold("h", offer, until, Optional.of(old.id())))
                    .isInstanceOf(Allocated.class);
            var last = old.commitments().get(1);
            var degraded = new SiteCommitment(
                    last.term(),
                    last.service(),
                    last.site(),
                    last.reservation(),
                    last.state(),
                    List.of("n17"),
                    Optional.empty());
            var parts = List.of(old.commitments().get(0), degraded);
            assertThat(making.repair().repair(grid.memory.save(old.withParts(parts, grid.clock.instant())), false))
                    .isTrue();

            var made = agreed(grid, making.offers().renegotiate(offer, Optional.of("h"), Optional.of(old.id())));

            assertHolds(grid, 32, "");
            started.monitor.poll();
            assertThat(making.offers().find(made.id()).orElseThrow().state()).isEqualTo(AgreementState.OBSERVED);
            assertThat(grid.memory.changes(made.keys())).isEmpty();
        }
    }

    /** At each step there is: before each durable write, and on either side of each effect at a site. */
    @ParameterizedTest
    @EnumSource(
            value = Mishap.class,
            names = {"NONE", "REFUSE", "LOSE_ANSWER", "LOSE_REQUEST", "ARRIVE_LATE"})
    void aCrashAtAnyStepLeavesTheOldOrTheNew(Mishap mishap) throws Exception {
        int replaced = 0;
        int crashes = 0;
        for (int[] nodes : new int[][] {{40, 50}, {60, 30}}) {
            for (boolean isHeld : new boolean[] {false, true}) {
                boolean crashed = true;
                for (int step = 1; crashed; step++) {
                    try (var grid = grid()) {
                        var where =
                                mishap + ", " + nodes[0] + " to " + nodes[1] + ", held " + isHeld + ", step " + step;
                        var making = grid.start().making;
                        var old =
                                agreed(grid, making.offers().offer(offer(grid, "old", nodes(nodes[0], "fzj", "scai"))));
                        grid.at("scai").nextChanges(mishap);
                        crashed = crashes(grid, making, old.id(), nodes[1], isHeld, step);
                        crashes += crashed ? 1 : 0;
                        replaced += restart(grid, old, nodes, where);
                    }
                }
            }
        }
        assertThat(crashes).isGreaterThan(30);
        assertThat(replaced).isPositive();
    }

    private static boolean crashes(
            TestGrid grid, AgreementMaking making, AgreementId old, int nodes, boolean isHeld, int crashAt)
            throws InterruptedException {
        var steps = new AtomicInteger();
        Runnable step = () -> {
            if (steps.incrementAndGet() >= crashAt) {
                throw new Crash();
            }
        };
        grid.sites().forEach(site -> site.around(step));
        grid.memory.beforeWrite(step);
        try {
            if (isHeld) {
                var until = grid.clock.instant().plus(HELD);
                var offer = offer(grid, "new", nodes(nodes, "fzj", "scai"));
                making.negotiations().holds().hold("h", offer, until, Optional.of(old));
                making.offers().renegotiate(offer, Optional.of("h"), Optional.of(old));
            } else {
                renegotiate(grid, making, old, nodes);
            }
            return steps.get() >= crashAt;
        } catch (Crash e) {
            return true;
        }
    }

    /** @return 1 if the new agreement lives */
    private static int restart(TestGrid grid, Agreement old, int[] nodes, String where) throws Exception {
        grid.memory.beforeWrite(() -> {});
        grid.sites().forEach(site -> site.around(() -> {}));
        var restarted = grid.start();
        restarted.making.recover();
        restarted.sweeper.sweep();
        grid.sites().forEach(FakeSite::deliverLate);
        grid.clock.advance(TestGrid.GRACE.plus(HELD));
        restarted.making.negotiations().expire();
        restarted.sweeper.sweep();
        restarted.monitor.poll();

        var living = restarted.service.newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 9);
        assertThat(living).as(where).hasSize(1);
        boolean isOld = living.get(0).id().equals(old.id());
        assertHolds(grid, nodes[isOld ? 0 : 1], where);
        assertThat(living.get(0).commitments())
                .as(where)
                .allSatisfy(part ->
                        assertThat(part.reservation().granted().amount()).isEqualTo(nodes[isOld ? 0 : 1]));
        assertThat(grid.memory.decided(9)).as(where).isEmpty();
        assertThat(grid.memory.changes(old.keys())).as(where).isEmpty();
        assertThat(restarted.service.newest(Set.of(AgreementState.OBSERVED_AND_TERMINATING), Optional.empty(), 9))
                .as(where)
                .isEmpty();
        return isOld ? 0 : 1;
    }

    private static void assertHolds(TestGrid grid, int nodes, String where) {
        for (var site : grid.sites()) {
            if (grid.sites().size() == 2 && !site.held().isEmpty()) {
                assertThat(site.held())
                        .as(where + " at " + site.site())
                        .singleElement()
                        .extracting((Reservation held) -> held.granted().amount())
                        .isEqualTo(nodes);
            }
        }
        assertThat(grid.heldEverywhere()).as(where).isEqualTo(2);
    }
}
