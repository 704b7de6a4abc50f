package org.metasched.fakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementHistory.NumberedEvent;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.DueQueue;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.StatusDigest;
import org.metasched.agreement.TemplateKey;
import org.metasched.choice.Preference;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.SplitRequest;
import org.metasched.negotiation.TemporalConstraint;

/** What every repository of agreements keeps to. */
public abstract class AgreementRepositoryContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    /** Empty books. */
    protected abstract AgreementBooks books();

    @Test
    protected void whatIsSavedIsFoundInEveryDetail() {
        var books = books();
        var repository = books.agreements();

        var saved = repository.save(observed("a1", offer("1")));

        assertThat(saved.version()).isEqualTo(1);
        assertThat(repository.find(saved.id())).contains(saved);
        assertThat(repository.findByOffer(saved.offer().key())).contains(saved);
    }

    @Test
    protected void aHistoryIsKeptInOrderAndForgottenWithItsAgreement() {
        var books = books();
        var repository = books.agreements();
        var saved = repository.save(observed("a1", offer("1")));
        var first = new AgreementEvent(NOW, AgreementEvent.Kind.OFFER, "offered by J\u00fcrgen");
        var second = new AgreementEvent(NOW, AgreementEvent.Kind.STATE, "");

        books.history().record(saved.id(), List.of(first, second));
        books.history().record(saved.id(), List.of(first));

        assertThat(books.history().history(saved.id())).containsExactly(first, second, first);
        var all = books.history().after(0, 10);
        assertThat(all).extracting(NumberedEvent::event).containsExactly(first, second, first);
        assertThat(all).extracting(NumberedEvent::agreement).containsOnly(saved.id());
        assertThat(books.history().newest()).isEqualTo(all.get(2).number());
        assertThat(books.history().after(all.get(0).number(), 1)).containsExactly(all.get(1));
        assertThat(books.history().of(saved.id(), all.get(0).number(), 1)).containsExactly(all.get(1));
        repository.save(saved.become(AgreementState.COMPLETE, "", NOW));
        assertThat(books.retention().forget(saved.id())).isTrue();
        assertThat(books.history().history(saved.id())).isEmpty();
    }

    @Test
    protected void whatIsNotThereIsNotFound() {
        var books = books();
        var repository = books.agreements();

        assertThat(repository.find(new AgreementId("nobody"))).isEmpty();
        assertThat(repository.findByOffer(new OfferKey("", "nothing"))).isEmpty();
    }

    @Test
    protected void aSaveFailsWhenTheVersionMovedOn() {
        var books = books();
        var repository = books.agreements();
        var first = repository.save(Agreement.offered(new AgreementId("a1"), offer("1"), NOW));
        var second = repository.save(first.become(AgreementState.PENDING_AND_TERMINATING, "withdrawn", NOW));

        assertThatThrownBy(() -> repository.save(first.become(AgreementState.REJECTED, "no room", NOW)))
                .isInstanceOf(StaleAgreementException.class);

        assertThat(second.version()).isEqualTo(2);
        assertThat(repository.find(first.id())).contains(second);
    }

    @Test
    protected void oneOfferMakesOneAgreement() {
        var books = books();
        var repository = books.agreements();
        repository.save(Agreement.offered(new AgreementId("a1"), offer("1"), NOW));

        assertThatThrownBy(() -> repository.save(Agreement.offered(new AgreementId("a2"), offer("1"), NOW)))
                .isInstanceOf(StaleAgreementException.class);

        assertThat(repository.find(new AgreementId("a2"))).isEmpty();
    }

    @Test
    protected void anAgreementThatWasNeverSavedCannotBeUpdated() {
        var books = books();
        var repository = books.agreements();
        var never = Agreement.offered(new AgreementId("a1"), offer("1"), NOW).saved(3);

        assertThatThrownBy(() -> repository.save(never)).isInstanceOf(StaleAgreementException.class);
    }

    @Test
    protected void listsByStateTheOldestFirstAndAllTheNewestFirst() {
        var books = books();
        var repository = books.agreements();
        var young = repository.save(Agreement.offered(new AgreementId("young"), offer("1"), NOW.plusSeconds(60)));
        var old = repository.save(Agreement.offered(new AgreementId("old"), offer("2"), NOW));
        var bound = repository.save(observed("bound", offer("3")));

        assertThat(repository.newest(Set.of(AgreementState.PENDING), Optional.empty(), 10))
                .containsExactly(young, old);
        assertThat(repository.newest(Set.of(AgreementState.PENDING), Optional.empty(), 1))
                .containsExactly(young);
        assertThat(repository.newest(Set.of(AgreementState.PENDING, AgreementState.OBSERVED), Optional.empty(), 10))
                .hasSize(3);
        assertThat(repository.newest(EnumSet.allOf(AgreementState.class), Optional.empty(), 10))
                .startsWith(young)
                .contains(bound, old);
        assertThat(repository.newest(Set.of(AgreementState.PENDING, AgreementState.OBSERVED), Optional.empty(), 2))
                .hasSize(2)
                .startsWith(young);
        var ended = repository.save(old.become(AgreementState.REJECTED, "No.", NOW));
        assertThat(repository.newest(Set.of(AgreementState.PENDING), Optional.empty(), 10))
                .containsExactly(young);
        assertThat(repository.newest(Set.of(AgreementState.REJECTED), Optional.empty(), 2))
                .containsExactly(ended);
    }

    @Test
    protected void whatIsHeldWithinATimeIsFoundUntilItEnds() {
        var books = books();
        var repository = books.agreements();
        repository.save(Agreement.offered(new AgreementId("pending"), offer("1"), NOW));
        var held = repository.save(observed("held", offer("2")));
        var slot = held.slot().orElseThrow();
        var before = new TimeSlot(slot.start().minusSeconds(60), slot.start());

        assertThat(repository.holding(new TimeSlot(before.start(), slot.start().plusSeconds(1)), 10))
                .containsExactly(held);
        assertThat(repository.holding(
                        new TimeSlot(slot.end().minusSeconds(1), slot.end().plusSeconds(9)), 10))
                .containsExactly(held);
        assertThat(repository.holding(before, 10)).isEmpty();
        assertThat(repository.holding(new TimeSlot(slot.end(), slot.end().plusSeconds(9)), 10))
                .isEmpty();

        repository.save(held.become(AgreementState.COMPLETE, "", NOW));
        assertThat(repository.holding(slot, 10)).isEmpty();
    }

    @Test
    protected void refusedOffersAreRememberedForAWeekAndShownPageByPage() {
        var books = books();
        var repository = books.agreements();
        var request = offer("1").alternatives().get(0);
        var other = new AgreementRequest(request.parts(), Optional.of(NOW), Optional.empty());
        for (int i = 0; i < 4; i++) {
            books.history()
                    .refuse(new RefusedOffer(
                            0,
                            NOW.plus(Duration.ofDays(i == 0 ? -8 : 0)),
                            new OfferKey("CN=alice", "o" + i),
                            RefusalCode.NO_COMMON_SLOT,
                            "Full.",
                            i == 3 ? List.of() : List.of(request, other)));
        }

        var first = books.history().refused(NOW, Optional.empty(), 2);
        var rest = books.history().refused(NOW, Optional.of(first.get(1).number()), 2);

        assertThat(first).extracting(one -> one.key().id()).containsExactly("o3", "o2");
        assertThat(first.get(1).alternatives()).containsExactly(request, other);
        assertThat(first.get(0).alternatives()).isEmpty();
        assertThat(rest).extracting(one -> one.key().id()).containsExactly("o1");
        var weekLater = NOW.plus(Duration.ofDays(7));
        assertThat(books.history().refused(weekLater, Optional.empty(), 9)).hasSize(3);
        assertThat(books.history().refused(weekLater.plusMillis(1), Optional.empty(), 9))
                .as("though no later refusal has deleted them")
                .isEmpty();
    }

    @Test
    protected void thePagesOfAListHaveEachAgreementOnceAndInOrder() {
        var books = books();
        var repository = books.agreements();
        for (int i = 0; i < 7; i++) {
            repository.save(Agreement.offered(new AgreementId("p" + i), offer("p" + i), NOW.plusNanos(i / 2 * 700L)));
        }
        repository.save(observed("other", offer("other")));
        var pending = EnumSet.of(AgreementState.PENDING);

        var seen = new ArrayList<String>();
        var after = Optional.<AgreementId>empty();
        List<Agreement> page;
        do {
            page = repository.newest(pending, after, 2);
            page.forEach(agreement -> seen.add(agreement.id().value()));
            after = page.isEmpty()
                    ? after
                    : Optional.of(page.get(page.size() - 1).id());
        } while (page.size() == 2);

        assertThat(seen).containsExactlyInAnyOrder("p0", "p1", "p2", "p3", "p4", "p5", "p6");
        assertThatThrownBy(() -> repository.newest(pending, Optional.of(new AgreementId("gone")), 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gone");
    }

    @Test
    protected void forgetsOnlyWhatCameToItsEndLongAgo() {
        var books = books();
        var repository = books.agreements();
        var ended = repository.save(Agreement.offered(new AgreementId("ended"), offer("1"), NOW)
                .become(AgreementState.REJECTED, "no room", NOW));
        var fresh = repository.save(Agreement.offered(new AgreementId("fresh"), offer("2"), NOW)
                .become(AgreementState.REJECTED, "no room", NOW.plusSeconds(120)));
        var living = repository.save(observed("living", offer("3")));

        int forgotten = books.retention().forgetFinal(NOW.plusSeconds(60), NOW.plusSeconds(3600));

        assertThat(forgotten).isEqualTo(1);
        assertThat(repository.find(ended.id())).isEmpty();
        assertThat(repository.find(fresh.id())).isPresent();
        assertThat(repository.find(living.id())).isPresent();
    }

    @Test
    protected void aTimeOfItsOwnGoesBeforeTheUsualOne() {
        var books = books();
        var repository = books.agreements();
        var sooner = repository.save(Agreement.offered(new AgreementId("sooner"), offer("1"), NOW)
                .become(AgreementState.REJECTED, "no room", NOW));
        var later = repository.save(Agreement.offered(new AgreementId("later"), offer("2"), NOW)
                .become(AgreementState.REJECTED, "no room", NOW));
        var living = repository.save(observed("living", offer("3")));

        books.retention().keepUntil(sooner.id(), NOW.plusSeconds(10));
        books.retention().keepUntil(later.id(), NOW.plusSeconds(500));
        books.retention().keepUntil(living.id(), NOW.plusSeconds(10));
        books.retention().keepUntil(new AgreementId("nobody"), NOW);

        assertThat(books.retention().forgetFinal(NOW, NOW.plusSeconds(10))).isEqualTo(1);
        assertThat(repository.find(sooner.id())).isEmpty();
        assertThat(books.retention().forgetFinal(NOW.plusSeconds(100), NOW.plusSeconds(400)))
                .isZero();
        assertThat(books.retention().keptUntil(later.id())).contains(NOW.plusSeconds(500));
        assertThat(books.retention().keptUntil(sooner.id())).isEmpty();
        assertThat(repository.find(living.id())).contains(living);
    }

    @Test
    protected void oneThatHasEndedIsForgottenWhenAskedFor() {
        var books = books();
        var repository = books.agreements();
        var ended = repository.save(Agreement.offered(new AgreementId("ended"), offer("1"), NOW)
                .become(AgreementState.REJECTED, "no room", NOW));
        var living = repository.save(observed("living", offer("2")));

        assertThat(books.retention().forget(ended.id())).isTrue();
        assertThat(books.retention().forget(ended.id())).isFalse();
        assertThat(books.retention().forget(living.id())).isFalse();

        assertThat(repository.find(ended.id())).isEmpty();
        assertThat(repository.find(living.id())).isPresent();
    }

    @Test
    protected void aFailedTransactionSavesNothing() {
        var books = books();

        assertThatThrownBy(() -> books.transactions().inTransaction(() -> {
                    books.agreements().save(observed("a1", offer("1")));
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(books.agreements().find(new AgreementId("a1"))).isEmpty();
    }

    public static Agreement observed(String id, AgreementOffer offer) {
        var slot = TimeSlot.of(NOW.plusSeconds(3600), Duration.ofHours(2));
        var made = List.of(
                commitment("COMPUTE", "fzj", slot, new Need.Nodes(64, 4, new TreeSet<>(Set.of("myrinet", "bigmem")))),
                commitment("LICENCE", "scai", slot, new Need.Licences("amber", 3)),
                commitment("LINK", "viola-net", slot, new Need.Bandwidth(10_000)));
        return Agreement.offered(new AgreementId(id), offer, NOW)
                .observed(Optional.empty(), slot, made, new NegotiationEffort(2, 9, 1, Duration.ofMillis(123)), NOW)
                .withParts(made, NOW);
    }

    private static SiteCommitment commitment(String term, String site, TimeSlot slot, Need need) {
        var reservation = new Reservation(
                new ReservationId("R/" + site + " ü"),
                new RequestKey("m" + term + "-1-0"),
                slot,
                need,
                List.of("n1", "n2"));
        return new SiteCommitment(
                term, "job", new SiteId(site), reservation, ReservationState.RESERVED, List.of("n2"), Optional.empty());
    }

    /** With everything that an offer can have. */
    public static AgreementOffer offer(String id) {
        var request = new ResourceRequest(
                new Need.Nodes(64, 4, new TreeSet<>(Set.of("myrinet"))),
                Duration.ofMinutes(90),
                Optional.of(new Requester("CN=Alice,O=Grid")));
        var fixed = new RequestedPart("COMPUTE", "job", Optional.of(new SiteId("fzj")), request, Optional.empty());
        var open = new RequestedPart(
                "LICENCE",
                "licences",
                Optional.empty(),
                new ResourceRequest(new Need.Licences("amber", 3), Duration.ofMinutes(30), Optional.empty()),
                Optional.of("other.Arch == \"INTEL\" && other.Memory >= 64"));
        var split = new RequestedPart(
                "TOTAL",
                "job",
                Optional.empty(),
                request,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new SplitRequest(1, 4, 1, 25)));
        return new AgreementOffer(
                new OfferKey("CN=Alice, O=Grid \"ü\"", id),
                "MetaTrace",
                new TemplateKey("CO-ALLOCATION", "1"),
                List.of(
                        new AgreementRequest(
                                List.of(fixed, open),
                                Optional.of(NOW),
                                Optional.of(NOW.plusSeconds(99999)),
                                Preference.START,
                                List.of(
                                        TemporalConstraint.fixed("job", "licences", Duration.ofMinutes(15)),
                                        new TemporalConstraint(
                                                "job", "licences", false, Duration.ofMinutes(1), Optional.empty())),
                                Optional.empty()),
                        new AgreementRequest(
                                List.of(fixed, split),
                                Optional.empty(),
                                Optional.empty(),
                                Preference.COST,
                                List.of(),
                                Optional.empty())),
                List.of(
                        new GuaranteeTerm("WHOLE", List.of("job"), Optional.empty(), Optional.empty(), List.of()),
                        valued()),
                Optional.of(NOW.plusSeconds(1_000_000)),
                new OfferDocument("<wsag:AgreementOffer>\r\n\tü \u20ac ]]></wsag:AgreementOffer>"),
                Optional.of(new OfferDocument("<wsa:EndpointReference/>")),
                Optional.of(OnDegraded.REPLACE));
    }

    @Test
    void tellsWhatEachInitiatorHolds() {
        var books = books();
        var repository = books.agreements();
        var first = repository.save(Agreement.offered(new AgreementId("ag-h1"), offer("h1"), NOW));
        repository.save(Agreement.offered(new AgreementId("ag-h2"), offer("h2"), NOW));

        assertThat(repository.held(Set.of(AgreementState.PENDING)))
                .containsExactly(
                        new AgreementRepository.Held(first.offer().key().initiator(), 2, 2 * first.nodeHours()));
        assertThat(first.nodeHours()).isPositive();
        assertThat(repository.held(Set.of(AgreementState.OBSERVED))).isEmpty();
    }

    @Test
    void givesLivingAgreementsToBeLookedAtOnce() {
        var books = books();
        var repository = books.agreements();
        repository.save(Agreement.offered(new AgreementId("ag-pending"), offer("w0"), NOW));
        var living = repository.save(observed("ag-w1", offer("w1")));

        assertThat(ids(books.due().take(NOW, NOW.plusSeconds(60), 100))).containsExactly(living.id());
        assertThat(ids(books.due().take(NOW, NOW.plusSeconds(60), 100))).isEmpty();
    }

    @Test
    void tellsWhatALookNeedsOfOneThatWaitsForItsSlot() {
        var books = books();
        var repository = books.agreements();
        var slot = TimeSlot.of(NOW.plusSeconds(3600), Duration.ofHours(2));
        var reservation = new Reservation(
                new ReservationId("R/1 of fzj"),
                new RequestKey("mcalm-1-0"),
                slot,
                new Need.Nodes(2, 4, new TreeSet<>(Set.of("myrinet"))),
                List.of("n1", "n2"));
        var part = new SiteCommitment(
                "COMPUTE",
                "job",
                new SiteId("fzj"),
                reservation,
                ReservationState.RESERVED,
                List.of(),
                Optional.empty());
        var offer = new AgreementOffer(
                new OfferKey("CN=Alice", "calm"),
                "",
                new TemplateKey("CO-ALLOCATION", "1"),
                List.of(new AgreementRequest(
                        List.of(RequestedPart.at("fzj", ResourceRequest.nodes(2, Duration.ofHours(2)))),
                        Optional.empty(),
                        Optional.empty())),
                List.of(),
                Optional.empty(),
                new OfferDocument("<offer/>"),
                Optional.empty(),
                Optional.empty());
        var waiting = repository.save(Agreement.offered(new AgreementId("ag-calm"), offer, NOW)
                .observed(Optional.empty(), slot, List.of(part), NegotiationEffort.NONE, NOW));

        var due = books.due().take(NOW, NOW, 100);
        assertThat(due.agreements()).isEmpty();
        assertThat(due.digests()).singleElement().satisfies(one -> {
            assertThat(one.id()).isEqualTo(waiting.id());
            assertThat(one.until()).isEqualTo(slot.start());
            assertThat(one.parts()).singleElement().satisfies(held -> {
                assertThat(held.place())
                        .isEqualTo(new StatusDigest.Place(new SiteId("fzj"), new ReservationId("R/1 of fzj")));
                assertThat(held.isUnchanged(new ReservationStatus(ReservationState.RESERVED, reservation)))
                        .isTrue();
                assertThat(held.isUnchanged(new ReservationStatus(ReservationState.ACTIVE, reservation)))
                        .isFalse();
                assertThat(held.isUnchanged(
                                new ReservationStatus(ReservationState.RESERVED, reservation, List.of("n2"), "")))
                        .isFalse();
                assertThat(held.isUnchanged(new ReservationStatus(ReservationState.RESERVED, elsewhere(reservation))))
                        .isFalse();
            });
        });
        assertThat(books.due().living(List.of(waiting.id()))).hasSize(1);

        books.due().take(NOW, NOW, 100);
        repository.save(waiting.become(AgreementState.OBSERVED_AND_TERMINATING, "", NOW));
        var ending = books.due().take(NOW, NOW, 100);
        assertThat(ending.digests()).isEmpty();
        assertThat(ending.agreements()).hasSize(1);
    }

    private static Reservation elsewhere(Reservation one) {
        return new Reservation(one.id(), one.key(), one.slot(), one.granted(), List.of("n1", "n3"));
    }

    @Test
    void givesTheWholeOfOneWhoseSlotBegins() {
        var books = books();
        var repository = books.agreements();
        var living = repository.save(observed("ag-begins", offer("begins")));

        assertThat(books.due().take(NOW.plusSeconds(3600), NOW, 100).agreements())
                .extracting(Agreement::id)
                .containsExactly(living.id());
    }

    /** Calm or not. */
    public static List<AgreementId> ids(DueQueue.Due due) {
        return Stream.concat(
                        due.digests().stream().map(StatusDigest::id),
                        due.agreements().stream().map(Agreement::id))
                .toList();
    }

    private static GuaranteeTerm valued() {
        return new GuaranteeTerm(
                "ALL",
                List.of(),
                Optional.of("Now >= Start"),
                Optional.of("Nodes > 1"),
                List.of(
                        new Compensation(
                                Compensation.Kind.PENALTY, Optional.of(Duration.ofMinutes(5)), 0, "€", "5 * LostNodes"),
                        new Compensation(Compensation.Kind.REWARD, Optional.empty(), 3, "", "1")));
    }
}
