package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.NegotiationResult.Declined;
import org.metasched.fakes.TestGrid;

class InterruptedReplacementTest {

    /** The old agreement is as it was, so the answer does not say that it changed. */
    @Test
    void anotherAgreementOfTheSameOfferIsTheAnswer() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var making = grid.start().making;
            var old = ((Created) making.offers().offer(grid.offer("old", 8, "fzj"))).agreement();
            var offer = grid.offer("new", 16, "fzj");
            var other = Agreement.offered(AgreementId.random(), offer, grid.clock.instant())
                    .become(AgreementState.REJECTED, "Made elsewhere.", grid.clock.instant());
            var saved = new AtomicBoolean();
            grid.at("fzj").around(() -> {
                if (saved.compareAndSet(false, true)) {
                    grid.memory.save(other);
                }
            });

            var outcome = making.offers().renegotiate(offer, Optional.empty(), Optional.of(old.id()));

            assertThat(outcome).isInstanceOfSatisfying(Created.class, made -> {
                assertThat(made.agreement().id()).isEqualTo(other.id());
                assertThat(made.repeated()).isTrue();
            });
            assertThat(grid.memory.find(old.id())).contains(old);
        }
    }

    /** A server that stops while it ends the old agreement must not say that the new one was not made. */
    @Test
    void anAgreementThatIsStoredIsTheAnswer() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var making = grid.start().making;
            var old = making.offers()
                    .offer(grid.offer("old", 8, "fzj"))
                    .<Agreement, Exception>fold(Created::agreement, refused -> {
                        throw new AssertionError(refused);
                    });
            making.changes().onChange((changed, why) -> Thread.currentThread().interrupt());

            var outcome =
                    making.offers().renegotiate(grid.offer("new", 16, "fzj"), Optional.empty(), Optional.of(old.id()));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(outcome).isInstanceOf(Created.class);
            assertThat(grid.memory.newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 9))
                    .singleElement()
                    .satisfies(made -> assertThat(made.id()).isNotEqualTo(old.id()));
        }
    }

    /** Another server took the work of this one over, which was stopped for too long. */
    @Test
    void whatAnotherServerGivesBackIsNotHeld() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64).site("scai", 64)) {
            var making = grid.start().making;
            grid.at("scai").around(() -> grid.memory.orphanUnfinished(grid.clock.instant()));

            var answer = making.negotiations()
                    .holds()
                    .hold("h", grid.offer("new", 8, "fzj", "scai"), grid.nowPlus("PT5M"), Optional.empty());

            assertThat(((Declined) answer).refusal().code()).isEqualTo(RefusalCode.BUSY);
            assertThat(grid.heldEverywhere()).isZero();
        }
    }
}
