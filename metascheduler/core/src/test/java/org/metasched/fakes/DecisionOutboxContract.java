package org.metasched.fakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementService.Books;
import org.metasched.agreement.DecisionOutbox.Notice;
import org.metasched.agreement.OfferDocument;

/** What every outbox keeps to. */
public abstract class DecisionOutboxContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final AgreementId A = new AgreementId("a");
    private static final AgreementId B = new AgreementId("b");

    /** Empty books. */
    protected abstract Books books();

    @Test
    protected void aNoticeIsDueAsSoonAsItIsOwed() {
        var outbox = books().outbox();

        outbox.owe(notice(A, NOW, 0));

        assertThat(outbox.take(NOW.minusMillis(1), 10, NOW)).isEmpty();
        assertThat(outbox.take(NOW, 10, NOW.plusSeconds(60))).containsExactly(notice(A, NOW, 0));
    }

    @Test
    protected void whatOneCourierTookIsNobodysUntilItsTimeHasCome() {
        var outbox = books().outbox();
        outbox.owe(notice(A, NOW, 0));

        outbox.take(NOW, 10, NOW.plusSeconds(60));

        assertThat(outbox.take(NOW.plusSeconds(59), 10, NOW.plusSeconds(99))).isEmpty();
        assertThat(outbox.take(NOW.plusSeconds(60), 10, NOW.plusSeconds(99))).containsExactly(notice(A, NOW, 1));
    }

    @Test
    protected void aNoticeThatWasPutOffIsDueAgainThen() {
        var outbox = books().outbox();
        outbox.owe(notice(A, NOW, 0));
        outbox.take(NOW, 10, NOW.plusSeconds(60));

        outbox.putOff(A, NOW.plusSeconds(2));
        outbox.putOff(B, NOW);

        assertThat(outbox.take(NOW.plusSeconds(1), 10, NOW.plusSeconds(99))).isEmpty();
        assertThat(outbox.take(NOW.plusSeconds(2), 10, NOW.plusSeconds(99))).containsExactly(notice(A, NOW, 1));
    }

    @Test
    protected void afterARestartEverythingIsDue() {
        var outbox = books().outbox();
        outbox.owe(notice(A, NOW, 0));
        outbox.take(NOW, 10, NOW.plusSeconds(3600));

        outbox.resume(NOW.plusSeconds(1));

        assertThat(outbox.take(NOW.plusSeconds(1), 10, NOW.plusSeconds(99))).containsExactly(notice(A, NOW, 1));
    }

    @Test
    protected void theLongestWaitingComeFirstAndNoMoreThanAskedFor() {
        var outbox = books().outbox();
        outbox.owe(notice(A, NOW.plusSeconds(1), 0));
        outbox.owe(notice(B, NOW, 0));

        assertThat(outbox.take(NOW.plusSeconds(2), 1, NOW.plusSeconds(60))).containsExactly(notice(B, NOW, 0));
        assertThat(outbox.take(NOW.plusSeconds(2), 1, NOW.plusSeconds(60)))
                .containsExactly(notice(A, NOW.plusSeconds(1), 0));
    }

    @Test
    protected void whatIsSettledIsForgotten() {
        var outbox = books().outbox();
        outbox.owe(notice(A, NOW, 0));

        outbox.settled(A);
        outbox.settled(A);

        assertThat(outbox.take(NOW.plusSeconds(99), 10, NOW)).isEmpty();
    }

    @Test
    protected void aNoticeOfATransactionThatFailedIsNotThere() {
        var books = books();

        assertThatThrownBy(() -> books.transactions().inOne(() -> {
                    books.outbox().owe(notice(A, NOW, 0));
                    throw new IllegalStateException("no decision");
                }))
                .hasMessage("no decision");

        assertThat(books.outbox().take(NOW, 10, NOW)).isEmpty();
    }

    @Test
    protected void anOfferIsDecidedOnce() {
        var outbox = books().outbox();
        outbox.owe(notice(A, NOW, 0));

        assertThatThrownBy(() -> outbox.owe(notice(A, NOW, 0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("decided before");
    }

    private static Notice notice(AgreementId agreement, Instant decided, int attempts) {
        return new Notice(agreement, true, new OfferDocument("<epr of='" + agreement + "'/>"), decided, attempts);
    }
}
