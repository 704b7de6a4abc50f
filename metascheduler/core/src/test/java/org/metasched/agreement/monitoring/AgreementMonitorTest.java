package org.metasched.agreement.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.ServiceTermState;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.fakes.TestGrid;

class AgreementMonitorTest {

    private final TestGrid grid = new TestGrid().site("fzj", 64).site("scai", 32);
    private final TestGrid.Started started = grid.start();

    @AfterEach
    void end() {
        grid.close();
    }

    @Test
    void anAgreementFollowsItsReservationsToTheEnd() throws Exception {
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 64);
        var made = create("fzj", "scai");

        started.monitor.poll();
        var before = stored(made);
        grid.clock.advance(Duration.ofMinutes(90));
        started.monitor.poll();
        var during = stored(made);
        grid.clock.advance(Duration.ofHours(1));
        started.monitor.poll();
        var after = stored(made);

        assertThat(before.serviceStates().values()).containsOnly(ServiceTermState.NOT_READY);
        assertThat(before.guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.NOT_DETERMINED));
        assertThat(during.serviceStates().values()).containsOnly(ServiceTermState.READY);
        assertThat(during.guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.FULFILLED));
        assertThat(after.state()).isEqualTo(AgreementState.COMPLETE);
        assertThat(after.serviceStates().values()).containsOnly(ServiceTermState.COMPLETED);
        assertThat(grid.memory.entries()).isEmpty();
    }

    @Test
    void aLookThatSeesNothingNewWritesNothing() throws Exception {
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 64);
        var made = create("fzj");

        assertThat(started.monitor.poll()).isZero();

        assertThat(stored(made).version()).isEqualTo(made.version());
    }

    @Test
    void aNodeThatIsLostViolatesTheGuaranteeUntilItIsBack() throws Exception {
        var made = create("fzj", "scai");
        grid.clock.advance(Duration.ofMinutes(1));

        grid.at("scai").loseNodes("n17");
        started.monitor.poll();
        var degraded = stored(made);
        grid.at("scai").loseNodes();
        started.monitor.poll();

        assertThat(degraded.guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.VIOLATED));
        assertThat(degraded.commitments().get(1).lostNodes()).containsExactly("n17");
        assertThat(stored(made).guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.FULFILLED));
    }

    @Test
    void aNodeLostBeforeTheSlotShowsAtOnce() throws Exception {
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 64);
        var made = create("fzj", "scai");

        grid.at("scai").loseNodes("n17");
        started.monitor.poll();
        var degraded = stored(made);
        grid.at("scai").loseNodes();
        started.monitor.poll();

        assertThat(degraded.state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(degraded.guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.VIOLATED));
        assertThat(stored(made).guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.NOT_DETERMINED));
    }

    @Test
    void aNodeLostBeforeTheSlotEndsTheAgreementWhereThatIsThePolicy() throws Exception {
        var strict = grid.onDegraded(OnDegraded.END).start();
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 64);
        var made = create("fzj", "scai");

        grid.at("scai").loseNodes("n17");
        strict.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.TERMINATED);
        assertThat(stored(made).reason()).hasValueSatisfying(r -> assertThat(r).contains("scai", "n17"));
        assertThat(grid.heldEverywhere()).isZero();
    }

    @Test
    void aReservationLostBeforeTheSlotEndsTheWholeAndGivesTheOthersBack() throws Exception {
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 64);
        var made = create("fzj", "scai");

        grid.at("scai").loses(made.commitments().get(1).reservation().key());
        started.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.TERMINATED);
        assertThat(stored(made).reason()).hasValueSatisfying(r -> assertThat(r).contains("scai"));
        assertThat(stored(made).guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.VIOLATED));
        assertThat(grid.heldEverywhere()).isZero();
    }

    @Test
    void aReservationLostWhileItRunsLeavesTheOthersRunning() throws Exception {
        var made = create("fzj", "scai");
        grid.clock.advance(Duration.ofMinutes(1));

        grid.at("scai").forgets(made.commitments().get(1).reservation().key());
        started.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(stored(made).guarantees()).isEqualTo(Map.of("WHOLE", GuaranteeState.VIOLATED));
        assertThat(grid.at("fzj").held()).hasSize(1);
    }

    @Test
    void aSiteThatForgetsWhatIsOverHasDeliveredIt() throws Exception {
        var made = create("fzj");
        grid.clock.advance(Duration.ofHours(2));

        grid.at("fzj").forgets(made.commitments().get(0).reservation().key());
        started.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.COMPLETE);
    }

    @Test
    void nothingChangesWhileASiteDoesNotAnswer() throws Exception {
        var made = create("fzj");
        grid.clock.advance(Duration.ofHours(2));
        grid.at("fzj").down(true);

        started.monitor.poll();

        assertThat(stored(made)).isEqualTo(made);
    }

    @Test
    void whatIsSeenOfManyIsSavedTogetherAndOneThatChangedMeanwhileIsLeftAlone() throws Exception {
        var made = new ArrayList<Agreement>();
        for (int i = 0; i < 40; i++) {
            made.add(((Created) started.service.offer(grid.offer("many-" + i, 1, "fzj"))).agreement());
        }
        var last = made.get(39);
        grid.clock.advance(Duration.ofMinutes(1));
        grid.at("fzj").loses(last.keys().iterator().next());
        var writes = new AtomicInteger();
        grid.memory.beforeWrite(() -> {
            if (writes.incrementAndGet() == 1) {
                grid.memory.save(
                        last.become(AgreementState.OBSERVED_AND_TERMINATING, "by another", grid.clock.instant()));
            }
        });

        assertThat(started.monitor.poll()).isEqualTo(39);

        assertThat(writes).hasValue(2);
        assertThat(made.subList(0, 39))
                .allSatisfy(
                        one -> assertThat(stored(one).serviceStates().values()).containsOnly(ServiceTermState.READY));
        assertThat(stored(last).state()).isEqualTo(AgreementState.OBSERVED_AND_TERMINATING);
        assertThat(stored(last).reason()).contains("by another");
    }

    @Test
    void anExpiredAgreementIsEnded() throws Exception {
        var offer = grid.offer("o1", 4, "fzj");
        var expiring = new AgreementOffer(
                offer.key(),
                "",
                offer.template(),
                offer.alternatives(),
                List.of(),
                Optional.of(grid.nowPlus("PT10M")),
                offer.document(),
                Optional.empty(),
                Optional.empty());
        var made = ((Created) started.service.offer(expiring)).agreement();

        started.monitor.poll();
        assertThat(stored(made).state()).isEqualTo(AgreementState.OBSERVED);
        grid.clock.advance(Duration.ofMinutes(10));
        started.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.TERMINATED);
        assertThat(grid.heldEverywhere()).isZero();
    }

    private Agreement create(String... sites) throws InterruptedException {
        return ((Created) started.service.offer(grid.offer("o1", 16, sites))).agreement();
    }

    private Agreement stored(Agreement agreement) {
        return grid.memory.find(agreement.id()).orElseThrow();
    }
}
