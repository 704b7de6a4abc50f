package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRepository.Held;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.OfferService.Replacing;
import org.metasched.fakes.FakeSite.Mishap;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.SplitRequest;

class QuotaUsageTest {

    /** No agreement with more than ten node hours. */
    private static final OfferQuota TEN_NODE_HOURS = new OfferQuota() {
        @Override
        public Optional<Runnable> begin() {
            return Optional.of(() -> {});
        }

        @Override
        public Optional<String> exceeded(double nodeHours, Function<Predicate<String>, Held> held) {
            return nodeHours > 10 ? Optional.of("has " + nodeHours + " node-hours") : Optional.empty();
        }
    };

    @Test
    void eachAlternativeOfAnOfferCountsByItself() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var offers = grid.start().service;
            var large = grid.offer("a", 40, "fzj");
            var small = grid.offer("b", 4, "fzj");
            var unknown = grid.offer("c", 4, "nowhere");

            assertThat(within(offers, large.with(concat(unknown, large), large.guarantees())))
                    .isInstanceOfSatisfying(
                            Refused.class, refused -> assertThat(refused.code()).isEqualTo(RefusalCode.SITE_UNKNOWN));
            assertThat(within(offers, large))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.reason()).contains("has 40.0 node-hours"));
            assertThat(within(offers, small.with(concat(large, small), small.guarantees())))
                    .isInstanceOfSatisfying(
                            Created.class,
                            created ->
                                    assertThat(created.agreement().nodeHours()).isEqualTo(4));
        }
    }

    /** The part takes twice as long in pieces. */
    @Test
    void anOfferCountsByItsLongestVariant() {
        var part = new RequestedPart(
                "all",
                "all",
                Optional.empty(),
                ResourceRequest.nodes(4, Duration.ofHours(1)),
                Optional.of("true"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new SplitRequest(1, 4, 1, 100)));

        assertThat(new AgreementRequest(List.of(part), Optional.empty(), Optional.empty()).nodeHours())
                .isEqualTo(8);
    }

    @Test
    void anAgreementThatIsReplacedDoesNotCount() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var offers = grid.start().service;
            var old =
                    Optional.of(created(offers.offer(grid.offer("a", 6, "fzj"))).id());
            var other = created(offers.offer(grid.offer("b", 2, "fzj")));

            assertThat(offers.within(QUOTA, () -> grid.offer("c", 1, "fzj"), offers::offer))
                    .isInstanceOf(Refused.class);
            assertThat(replace(offers, old, grid.offer("c", 9, "fzj"))).isInstanceOf(Refused.class);
            assertThat(replace(offers, old, grid.offer("c", 8, "fzj"))).isInstanceOf(Created.class);
            assertThat(replace(offers, old, grid.offer("d", 1, "fzj")))
                    .as("has ended")
                    .isInstanceOf(Refused.class);
            assertThat(offers.find(other.id()).orElseThrow().state()).isEqualTo(AgreementState.OBSERVED);
        }
    }

    @Test
    void anOfferThatWasDecidedGetsItsAgreementAgain() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var offers = grid.start().service;
            var made = created(offers.within(QUOTA, () -> grid.offer("a", 10, "fzj"), offers::offer));

            assertThat(offers.within(QUOTA, () -> grid.offer("b", 10, "fzj"), offers::offer))
                    .isInstanceOf(Refused.class);
            assertThat(offers.within(QUOTA, () -> grid.offer("a", 10, "fzj"), offers::offer))
                    .isEqualTo(new Created(made, true));
        }
    }

    @Test
    void pendingOffersCountWithWhatTheyAskFor() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var offers = grid.start().service;
            grid.at("fzj").next(Mishap.HANG);

            assertThat(offers.within(QUOTA, () -> grid.offer("a", 8, "fzj"), offers::offerPending))
                    .isInstanceOf(Created.class);
            assertThat(offers.within(QUOTA, () -> grid.offer("b", 8, "fzj"), offers::offerPending))
                    .isInstanceOf(Refused.class);
        }
    }

    /** Each of the offers begins while the one before is negotiated. */
    @Test
    void whatIsAskedForAtTheSameTimeCounts() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var offers = grid.start().service;
            var old = created(offers.offer(grid.offer("a", 4, "fzj"))).id();
            var second = grid.offer("b", 3, "fzj");
            var outcomes = new ArrayList<CreationOutcome>();

            offers.within(QUOTA, () -> second, b -> {
                outcomes.add(offers.within(QUOTA, () -> grid.offer("c", 1, "fzj"), offers::offer));
                var made = offers.offer(b);
                outcomes.add(offers.within(QUOTA, () -> grid.offer("c", 1, "fzj"), offers::offer));
                offers.end(old, "done");
                outcomes.add(offers.within(QUOTA, () -> grid.offer("c", 1, "fzj"), offers::offer));
                return made;
            });

            assertThat(outcomes).hasExactlyElementsOfTypes(Refused.class, Refused.class, Created.class);
            assertThat(offers.held(who -> true).agreements()).isEqualTo(2);
            assertThat(offers.held(who -> true).nodeHours()).isEqualTo(4);
        }
    }

    /** The place of the old one is taken once, and only what the new one needs more. */
    @Test
    void anAgreementThatIsBeingReplacedCountsOnce() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var offers = grid.start().service;
            var old =
                    Optional.of(created(offers.offer(grid.offer("a", 4, "fzj"))).id());
            var outcomes = new ArrayList<CreationOutcome>();

            outcomes.add(offers.within(QUOTA, () -> grid.offer("b", 6, "fzj"), new Replacing<>(old, b -> {
                outcomes.add(offers.within(QUOTA, () -> grid.offer("c", 5, "fzj"), offers::offer));
                outcomes.add(offers.within(QUOTA, () -> grid.offer("c", 4, "fzj"), offers::offer));
                return offers.renegotiate(b, Optional.empty(), old);
            })));

            assertThat(outcomes).hasExactlyElementsOfTypes(Refused.class, Created.class, Created.class);
        }
    }

    /** No more than two agreements, which have ten node hours. */
    private static final OfferQuota QUOTA = new OfferQuota() {
        @Override
        public Optional<Runnable> begin() {
            return Optional.of(() -> {});
        }

        @Override
        public Optional<String> exceeded(double nodeHours, Function<Predicate<String>, Held> held) {
            var sum = held.apply("CN=alice"::equals);
            return sum.agreements() >= 2 || sum.nodeHours() + nodeHours > 10
                    ? Optional.of("has too much")
                    : Optional.empty();
        }
    };

    private static CreationOutcome replace(OfferService offers, Optional<AgreementId> old, AgreementOffer offer)
            throws InterruptedException {
        return offers.within(
                QUOTA, () -> offer, new Replacing<>(old, one -> offers.renegotiate(one, Optional.empty(), old)));
    }

    private static Agreement created(CreationOutcome outcome) {
        return ((Created) outcome).agreement();
    }

    private static CreationOutcome within(OfferService offers, AgreementOffer offer) throws InterruptedException {
        return offers.within(TEN_NODE_HOURS, () -> offer, offers::offer);
    }

    private static List<AgreementRequest> concat(AgreementOffer one, AgreementOffer other) {
        return List.of(one.alternatives().get(0), other.alternatives().get(0));
    }

    @Test
    void anEndThatACountHasSeenIsNotSubtractedOnceMore() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var started = grid.start();
            var usage = new QuotaUsage(grid.memory, grid.clock);
            var first = ((Created) started.service.offer(grid.offer("a", 4, "fzj"))).agreement();
            var second = ((Created) started.service.offer(grid.offer("b", 4, "fzj"))).agreement();
            started.service.end(first.id(), "enough");
            grid.clock.advance(Duration.ofSeconds(10));
            assertThat(usage.of(whose -> true, Optional.empty()).agreements()).isEqualTo(1);

            usage.changed(
                    AgreementState.OBSERVED_AND_TERMINATING,
                    grid.memory.find(first.id()).orElseThrow());
            assertThat(usage.of(whose -> true, Optional.empty()).agreements()).isEqualTo(1);

            started.service.end(second.id(), "enough");
            usage.changed(
                    AgreementState.OBSERVED_AND_TERMINATING,
                    grid.memory.find(second.id()).orElseThrow());
            assertThat(usage.of(whose -> true, Optional.empty()).agreements()).isZero();
        }
    }

    @Test
    void whatASubjectGotFromAnotherServerCounts() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var one = grid.start().making;
            var here = new QuotaUsage(grid.memory, grid.clock);
            one.changes().onChange(here);
            var there = new QuotaUsage(grid.memory, grid.clock);
            assertThat(there.of(whose -> true, Optional.empty()).agreements()).isZero();
            assertThat(here.of(whose -> true, Optional.empty()).agreements()).isZero();

            var offer = grid.offer("a", 4, "fzj");
            one.offers().offer(offer);

            var made = here.of(whose -> true, Optional.empty());
            assertThat(made.agreements()).isEqualTo(1);
            assertThat(made.nodeHours()).isPositive();
            assertThat(there.of(whose -> true, Optional.empty()).agreements()).isZero();
            grid.clock.advance(Duration.ofSeconds(10));
            var counted = there.of(offer.key().initiator()::equals, Optional.empty());
            assertThat(counted.agreements()).isEqualTo(1);
            assertThat(counted.nodeHours()).isEqualTo(made.nodeHours());
            assertThat(there.of("another"::equals, Optional.empty()).agreements())
                    .isZero();
        }
    }
}
