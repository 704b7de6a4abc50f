package org.metasched.fakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.AgreementBooks;
import org.metasched.negotiation.ReservationJournal;
import org.metasched.negotiation.ReservationJournal.Change;
import org.metasched.negotiation.ReservationJournal.ChangeStanding;
import org.metasched.negotiation.ReservationJournal.Entry;
import org.metasched.negotiation.ReservationJournal.Intent;
import org.metasched.negotiation.ReservationJournal.Standing;
import org.metasched.negotiation.SiteReservation;

/** What every journal keeps to. */
public abstract class ReservationJournalContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final RequestKey A = new RequestKey("ma-1-0");
    private static final RequestKey B = new RequestKey("mb-1-0");

    /** Empty books. */
    protected abstract AgreementBooks books();

    /** From now on what was begun is another process's, which is gone. */
    protected void begunByAnother() {}

    @Test
    protected void anIntentIsThereAsSoonAsItIsWritten() {
        var journal = books().journal();

        journal.intend(List.of(intent(A, "fzj"), intent(B, "scai")));

        assertThat(journal.find(List.of(A, B)))
                .containsExactlyInAnyOrder(
                        new Entry(A, new SiteId("fzj"), Standing.INTENDED, Optional.empty(), NOW),
                        new Entry(B, new SiteId("scai"), Standing.INTENDED, Optional.empty(), NOW));
    }

    @Test
    protected void aKeyThatWasUsedBeforeIsRefusedWithAllThatCameWithIt() {
        var journal = books().journal();
        journal.intend(List.of(intent(A, "fzj")));

        assertThatThrownBy(() -> journal.intend(List.of(intent(B, "scai"), intent(A, "fzj"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ma-1-0");

        assertThat(journal.find(List.of(B))).isEmpty();
    }

    @Test
    protected void aGrantIsRememberedWithItsId() {
        var journal = books().journal();
        journal.intend(List.of(intent(A, "fzj")));

        journal.granted(List.of(reservation(A, "R212")));

        assertThat(journal.find(List.of(A))).singleElement().satisfies(e -> {
            assertThat(e.standing()).isEqualTo(Standing.GRANTED);
            assertThat(e.reservation()).contains(new ReservationId("R212"));
        });
    }

    @Test
    protected void orphaningTakesWhatIsKeptTooAndItsTimeOnlyGrows() {
        var journal = books().journal();
        journal.intend(List.of(intent(A, "fzj"), intent(B, "scai")));
        journal.keep(List.of(reservation(A, "R1")));

        journal.orphan(List.of(A, B), NOW.plusSeconds(60));
        journal.orphan(List.of(A), NOW.plusSeconds(30));

        assertThat(journal.orphans(10))
                .extracting(Entry::key, Entry::mayArriveUntil)
                .containsExactlyInAnyOrder(tuple(A, NOW.plusSeconds(60)), tuple(B, NOW.plusSeconds(60)));
    }

    @Test
    protected void whatIsAnOrphanOrForgottenCannotBeKept() {
        var journal = books().journal();
        journal.intend(List.of(intent(A, "fzj"), intent(B, "scai")));
        journal.orphan(List.of(A), NOW);

        assertThatThrownBy(() -> journal.keep(List.of(reservation(B, "R2"), reservation(A, "R1"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ma-1-0");
        assertThatThrownBy(() -> journal.keep(List.of(reservation(new RequestKey("never"), "R1"))))
                .isInstanceOf(IllegalStateException.class);
        journal.granted(List.of(reservation(A, "R1")));
        assertThat(journal.find(List.of(B))).extracting(Entry::standing).containsExactly(Standing.INTENDED);

        assertThat(journal.orphans(10)).extracting(Entry::key).containsExactly(A);
    }

    @Test
    protected void aStartMakesOrphansOfWhatIsNotKept() {
        var journal = books().journal();
        var granted = new RequestKey("mc-1-0");
        journal.intend(List.of(intent(A, "fzj"), intent(B, "scai"), intent(granted, "cesca")));
        journal.keep(List.of(reservation(A, "R1")));
        journal.granted(List.of(reservation(granted, "R1")));

        begunByAnother();

        int orphans = journal.orphanUnfinished(NOW.plus(Duration.ofMinutes(10)));

        assertThat(orphans).isEqualTo(2);
        assertThat(journal.orphans(10)).extracting(Entry::key).containsExactlyInAnyOrder(B, granted);
        assertThat(journal.find(List.of(A))).extracting(Entry::standing).containsExactly(Standing.KEPT);
    }

    @Test
    protected void whatIsReleasedIsForgottenAndReleasingAgainIsNoError() {
        var journal = books().journal();
        journal.intend(List.of(intent(A, "fzj")));

        journal.released(List.of(A, B));
        journal.released(List.of(A));

        assertThat(journal.find(List.of(A))).isEmpty();
    }

    @Test
    protected void changesInOneTransactionHappenTogetherOrNotAtAll() {
        var books = books();
        ReservationJournal journal = books.journal();
        journal.intend(List.of(intent(A, "fzj"), intent(B, "scai")));

        assertThatThrownBy(() -> books.transactions().inTransaction(() -> {
                    journal.keep(List.of(reservation(A, "R1")));
                    journal.released(List.of(B));
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(journal.find(List.of(A, B))).extracting(Entry::standing).containsOnly(Standing.INTENDED);
    }

    @Test
    protected void aThousandIntentsAreWrittenAndFoundAtOnce() {
        var journal = books().journal();
        var intents = IntStream.range(0, 1000)
                .mapToObj(i -> intent(new RequestKey("mx-1-" + i), "fzj"))
                .toList();

        journal.intend(intents);

        var keys = intents.stream().map(Intent::key).toList();
        assertThat(journal.find(keys)).hasSize(1000);
        journal.orphan(keys, NOW);
        assertThat(journal.orphans(300)).hasSize(300);
        journal.released(keys);
        assertThat(journal.find(keys)).isEmpty();
    }

    @Test
    protected void aChangeIsDecidedOnceAndForgottenWhenItsSiteHoldsIt() {
        var journal = books().journal();
        var before = List.of(reservation(A, "R1"), reservation(B, "R2"));
        journal.widen(before, NOW);
        var decided = new Change(reservation(A, "R3"), ChangeStanding.DECIDED, NOW.plusSeconds(60));

        assertThatThrownBy(() -> journal.widen(List.of(before.get(1)), NOW)).isInstanceOf(IllegalStateException.class);
        assertThat(journal.decided(9)).isEmpty();
        assertThat(journal.advance(List.of(decided))).isTrue();
        assertThat(journal.advance(List.of(decided))).isFalse();
        assertThat(journal.decided(9)).containsExactly(decided);
        journal.forgetChanges(List.of(A));
        assertThat(journal.changes(List.of(A, B)))
                .containsExactly(new Change(before.get(1), ChangeStanding.WIDENED, NOW));
    }

    @Test
    protected void aChangeOfAProcessThatIsGoneIsUndoneUnlessAHoldHasIt() {
        var journal = books().journal();
        var before = List.of(reservation(A, "R1"), reservation(B, "R2"));
        journal.widen(before, NOW);
        var held = new Change(before.get(1), ChangeStanding.HELD, NOW);
        assertThat(journal.advance(List.of(held))).isTrue();
        begunByAnother();

        journal.orphanUnfinished(NOW.plusSeconds(60));

        var undone = new Change(before.get(0), ChangeStanding.DECIDED, NOW.plusSeconds(60));
        assertThat(journal.decided(9)).containsExactly(undone);
        assertThat(journal.advance(List.of(undone))).isFalse();
        assertThat(journal.advance(List.of(held.decidedFor(before.get(1))))).isTrue();
        assertThat(journal.decided(9)).hasSize(2);
    }

    private static Intent intent(RequestKey key, String site) {
        return new Intent(key, new SiteId(site), NOW);
    }

    private static SiteReservation reservation(RequestKey key, String id) {
        return new SiteReservation(
                new SiteId("fzj"),
                new Reservation(
                        new ReservationId(id),
                        key,
                        TimeSlot.of(NOW, Duration.ofHours(1)),
                        new Need.Nodes(4),
                        List.of()));
    }
}
