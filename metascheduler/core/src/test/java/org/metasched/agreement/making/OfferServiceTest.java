package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.policy.PolicedScheduler;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.ServiceTermState;
import org.metasched.agreement.TemplateKey;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.NegotiationResult.Declined;
import org.metasched.fakes.FakeSite;
import org.metasched.fakes.FakeSite.Mishap;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ReservationJournal.Entry;
import org.metasched.negotiation.ReservationJournal.Standing;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;

@Timeout(60)
class OfferServiceTest {

    private final TestGrid grid = new TestGrid().site("fzj", 64).site("scai", 32);

    @AfterEach
    void end() {
        grid.close();
    }

    @Test
    void anAcceptedOfferIsObservedDurableAndItsReservationsAreKept() throws Exception {
        var started = grid.start();

        var outcome = started.service.offer(grid.offer("o1", 16, "fzj", "scai"));

        var agreement = ((Created) outcome).agreement();
        assertThat(agreement.state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(agreement.commitments()).extracting(c -> c.site().value()).containsExactly("fzj", "scai");
        assertThat(agreement.serviceStates().values()).containsOnly(ServiceTermState.NOT_READY);
        assertThat(grid.memory.find(agreement.id())).contains(agreement);
        assertThat(grid.memory.entries()).extracting(Entry::standing).containsOnly(Standing.KEPT);
    }

    @Test
    void theSameOfferAgainGetsTheSameAgreementAndReservesNothing() throws Exception {
        var first = (Created) grid.start().service.offer(grid.offer("o1", 16, "fzj"));

        var again = (Created) grid.start().service.offer(grid.offer("o1", 16, "fzj"));

        assertThat(again.repeated()).isTrue();
        assertThat(again.agreement()).isEqualTo(first.agreement());
        assertThat(grid.heldEverywhere()).isEqualTo(1);
    }

    @Test
    void theSameOfferFromManyThreadsMakesOneAgreement() throws Exception {
        var service = grid.start().service;
        var threads = Executors.newFixedThreadPool(8);
        try {
            var tasks = new ArrayList<Callable<CreationOutcome>>();
            for (int i = 0; i < 40; i++) {
                tasks.add(() -> service.offer(grid.offer("o1", 16, "fzj", "scai")));
            }

            var outcomes = threads.invokeAll(tasks);

            var ids = new ArrayList<AgreementId>();
            for (var outcome : outcomes) {
                ids.add(((Created) outcome.get()).agreement().id());
            }
            assertThat(Set.copyOf(ids)).hasSize(1);
            assertThat(grid.heldEverywhere()).isEqualTo(2);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aStartBeyondAllTimesIsRefused() throws Exception {
        var offer = grid.offer("o1", 16, "fzj");
        var request = offer.alternatives().get(0);
        var last = request.with(request.parts(), Optional.of(Instant.MAX.minusSeconds(86_400)), Optional.empty());

        var outcome = grid.start().service.offer(offer.with(List.of(last), List.of()));

        assertThat(outcome).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(RefusalCode.OFFER_INVALID);
            assertThat(refused.reason()).contains("must not be after 9999-12-31T23:59:59Z");
        });
    }

    @Test
    void aRefusedOfferLeavesNothingAndMayBeMadeAgain() throws Exception {
        var service = grid.start().service;
        grid.at("scai").down(true);

        var refused = service.offer(grid.offer("o1", 16, "fzj", "scai"));
        grid.at("scai").down(false);
        var accepted = service.offer(grid.offer("o1", 16, "fzj", "scai"));

        assertThat(refused).isInstanceOfSatisfying(Refused.class, r -> {
            assertThat(r.code()).isEqualTo(RefusalCode.ADAPTER_DOWN);
            assertThat(r.reason()).contains("scai");
        });
        assertThat(accepted).isInstanceOf(Created.class);
    }

    @Test
    void theCodeOfARefusalNamesWhatFailed() throws Exception {
        var service = grid.start().service;
        var site = grid.at("scai");

        site.fails(new Unreadable("squeue printed no table.", new IllegalArgumentException()));
        assertThat(service.offer(grid.offer("o1", 16, "fzj", "scai")))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.code()).isEqualTo(RefusalCode.SCHEDULER_UNREADABLE));
        site.fails(new Misconfigured("squeue is not installed."));
        assertThat(service.offer(grid.offer("o2", 16, "fzj", "scai"))).isInstanceOfSatisfying(Refused.class, r -> {
            assertThat(r.code()).isEqualTo(RefusalCode.ADAPTER_MISCONFIGURED);
            assertThat(r.reason()).contains("scai", "squeue is not installed");
        });
    }

    @Test
    void aNoOfASitesOwnRulesIsNoSiteThatIsDown() throws Exception {
        String rules = "rules: [{name: small, most-nodes: 2}, {name: soon, subjects: [CN=alice], least-notice: 30d}]";
        grid.open(clock ->
                PolicedScheduler.around(new FakeSite("zib", 64, clock), YamlSettings.parse("site.yaml", rules), clock));
        var service = grid.start().service;
        var alice = Optional.of(new Requester("CN=alice"));
        var soon = new ResourceRequest(new Need.Nodes(1), Duration.ofHours(1), alice);

        assertThat(service.offer(grid.offer("o1", 3, "fzj", "zib"))).isInstanceOfSatisfying(Refused.class, r -> {
            assertThat(r.code()).isEqualTo(RefusalCode.SITE_REFUSES);
            assertThat(r.reason()).contains("rule small, most-nodes: 3 nodes are more than 2", "Maybe 2 nodes");
        });
        assertThat(service.offer(grid.offer("o2", List.of(RequestedPart.at("zib", soon)))))
                .isInstanceOfSatisfying(Refused.class, r -> {
                    assertThat(r.code()).isEqualTo(RefusalCode.SITE_REFUSES);
                    assertThat(r.reason()).contains("rule soon, least-notice");
                });
    }

    /** The grid above, and the claim, know the agreement by its id. */
    @ParameterizedTest
    @ValueSource(strings = {"above-meta-17", "claim-5"})
    void anAgreementForAGridAboveOrAClaimIsNotReplaced(String id) throws Exception {
        var making = grid.start().making;
        var made = new AgreementId(id);
        assertThat(making.offers().offer(grid.offer("old", 8, "fzj"), made)).isInstanceOf(Created.class);
        var smaller = grid.offer("new", 4, "fzj");

        var outcome = making.offers().renegotiate(smaller, Optional.empty(), Optional.of(made));
        var hold = making.negotiations().holds().hold("h", smaller, grid.nowPlus("PT5M"), Optional.of(made));

        assertThat(outcome).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(RefusalCode.WITHDRAWN);
            assertThat(refused.reason()).contains(id, "for a grid above or for a claim");
        });
        assertThat(hold).isInstanceOf(Declined.class);
        assertThat(making.offers().find(made).orElseThrow().state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(grid.at("fzj").held())
                .singleElement()
                .satisfies(held -> assertThat(held.granted().amount()).isEqualTo(8));
    }

    @Test
    void objectionsAreFoundBeforeAnySiteIsAsked() throws Exception {
        var service = grid.start().service;
        var good = grid.offer("o1", 4, "fzj");

        assertCode(service.offer(grid.offer("o1", 4, "nowhere")), RefusalCode.SITE_UNKNOWN);
        assertCode(
                service.offer(with(good, new TemplateKey("OTHER", "1"), Optional.empty())),
                RefusalCode.TEMPLATE_UNKNOWN);
        assertCode(
                service.offer(with(good, good.template(), Optional.of(grid.nowPlus("PT-1S")))), RefusalCode.TOO_LATE);
        assertCode(
                service.offer(asking(good, Optional.of(grid.nowPlus("PT-2M")), Optional.empty())),
                RefusalCode.TOO_LATE);
        assertCode(
                service.offer(asking(good, Optional.empty(), Optional.of(grid.nowPlus("PT59M")))),
                RefusalCode.TOO_LATE);

        assertThat(grid.at("fzj").questions()).isZero();
    }

    @Test
    void theFirstAlternativeThatCanBeHadIsTaken() throws Exception {
        var tooBig = grid.offer("o1", 33, "scai");
        var fits = grid.offer("o1", 16, "fzj");
        var choice = new AgreementOffer(
                tooBig.key(),
                "choice",
                tooBig.template(),
                List.of(tooBig.alternatives().get(0), fits.alternatives().get(0)),
                List.of(),
                Optional.empty(),
                tooBig.document(),
                Optional.empty(),
                Optional.empty());

        var outcome = grid.start().service.offer(choice);

        assertThat(((Created) outcome).agreement().commitments())
                .extracting(c -> c.site().value())
                .containsExactly("fzj");
    }

    @Test
    void anOpenTermWithoutAMatchmakerFindsNoSite() throws Exception {
        var good = grid.offer("o1", 4, "fzj");
        var open = new RequestedPart(
                "ANYWHERE", "job", Optional.empty(), ResourceRequest.nodes(4, Duration.ofHours(1)), Optional.empty());
        var offer = with(good, new AgreementRequest(List.of(open), Optional.empty(), Optional.empty()));

        assertCode(grid.start().service.offer(offer), RefusalCode.NO_MATCHING_SITE);
    }

    @Test
    void anExpressionThatIsNoneIsTheSendersMistake() throws Exception {
        var selector = new SiteSelector() {
            @Override
            public Candidates candidates(AgreementRequest request) {
                throw new IllegalArgumentException("not reached");
            }

            @Override
            public void check(AgreementRequest request) {
                throw new IllegalArgumentException("The rank of term a is not a ClassAd expression.");
            }
        };

        assertCode(grid.start(selector).service.offer(grid.offer("o1", 4, "fzj")), RefusalCode.OFFER_INVALID);
    }

    @Test
    void withoutADeadlineTheLookAheadDecides() throws Exception {
        var offer = asking(grid.offer("o1", 4, "fzj"), Optional.empty(), Optional.empty());
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT700H"), 64);

        assertCode(grid.start().service.offer(offer), RefusalCode.PREVIEW_WINDOW_EXCEEDED);
    }

    @Test
    void terminatingGivesEverythingBack() throws Exception {
        var service = grid.start().service;
        var made = ((Created) service.offer(grid.offer("o1", 16, "fzj", "scai"))).agreement();

        var outcome = service.end(made.id(), "changed my mind");

        assertThat(outcome).isInstanceOfSatisfying(TerminationOutcome.Ending.class, e -> {
            assertThat(e.agreement().state()).isEqualTo(AgreementState.TERMINATED);
            assertThat(e.agreement().reason()).contains("changed my mind");
        });
        assertThat(grid.heldEverywhere()).isZero();
        assertThat(grid.memory.entries()).isEmpty();
        assertThat(service.end(made.id(), "again")).isInstanceOf(TerminationOutcome.AlreadyFinal.class);
        assertThat(service.end(new AgreementId("nobody"), "")).isInstanceOf(TerminationOutcome.Unknown.class);
    }

    @Test
    void anAgreementIsEndingUntilEverySiteHasLetGo() throws Exception {
        var started = grid.start();
        var made = ((Created) started.service.offer(grid.offer("o1", 16, "fzj", "scai"))).agreement();
        grid.at("scai").down(true);

        var outcome = (TerminationOutcome.Ending) started.service.end(made.id(), "");
        grid.at("scai").down(false);
        started.sweeper.sweep();
        started.monitor.poll();

        assertThat(outcome.agreement().state()).isEqualTo(AgreementState.OBSERVED_AND_TERMINATING);
        assertThat(grid.memory.find(made.id()))
                .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.TERMINATED));
        assertThat(grid.heldEverywhere()).isZero();
    }

    @Test
    void aPendingOfferIsDecidedInTheBackgroundAndItsListenersHearOfIt() {
        var started = grid.start();
        var service = started.service;
        var heard = new CopyOnWriteArrayList<AgreementState>();
        started.making.changes().onChange((before, after) -> heard.add(after.state()));

        var good = ((Created) service.offerPending(grid.offer("good", 16, "fzj"))).agreement();
        var bad = ((Created) service.offerPending(grid.offer("bad", 65, "fzj"))).agreement();

        assertThat(good.state()).isEqualTo(AgreementState.PENDING);
        Awaitility.await().untilAsserted(() -> {
            assertThat(service.find(good.id()))
                    .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.OBSERVED));
            assertThat(service.find(bad.id()))
                    .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.REJECTED));
            assertThat(heard).containsExactlyInAnyOrder(AgreementState.OBSERVED, AgreementState.REJECTED);
        });
    }

    @Test
    void aPendingOfferWithdrawnInTimeHoldsNothingInTheEnd() throws Exception {
        grid.at("fzj").next(Mishap.HANG);
        var service = grid.start().service;
        var pending = ((Created) service.offerPending(grid.offer("o1", 16, "fzj"))).agreement();
        Awaitility.await().until(() -> grid.memory.entries().size() == 1);

        service.end(pending.id(), "no longer needed");
        grid.at("fzj").letGo();

        Awaitility.await().untilAsserted(() -> {
            assertThat(service.find(pending.id()))
                    .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.TERMINATED));
            assertThat(grid.heldEverywhere()).isZero();
        });
    }

    @Test
    void aPendingOfferIsDecidedAgainAfterARestart() {
        grid.memory.save(Agreement.offered(new AgreementId("a1"), grid.offer("o1", 16, "fzj"), grid.clock.instant()));
        var restarted = grid.start();

        restarted.making.recover();

        Awaitility.await()
                .untilAsserted(() -> assertThat(restarted.service.find(new AgreementId("a1")))
                        .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.OBSERVED)));
    }

    @Test
    void anOfferThatCannotBeSettledKeepsNoOtherFromItsDecision() {
        var withdrawn = grid.memory.save(
                Agreement.offered(AgreementId.random(), grid.offer("o1", 16, "fzj"), grid.clock.instant()));
        grid.memory.save(withdrawn.become(AgreementState.PENDING_AND_TERMINATING, "", grid.clock.instant()));
        grid.clock.advance(Duration.ofSeconds(1));
        var pending = grid.memory.save(
                Agreement.offered(AgreementId.random(), grid.offer("o2", 16, "fzj"), grid.clock.instant()));
        var restarted = grid.start();
        var isFirst = new AtomicBoolean(true);
        grid.memory.beforeWrite(() -> {
            boolean isSettled = grid.memory.find(withdrawn.id()).orElseThrow().state() == AgreementState.REJECTED;
            if (isSettled && isFirst.getAndSet(false)) {
                throw new StoreUnavailableException("disk full", new IllegalStateException());
            }
        });

        restarted.making.recover();

        Awaitility.await()
                .until(() -> grid.memory.find(pending.id()).orElseThrow().state() == AgreementState.OBSERVED);
        restarted.making.recover();
        assertThat(grid.memory.find(withdrawn.id()).orElseThrow().state()).isEqualTo(AgreementState.REJECTED);
    }

    @Test
    void aPendingOfferWhoseSiteIsGoneAfterARestartIsRefusedWithThatReason() {
        var gone = RequestedPart.at("gone", ResourceRequest.nodes(1, Duration.ofHours(1)));
        var offer = grid.offer("o1", List.of(gone));
        var pending = grid.memory.save(Agreement.offered(AgreementId.random(), offer, grid.clock.instant()));

        grid.start().making.recover();

        Awaitility.await()
                .until(() -> grid.memory.find(pending.id()).orElseThrow().state() == AgreementState.REJECTED);
        assertThat(grid.memory.find(pending.id()).orElseThrow().reason())
                .contains("The site (gone) of term gone is not configured.");
    }

    @Test
    void aDecisionAndWhatItsListenersWriteAreDurableTogetherOrNotAtAll() {
        var started = grid.start();
        started.making.changes().onChange(new Notices());
        var offer = calledBack(grid.offer("o1", 16, "fzj"));
        grid.memory.beforeWrite(() -> {
            if (grid.heldEverywhere() == 1) {
                throw new StoreUnavailableException("disk full", new IllegalStateException());
            }
        });

        var pending = ((Created) started.service.offerPending(offer)).agreement();
        Awaitility.await().until(() -> started.making.underWay().count() == 0);
        assertThat(grid.memory.pending(Kind.DECISION, 10)).isEmpty();
        grid.memory.beforeWrite(() -> {});
        var restarted = grid.start();
        restarted.making.changes().onChange(new Notices());
        restarted.making.recover();

        Awaitility.await()
                .untilAsserted(() -> assertThat(grid.memory.pending(Kind.DECISION, 10))
                        .singleElement()
                        .satisfies(
                                l -> assertThat(l.id()).isEqualTo(pending.id().value())));
        assertThat(restarted.service.find(pending.id()))
                .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.OBSERVED));
    }

    @Test
    void aDatabaseThatFailsAtTheEndLeavesNothingHeld() {
        var started = grid.start();
        var broken = new AtomicBoolean();
        grid.memory.beforeWrite(() -> {
            if (grid.heldEverywhere() == 2 || broken.get()) {
                broken.set(true);
                throw new StoreUnavailableException("disk full", new IllegalStateException());
            }
        });

        assertThatThrownBy(() -> started.service.offer(grid.offer("o1", 16, "fzj", "scai")))
                .isInstanceOf(StoreUnavailableException.class);
        grid.memory.beforeWrite(() -> {});
        assertThat(grid.heldEverywhere()).isEqualTo(2);

        assertThat(sweep(started).released()).isEqualTo(2);
        assertThat(grid.heldEverywhere()).isZero();
    }

    @Test
    void aServiceThatDrainsTakesNoNewOffersAndWaitsForThoseUnderWay() throws Exception {
        grid.at("fzj").next(Mishap.HANG);
        var started = grid.start();
        var service = started.service;
        var pending = ((Created) service.offerPending(grid.offer("o1", 16, "fzj"))).agreement();
        Awaitility.await().until(() -> grid.memory.entries().size() == 1);
        var drained = CompletableFuture.supplyAsync(() -> drain(started.making, Duration.ofSeconds(30)));
        Awaitility.await()
                .untilAsserted(() -> assertCode(service.offer(grid.offer("o2", 16, "scai")), RefusalCode.BUSY));

        grid.at("fzj").letGo();

        assertThat(drained.get()).isTrue();
        assertThat(service.find(pending.id()))
                .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.OBSERVED));
    }

    @Test
    void whatIsNotDecidedWhenTheDrainEndsIsRolledBack() throws Exception {
        grid.at("fzj").next(Mishap.HANG);
        var started = grid.start();
        var pending = ((Created) started.service.offerPending(grid.offer("o1", 16, "scai", "fzj"))).agreement();
        Awaitility.await().until(() -> grid.at("scai").held().size() == 1);

        assertThat(drain(started.making, Duration.ofSeconds(1))).isTrue();

        assertThat(grid.at("scai").held()).isEmpty();
        assertThat(started.service.find(pending.id()))
                .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.PENDING));
    }

    private static boolean drain(AgreementMaking making, Duration patience) {
        try {
            return making.underWay().drain(patience);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static OrphanSweeper.Report sweep(TestGrid.Started started) {
        try {
            return started.sweeper.sweep();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertCode(CreationOutcome outcome, RefusalCode code) {
        assertThat(outcome)
                .isInstanceOfSatisfying(Refused.class, r -> assertThat(r.code()).isEqualTo(code));
    }

    private static AgreementOffer asking(AgreementOffer offer, Optional<Instant> earliest, Optional<Instant> deadline) {
        return with(offer, new AgreementRequest(offer.alternatives().get(0).parts(), earliest, deadline));
    }

    private static AgreementOffer calledBack(AgreementOffer offer) {
        return new AgreementOffer(
                offer.key(),
                offer.name(),
                offer.template(),
                offer.alternatives(),
                offer.guarantees(),
                offer.expiration(),
                offer.document(),
                Optional.of(new OfferDocument("<initiator/>")),
                Optional.empty());
    }

    private static AgreementOffer with(AgreementOffer offer, AgreementRequest request) {
        return new AgreementOffer(
                offer.key(),
                offer.name(),
                offer.template(),
                List.of(request),
                offer.guarantees(),
                offer.expiration(),
                offer.document(),
                offer.acceptance(),
                Optional.empty());
    }

    private static AgreementOffer with(AgreementOffer offer, TemplateKey template, Optional<Instant> expiration) {
        return new AgreementOffer(
                offer.key(),
                offer.name(),
                template,
                offer.alternatives(),
                offer.guarantees(),
                expiration,
                offer.document(),
                offer.acceptance(),
                Optional.empty());
    }

    /** Owes a message about each decision. */
    private final class Notices implements AgreementListener {
        @Override
        public void changing(AgreementState before, Agreement next) {
            grid.memory.store(List.of(new Message(
                    new MessageKey(Kind.DECISION, next.id().value(), "initiator"),
                    "there",
                    next.state().term(),
                    0)));
        }

        @Override
        public void changed(AgreementState before, Agreement after) {
            // what is owed stands in the outbox
        }
    }
}
