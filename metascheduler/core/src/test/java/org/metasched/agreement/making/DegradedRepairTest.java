package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.TermAlternative;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.choice.Preference;
import org.metasched.fakes.FakeSite.Mishap;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.TemporalConstraint;
import org.metasched.subscription.NoticeOccasion;

/** Nodes that are lost before the slot. */
class DegradedRepairTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestGrid grid = new TestGrid().site("fzj", 64).site("scai", 32);

    @BeforeEach
    void nothingStartsWithinTheHour() {
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 64);
    }

    @AfterEach
    void end() {
        grid.close();
    }

    @Test
    void aWholeReservationTakesThePlaceOfADegradedOne() throws Exception {
        var started = grid.onDegraded(OnDegraded.REPLACE).start();
        var made = create(started, grid.offer("o1", 16, "fzj", "scai"));
        grid.at("scai").loseNodesOf(key(made, 1), "n17");

        started.monitor.poll();

        Awaitility.await().until(() -> !stored(made).keys().equals(made.keys()));
        Awaitility.await().until(() -> started.making.underWay().count() == 0);
        var mended = stored(made);
        assertThat(mended.state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(mended.slot()).isEqualTo(made.slot());
        assertThat(mended.commitments().get(0)).isEqualTo(made.commitments().get(0));
        assertThat(mended.commitments().get(1).lostNodes()).isEmpty();
        assertThat(mended.commitments().get(1).reservation().slot())
                .isEqualTo(made.commitments().get(1).reservation().slot());
        assertThat(held()).containsExactlyInAnyOrderElementsOf(mended.keys());
        assertThat(started.service.history().history(made.id()))
                .extracting(AgreementEvent::what)
                .anyMatch(what -> what.contains("without nodes [n17]"))
                .anyMatch(what -> what.contains("in the place of "
                        + made.commitments().get(1).reservation().id()));
        started.monitor.poll();
        assertThat(stored(made).guarantees()).containsEntry("WHOLE", GuaranteeState.NOT_DETERMINED);
    }

    @Test
    void theOfferDecidesAndWithoutRoomNothingChanges() throws Exception {
        var started = grid.onDegraded(OnDegraded.END).start();
        var made = create(started, asking(grid.offer("o1", 32, "scai"), OnDegraded.REPLACE));
        grid.at("scai").loseNodesOf(key(made, 0), "n17");

        started.monitor.poll();

        Awaitility.await().until(() -> started.making.underWay().count() == 0);
        assertThat(stored(made).state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(stored(made).keys()).isEqualTo(made.keys());
        assertThat(stored(made).guarantees()).containsEntry("WHOLE", GuaranteeState.VIOLATED);
        assertThat(held()).containsExactlyInAnyOrderElementsOf(made.keys());
    }

    @Test
    void whereASiteHasNoRoomAllIsNegotiatedAnewForTheSameTime() throws Exception {
        var started = grid.start(request -> new Candidates(
                List.of(Stream.of("fzj", "scai")
                        .map(site -> new Place(new SiteId(site), site, 0, 0, 0))
                        .toList()),
                List.of(),
                Optional.empty()));
        var open = new RequestedPart(
                "part", "part", Optional.empty(), ResourceRequest.nodes(32, HOUR), Optional.of("true"));
        var made = create(started, ways(way(0, open)));
        var first = made.commitments().get(0).site().value();
        grid.clock.advance(Duration.ofMinutes(10));
        grid.at(first).busy(grid.nowPlus("PT0S"), grid.nowPlus("PT24H"), 32);
        var degraded = lose(made, "n17");

        assertThat(started.making.repair().repair(degraded, false)).isFalse();
        assertThat(started.making.repair().repair(degraded, true)).isTrue();

        assertThat(stored(made).commitments().get(0).site().value()).isNotEqualTo(first);
        assertThat(stored(made).slot()).isEqualTo(made.slot());
        assertThat(held()).containsExactlyInAnyOrderElementsOf(stored(made).keys());
    }

    @Test
    void aRepairTakesNoOtherAlternativeThanTheAgreedOne() throws Exception {
        var started = grid.start();
        var made = create(started, ways(way(0, at("scai")), way(1, at("fzj"))));
        assertThat(made.commitments().get(0).site().value()).isEqualTo("scai");
        assertThat(made.offer().alternatives())
                .as("the agreement has the one that was taken")
                .containsExactly(way(0, at("scai")));
        assertThat(started.service.history().history(made.id()).get(0).what()).contains("2 alternatives");

        assertThat(started.making.repair().repair(lose(made, "n17"), true)).isFalse();

        assertThat(stored(made).keys()).isEqualTo(made.keys());
        assertThat(held()).containsExactlyInAnyOrderElementsOf(made.keys());
    }

    @Test
    void ofAlternativesThatDifferInRequirementsOnlyTheAgreementHasTheOneThatWasTaken() throws Exception {
        var started = grid.start(request -> new Candidates(
                List.of(Stream.of("scai")
                        .filter(site -> request.parts().get(0).requirements().equals(Optional.of("fast")))
                        .map(site -> new Place(new SiteId(site), site, 0, 0, 0))
                        .toList()),
                List.of(),
                Optional.empty()));
        var slow = way(0, anywhere("slow"));
        var fast = way(1, anywhere("fast"));
        var made = create(started, ways(slow, fast));
        var held = grid.offer("o2", List.of(at("scai"))).with(List.of(slow, fast), List.of());
        started.making.negotiations().holds().hold("h", held, grid.nowPlus("PT5M"), Optional.empty());
        var ofHold = ((Created) started.service.renegotiate(held, Optional.of("h"), Optional.empty())).agreement();

        assertThat(made.offer().alternatives()).containsExactly(fast);
        assertThat(ofHold.offer().alternatives()).containsExactly(fast);
        assertThat(grid.heldEverywhere()).isEqualTo(2);
    }

    private static RequestedPart anywhere(String requirements) {
        return new RequestedPart(
                "part", "part", Optional.empty(), ResourceRequest.nodes(16, HOUR), Optional.of(requirements));
    }

    @Test
    void aRepairOfAWorkflowDoesNotMoveItsStart() throws Exception {
        var started = grid.start();
        grid.at("fzj").busy(grid.nowPlus("PT1H"), grid.nowPlus("PT4H"), 64);
        var any = new TemporalConstraint("scai", "fzj", true, Duration.ZERO, Optional.empty());
        var workflow = new AgreementRequest(
                List.of(at("fzj"), at("scai")),
                Optional.of(grid.nowPlus("PT1H")),
                Optional.of(grid.nowPlus("PT24H")),
                Preference.START,
                List.of(any),
                Optional.empty());
        var made = create(started, ways(workflow));
        assertThat(made.slot()).contains(new TimeSlot(grid.nowPlus("PT1H"), grid.nowPlus("PT5H")));

        assertThat(started.making.repair().repair(lose(made, "n17"), true)).isFalse();

        assertThat(stored(made).keys()).isEqualTo(made.keys());
        assertThat(held()).containsExactlyInAnyOrderElementsOf(made.keys());
    }

    @Test
    void anAgreementThatChangedOrBeganMeanwhileIsLeftAsItIs() throws Exception {
        var started = grid.start();
        var made = create(started, grid.offer("o1", 16, "fzj", "scai"));
        var degraded = lose(made, "n17");
        var start = made.slot().orElseThrow().start();
        grid.at("scai").around(() -> {
            if (grid.at("scai").held().size() == 2 && grid.clock.instant().isBefore(start)) {
                grid.clock.advance(Duration.between(grid.clock.instant(), start));
            }
        });

        assertThat(started.making.repair().repair(degraded, false)).isFalse();

        grid.at("scai").around(() -> {});
        assertThat(grid.clock.instant()).isEqualTo(start);
        assertThat(held()).containsExactlyInAnyOrderElementsOf(made.keys());
        started.service.end(made.id(), "enough");
        assertThat(started.making.repair().repair(degraded, false)).isFalse();
        assertThat(held()).isEmpty();
    }

    @Tag("full")
    @Test
    void aCrashAnywhereLeavesTheOldOrTheNewAndNothingElse() throws Exception {
        int mended = 0;
        int crashed = 0;
        for (int crashAt = 1; crashAt <= 18; crashAt++) {
            for (var mishap : List.of(Mishap.NONE, Mishap.LOSE_ANSWER, Mishap.ARRIVE_LATE)) {
                try (var one = new TestGrid().site("fzj", 64).site("scai", 64)) {
                    one.at("fzj").busy(one.nowPlus("PT0S"), one.nowPlus("PT1H"), 64);
                    boolean[] ends = crash(one, crashAt, mishap);
                    crashed += ends[0] ? 1 : 0;
                    mended += ends[1] ? 1 : 0;
                }
            }
        }
        assertThat(crashed).isGreaterThan(10);
        assertThat(mended).isGreaterThan(3);
    }

    private static boolean[] crash(TestGrid one, int crashAt, Mishap mishap) throws Exception {
        var started = one.start();
        var made = create(started, one.offer("o1", 16, "fzj", "scai"));
        for (var part : made.commitments()) {
            one.at(part.site().value()).loseNodesOf(part.reservation().key(), "n17");
        }
        started.monitor.poll();
        var degraded = one.memory.find(made.id()).orElseThrow();
        one.at("scai").next(mishap);
        var steps = new AtomicInteger();
        Runnable step = () -> {
            if (steps.incrementAndGet() == crashAt) {
                throw new Crash();
            }
        };
        one.sites().forEach(site -> site.around(step));
        one.memory.beforeWrite(step);
        boolean crashed = false;
        try {
            started.making.repair().repair(degraded, false);
        } catch (Crash e) {
            crashed = true;
        }
        one.memory.beforeWrite(() -> {});
        one.sites().forEach(site -> site.around(() -> {}));
        var restarted = one.start();
        restarted.making.recover();
        one.sites().forEach(site -> site.deliverLate());
        one.clock.advance(TestGrid.GRACE.plusSeconds(1));
        restarted.sweeper.sweep();

        var after = one.memory.find(made.id()).orElseThrow();
        Set<RequestKey> held = one.sites().stream()
                .flatMap(site -> site.held().stream())
                .map(Reservation::key)
                .collect(Collectors.toSet());
        assertThat(held).as("crash at %d, %s", crashAt, mishap).containsExactlyInAnyOrderElementsOf(after.keys());
        boolean isNew = !after.keys().equals(made.keys());
        assertThat(after.keys()).as("never half").allMatch(key -> made.keys().contains(key) != isNew);
        return new boolean[] {crashed, isNew};
    }

    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    private static RequestedPart at(String site) {
        return RequestedPart.at(site, ResourceRequest.nodes(32, HOUR));
    }

    private AgreementRequest way(int order, RequestedPart part) {
        return new AgreementRequest(
                List.of(part),
                Optional.of(grid.nowPlus("PT1H")),
                Optional.of(grid.nowPlus("PT24H")),
                Preference.START,
                List.of(),
                Optional.of(new TermAlternative(order, List.of("WHOLE"))));
    }

    private AgreementOffer ways(AgreementRequest... ways) {
        var offer = grid.offer("o1", 32, "scai");
        return offer.with(List.of(ways), offer.guarantees());
    }

    private static AgreementOffer asking(AgreementOffer offer, OnDegraded policy) {
        var later = offer.alternatives().get(0);
        return new AgreementOffer(
                offer.key(),
                "",
                offer.template(),
                List.of(later.with(
                        later.parts(), later.earliest().map(e -> e.plus(Duration.ofHours(1))), later.deadline())),
                offer.guarantees(),
                Optional.empty(),
                offer.document(),
                Optional.empty(),
                Optional.of(policy));
    }

    @Test
    void aRepairThatFoundTheServerBusyIsTriedAtTheNextPoll() throws Exception {
        var started = grid.onDegraded(OnDegraded.REPLACE).start();
        var made = create(started, grid.offer("o1", 16, "fzj", "scai"));
        var degraded = lose(made, "n17");
        var underWay = started.making.underWay();
        int taken = underWay.free();
        for (int i = 0; i < taken; i++) {
            assertThat(underWay.tryBegin()).isTrue();
        }
        started.making.repair().begin(degraded, false);
        for (int i = 0; i < taken; i++) {
            underWay.end();
        }

        started.making.repair().begin(degraded, false);

        Awaitility.await().until(() -> !stored(made).keys().equals(made.keys()));
    }

    @Test
    void otherReservationsAreAMoveHoweverManyTheyAre() throws Exception {
        var started = grid.start();
        var two = create(started, grid.offer("o1", 8, "fzj", "scai"));
        var one = create(started, grid.offer("o2", 16, "fzj"));

        var replaced = two.withParts(one.commitments(), grid.clock.instant());

        assertThat(NoticeOccasion.between(two, replaced)).containsExactly(NoticeOccasion.MOVED);
        assertThat(NoticeOccasion.between(two, lose(two, "n3"))).containsExactly(NoticeOccasion.DEGRADED);
    }

    @Test
    void aWorkflowHasStartedOnce() throws Exception {
        var made = create(grid.start(), grid.offer("o1", 8, "fzj", "scai"));
        var first = inStates(made, ReservationState.ACTIVE, ReservationState.RESERVED);
        var between = inStates(made, ReservationState.FINISHED, ReservationState.RESERVED);
        var second = inStates(made, ReservationState.FINISHED, ReservationState.ACTIVE);

        assertThat(NoticeOccasion.between(made, first)).containsExactly(NoticeOccasion.STARTED);
        assertThat(NoticeOccasion.between(first, between)).isEmpty();
        assertThat(NoticeOccasion.between(between, second)).isEmpty();
    }

    private Agreement inStates(Agreement made, ReservationState... states) {
        var parts = IntStream.range(0, states.length)
                .mapToObj(i -> made.commitments().get(i).withState(states[i]))
                .toList();
        return made.withParts(parts, grid.clock.instant());
    }

    @Test
    void aRepairAsksForWhatTheAgreedAlternativeSays() throws Exception {
        grid.at("scai").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 32);
        var started = grid.start();
        var hour = Duration.ofHours(1);
        var gpus = new Need.Nodes(8, 1, new TreeSet<>(Set.of("gpu")));
        var offer = grid.offer("o1", 8, "scai");
        var soon = new AgreementRequest(
                List.of(RequestedPart.at("scai", new ResourceRequest(gpus, hour, Optional.empty()))),
                Optional.of(grid.nowPlus("PT0S")),
                Optional.of(grid.nowPlus("PT1H")));
        var made = create(started, offer.with(List.of(soon, offer.alternatives().get(0)), offer.guarantees()));

        assertThat(started.making.repair().repair(lose(made, "n17"), false)).isTrue();

        assertThat(stored(made).commitments().get(0).reservation().granted()).isEqualTo(new Need.Nodes(8));
    }

    private Agreement lose(Agreement made, String node) {
        var last = made.commitments().get(made.commitments().size() - 1);
        var parts = new java.util.ArrayList<>(made.commitments());
        parts.set(
                parts.size() - 1,
                new SiteCommitment(
                        last.term(),
                        last.service(),
                        last.site(),
                        last.reservation(),
                        last.state(),
                        List.of(node),
                        Optional.empty()));
        return grid.memory.save(made.withParts(parts, grid.clock.instant()));
    }

    private static Agreement create(TestGrid.Started started, AgreementOffer offer) throws InterruptedException {
        return ((Created) started.service.offer(offer)).agreement();
    }

    private Agreement stored(Agreement agreement) {
        return grid.memory.find(agreement.id()).orElseThrow();
    }

    private static RequestKey key(Agreement agreement, int part) {
        return agreement.commitments().get(part).reservation().key();
    }

    private List<RequestKey> held() {
        return grid.sites().stream()
                .flatMap(site -> site.held().stream())
                .map(Reservation::key)
                .toList();
    }
}
