package org.metasched.fakes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.NegotiationBook.Hold;
import org.metasched.agreement.NegotiationBook.Negotiation;
import org.metasched.agreement.NegotiationBook.Offer;
import org.metasched.agreement.SiteCommitment;
import org.metasched.negotiation.NegotiationEffort;

/** What every book of negotiations keeps to. */
public abstract class NegotiationBookContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final Negotiation ONE = new Negotiation(
            "ng-1", "CN=anna", "<context/>", Optional.of(new AgreementId("ag-old")), NOW.plusSeconds(60));
    private static final Negotiation OTHER =
            new Negotiation("ng-2", "CN=bob", "<context/>", Optional.empty(), NOW.plusSeconds(600));

    /** An empty one, the same in each call. */
    protected abstract NegotiationBook book();

    @Test
    protected void whatWasWrittenIsReadInItsOrder() {
        assertThat(book().open(ONE, 2, 1)).isTrue();
        assertThat(book().open(OTHER, 2, 1)).isTrue();
        var offers = List.of(new Offer("z", "<first/>", false), new Offer("a", "<second/>", true));
        offers.forEach(o -> assertThat(book().add("ng-1", o)).isTrue());

        assertThat(book().negotiation("ng-1")).hasValue(ONE);
        assertThat(book().negotiation("ng-2")).hasValue(OTHER);
        assertThat(book().offers("ng-1")).isEqualTo(offers);
        assertThat(book().offers("ng-2")).isEmpty();
        assertThat(book().withOffer("a")).hasValue(ONE);
        assertThat(book().withOffer("b")).isEmpty();
    }

    @Test
    protected void anOfferIsThereOnceInItsNegotiation() {
        book().open(ONE, 2, 1);
        book().open(OTHER, 2, 1);
        book().add("ng-1", new Offer("a", "<first/>", false));

        assertThat(book().add("ng-1", new Offer("a", "<again/>", false))).isFalse();
        assertThat(book().add("ng-2", new Offer("a", "<elsewhere/>", false))).isTrue();
        assertThat(book().offers("ng-1")).containsExactly(new Offer("a", "<first/>", false));
    }

    @Test
    protected void noMoreAreOpenThanMayBe() {
        assertThat(book().open(ONE, 1, 1)).isTrue();
        assertThat(book().open(OTHER, 1, 1)).isFalse();
        assertThat(book().negotiation("ng-2")).isEmpty();
    }

    @Test
    protected void anOwnerHasNoMoreThanItMayHave() {
        var third = new Negotiation("ng-3", "CN=anna", "<context/>", Optional.empty(), NOW.plusSeconds(600));

        assertThat(book().open(ONE, 3, 1)).isTrue();
        assertThat(book().open(third, 3, 1)).isFalse();
        assertThat(book().open(OTHER, 3, 1)).isTrue();
        assertThat(book().negotiation("ng-3")).isEmpty();
    }

    @Test
    protected void whatHasEndedIsForgottenWithItsOffers() {
        book().open(ONE, 2, 1);
        book().open(OTHER, 2, 1);
        book().add("ng-1", new Offer("a", "<first/>", false));

        assertThat(book().ended(NOW.plusSeconds(59), 9)).isEmpty();
        assertThat(book().ended(NOW.plusSeconds(60), 9)).containsExactly("ng-1");
        book().end("ng-1");

        assertThat(book().negotiation("ng-1")).isEmpty();
        assertThat(book().withOffer("a")).isEmpty();
        assertThat(book().offers("ng-1")).isEmpty();
    }

    @Test
    protected void aHoldIsTakenOnce() {
        var hold = hold(NOW.plusSeconds(60));
        assertThat(book().hold("a", hold, 1)).isTrue();
        assertThat(book().hold("b", hold, 1)).isFalse();
        assertThat(book().holds()).isEqualTo(1);

        assertThat(book().held("a")).hasValue(hold);
        assertThat(book().lapsed(NOW.plusSeconds(59), 9)).isEmpty();
        assertThat(book().lapsed(NOW.plusSeconds(60), 9)).containsExactly("a");
        assertThat(book().take("a")).isTrue();
        assertThat(book().take("a")).isFalse();
        assertThat(book().held("a")).isEmpty();
    }

    private static Hold hold(Instant until) {
        var slot = new TimeSlot(NOW, NOW.plusSeconds(3600));
        var reservation = new Reservation(
                new ReservationId("R1"),
                new RequestKey("ma-1-0"),
                slot,
                new Need.Nodes(4, 1, new TreeSet<>()),
                List.of("n1", "n2", "n3", "n4"));
        var part = new SiteCommitment(
                "WATER",
                "simulation",
                new SiteId("fzj"),
                reservation,
                ReservationState.RESERVED,
                List.of(),
                Optional.empty());
        return new Hold(
                slot, List.of(part), new NegotiationEffort(1, 4, 1, Duration.ofMillis(20)), until, Optional.empty());
    }
}
