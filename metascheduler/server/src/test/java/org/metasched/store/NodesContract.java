package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metasched.fakes.AgreementRepositoryContract.ids;
import static org.metasched.fakes.AgreementRepositoryContract.observed;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.negotiation.ReservationJournal.Intent;
import org.metasched.negotiation.SiteReservation;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;

/** What several servers on one database keep to. A server that is stopped is one whose row is deleted by another. */
abstract class NodesContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final RequestKey KEY = new RequestKey("ma-1-0");
    private static final Set<AgreementState> PENDING = EnumSet.of(AgreementState.PENDING);

    private static final String LIKE_A_MACHINE = IntStream.range(0, 40)
            .mapToObj(i -> "Attribute" + i + " = " + i * 1000)
            .collect(Collectors.joining("; "));
    /** Each about as long as the ad of a machine. */
    private static final int ADS = Integer.getInteger("metasched.ads", 2000);

    private Database a;
    private Database b;

    /** One more server on the same database. */
    abstract Database open();

    @BeforeEach
    void start() {
        a = open();
        b = open();
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
    }

    /** As after a stop of a minute: the others take it for gone, and it finds that out when it goes on. */
    private static void stopAndGoOn(Database server, Runnable meanwhile) throws SQLException {
        try (var connection = server.pool.getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute("UPDATE node SET steady = CURRENT_TIMESTAMP - INTERVAL '1' MINUTE");
            statement.execute("UPDATE node SET lease_end = CURRENT_TIMESTAMP - INTERVAL '1' SECOND WHERE epoch = "
                    + server.node().epoch());
        }
        meanwhile.run();
        server.node().beat();
    }

    @Test
    void onlyWhatBelongsToAServerThatIsGoneIsAnOrphan() throws Exception {
        a.books().journal().intend(List.of(new Intent(KEY, new SiteId("fzj"), NOW)));

        b.node().removeGone();
        assertThat(b.books().journal().orphanUnfinished(NOW)).isZero();

        stopAndGoOn(a, () -> {
            b.node().removeGone();
            assertThat(b.books().journal().orphanUnfinished(NOW)).isEqualTo(1);
        });
    }

    @Test
    void oneServerCountsTheLivingAgreementsForAll() {
        a.chores().note(Database.CENSUS, NOW);
        a.countLiving();
        assertThat(b.figures().living()).isZero();

        for (String offer : List.of("one", "two", "three")) {
            a.books().agreements().save(observed("ag-" + offer, AgreementRepositoryContract.offer(offer)));
        }
        assertThat(b.figures().living()).as("there are some").isEqualTo(1);

        a.countLiving();
        assertThat(b.figures().living()).isEqualTo(3);
    }

    @Test
    void anAgreementIsLookedAtByOneServerWhenItIsTime() {
        var living = a.books().agreements().save(observed("ag-due", AgreementRepositoryContract.offer("due")));
        var again = NOW.plusSeconds(120);
        assertThat(ids(b.books().due().take(NOW, again, 10))).hasSize(1);
        assertThat(ids(a.books().due().take(NOW, again, 10)))
                .as("taken by the other")
                .isEmpty();
        assertThat(ids(a.books().due().take(again, again.plusSeconds(120), 10)))
                .as("of a server that did not come to it")
                .hasSize(1);

        var later = NOW.plusSeconds(3600);
        a.books().due().schedule(Map.of(living.id(), later), again);
        assertThat(ids(b.books().due().take(again.plusSeconds(120), later, 10)))
                .as("told by one whose turn is over")
                .hasSize(1);
        b.books().due().schedule(Map.of(living.id(), later.plusSeconds(1)), later);
        assertThat(ids(b.books().due().take(later, later, 10))).isEmpty();

        var ending = living.become(AgreementState.OBSERVED_AND_TERMINATING, "", NOW.plusSeconds(5));
        var ended = a.books().agreements().save(ending).become(AgreementState.TERMINATED, "", NOW.plusSeconds(6));
        assertThat(ids(b.books().due().take(NOW.plusSeconds(5), later, 10)))
                .as("its state changed")
                .hasSize(1);
        a.books().agreements().save(ended);
        assertThat(ids(b.books().due().take(later.plusSeconds(9999), later, 10)))
                .isEmpty();
    }

    @Test
    void aProofCountsOnceForAllServers() {
        String proof = "a".repeat(64);

        assertThat(a.replayCache().remember(proof, NOW, NOW.plusSeconds(60))).isTrue();
        assertThat(b.replayCache().remember(proof, NOW, NOW.plusSeconds(60))).isFalse();
        assertThat(a.replayCache().remember("b".repeat(64), NOW, NOW.plusSeconds(60)))
                .isTrue();
        // The first call of each sweeps what may be forgotten.
        assertThat(b.replayCache().remember(proof, NOW.plusSeconds(61), NOW.plusSeconds(120)))
                .isTrue();
    }

    @Test
    void aServerThatWasStoppedCannotKeepWhatItBegan() throws Exception {
        var journal = a.books().journal();
        journal.intend(List.of(new Intent(KEY, new SiteId("fzj"), NOW)));
        long before = a.node().epoch();

        // Nothing is an orphan yet: its epoch alone is in the way.
        stopAndGoOn(a, () -> {
            b.node().removeGone();
            assertThatThrownBy(() -> journal.keep(List.of(reservation())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("stopped for so long");
        });

        assertThat(a.node().epoch()).isGreaterThan(before);
        assertThatThrownBy(() -> journal.keep(List.of(reservation()))).isInstanceOf(IllegalStateException.class);
        assertThat(b.books().journal().orphanUnfinished(NOW)).isEqualTo(1);
    }

    @Test
    void aServerThatLeavesIsFollowedAtOnce() {
        a.books().journal().intend(List.of(new Intent(KEY, new SiteId("fzj"), NOW)));

        a.close();

        assertThat(b.books().journal().orphanUnfinished(NOW)).isEqualTo(1);
        a = open();
    }

    @Test
    void oneOfferIsDecidedByOneServerAtATime() throws Exception {
        var key = AgreementRepositoryContract.offer("o1").key();
        var first = a.books().offerLocks();
        var second = b.books().offerLocks();

        assertThat(first.acquire(key)).isTrue();
        assertThat(first.acquire(key)).as("its own, again").isTrue();
        assertThat(second.acquire(key)).isFalse();
        second.release(key);
        assertThat(second.acquire(key)).isFalse();
        stopAndGoOn(a, () -> {
            b.node().removeGone();
            assertThat(second.acquire(key)).isTrue();
        });
        assertThatThrownBy(() -> first.settle(key)).isInstanceOf(IllegalStateException.class);
        b.books().agreements().save(pending("a1"));
        second.settle(key);

        assertThat(first.acquire(key)).as("when it is decided").isFalse();
    }

    @Test
    void aPendingOfferOfAServerThatIsGoneIsTakenOverOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            a.books().agreements().save(pending("a" + i));
        }
        assertThat(b.books().agreements().takeOver(PENDING, 10)).isEmpty();
        assertThat(a.books().agreements().takeOver(PENDING, 10)).isEmpty();
        a.node().leave();

        var taken = new ConcurrentLinkedQueue<AgreementId>();
        try (var c = open()) {
            together(
                    () -> b.books().agreements().takeOver(PENDING, 15).forEach(one -> taken.add(one.id())),
                    () -> c.books().agreements().takeOver(PENDING, 15).forEach(one -> taken.add(one.id())));
            b.books().agreements().takeOver(PENDING, 20).forEach(one -> taken.add(one.id()));
        }

        assertThat(taken).hasSize(20).doesNotHaveDuplicates();
        assertThat(taken).noneMatch(id -> a.books().agreements().mayDecide(id));
        a.node().beat();
        assertThat(a.books().agreements().takeOver(PENDING, 20))
                .as("c has left")
                .hasSizeLessThanOrEqualTo(15);
    }

    @Test
    void aCallBackIsOwedByOneServer() {
        var key = new MessageKey(Kind.DECISION, "x", "host:1");
        a.outbox().store(List.of(new Message(key, "http://there", "accepted", 0)));

        assertThat(b.outbox().pending(Kind.DECISION, 10)).isEmpty();
        assertThat(b.outbox().begin(key)).isEmpty();
        a.node().leave();
        assertThat(b.outbox().pending(Kind.DECISION, 10)).containsExactly(key);

        assertThat(a.outbox().begin(key)).isEmpty();
        assertThat(b.outbox().begin(key)).isPresent();
    }

    @Test
    void anAdThatOneServerTookIsAtAllOfThemAndLeavesThemAll() throws Exception {
        var clock = new SettableClock(NOW);
        var key = new AdKey("Machine", "m");
        try (var here = a.ads(clock);
                var there = b.ads(clock)) {
            here.advertise(
                    ClassAd.parse("[ Type = \"Machine\"; Name = \"m\"; Load = 1; AuthorizationTicket = \"t\" ]"));
            exchange(here, there);

            assertThat(there.find(key)).hasValueSatisfying(ad -> {
                assertThat(ad.received()).isEqualTo(NOW);
                assertThat(ad.ad().has("AuthorizationTicket")).isFalse();
                assertThat(ad.privateAd().has("AuthorizationTicket")).isTrue();
            });

            clock.advance(Duration.ofSeconds(1));
            there.advertise(ClassAd.parse("[ Type = \"machine\"; Name = \"M\"; Load = 2 ]"));
            exchange(there, here);
            assertThat(here.query(CollectorQuery.all()))
                    .singleElement()
                    .satisfies(ad -> assertThat(ad.evaluate("Load").print()).isEqualTo("2"));

            clock.advance(Duration.ofSeconds(1));
            here.invalidate(key);
            exchange(here, there);
            assertThat(there.find(key)).isEmpty();
            try (var late = a.ads(clock)) {
                assertThat(late.snapshot()).isEmpty();
            }
        }
    }

    @Test
    void aServerThatStartsHasAllAdsAndALateOneDoesNotReplaceANewer() throws Exception {
        long began = System.nanoTime();
        var clock = new SettableClock(NOW.plusSeconds(10));
        var slow = new SettableClock(NOW);
        try (var here = a.ads(clock);
                var there = b.ads(slow)) {
            for (int i = 0; i < ADS; i++) {
                here.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m" + i + "\"; " + LIKE_A_MACHINE + " ]"));
            }
            there.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m7\"; Late = true ]"));
            exchange(here);
            long written = System.nanoTime();
            exchange(there);
            long read = System.nanoTime();
            try (var next = b.ads(clock)) {
                long caughtUp = System.nanoTime();
                System.out.printf(
                        "NodesContract: %d ads taken and written in %d ms, read by another server in %d ms, by one"
                                + " that starts in %d ms%n",
                        ADS,
                        (written - began) / 1_000_000,
                        (read - written) / 1_000_000,
                        (caughtUp - read) / 1_000_000);
                assertThat(next.snapshot()).hasSize(ADS);
                assertThat(next.find(new AdKey("Machine", "m7")))
                        .hasValueSatisfying(
                                ad -> assertThat(ad.ad().has("Late")).isFalse());
            }
            exchange(there);
            assertThat(there.snapshot()).hasSize(ADS).noneMatch(ad -> ad.ad().has("Late"));
        }
    }

    @Test
    void anAdOfASlowClockGivesWayToTheNewerOneThatWasReadBefore() throws Exception {
        try (var here = a.ads(new SettableClock(NOW.plusSeconds(10)));
                var there = b.ads(new SettableClock(NOW))) {
            here.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m\"; " + LIKE_A_MACHINE + " ]"));
            exchange(here, there);

            there.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m\"; Late = true ]"));
            exchange(there);

            assertThat(there.snapshot()).hasSize(1).noneMatch(ad -> ad.ad().has("Late"));
        }
    }

    private static void exchange(SharedAds... servers) {
        for (var server : servers) {
            server.exchange();
        }
    }

    private static void together(Runnable one, Runnable other) throws Exception {
        var gate = new CountDownLatch(1);
        var threads = Executors.newFixedThreadPool(2);
        var ends = new ArrayList<Future<?>>();
        for (var task : List.of(one, other)) {
            ends.add(threads.submit(() -> {
                gate.await();
                task.run();
                return null;
            }));
        }
        gate.countDown();
        for (var end : ends) {
            end.get(1, TimeUnit.MINUTES);
        }
        threads.shutdown();
    }

    private static Agreement pending(String id) {
        return Agreement.offered(
                new AgreementId(id), AgreementRepositoryContract.offer(id.equals("a1") ? "o1" : id), NOW);
    }

    private static SiteReservation reservation() {
        return new SiteReservation(
                new SiteId("fzj"),
                new Reservation(
                        new ReservationId("R1"),
                        KEY,
                        TimeSlot.of(NOW, Duration.ofHours(1)),
                        new Need.Nodes(4),
                        List.of()));
    }
}
