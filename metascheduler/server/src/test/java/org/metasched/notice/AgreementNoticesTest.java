package org.metasched.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.fakes.TestGrid;
import org.metasched.http.OutboundPolicy;
import org.metasched.outbox.OutboxDispatcher.End;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;
import org.metasched.subscription.NoticeOccasion;
import org.metasched.subscription.NoticeSubscription;
import org.metasched.trust.ClientCredentials;

/** What subscribers are told, on a clock that the test moves, with the outbox of a real database. */
@Tag("full")
class AgreementNoticesTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = NoticeSubscription.randomSecret();

    private record Told(JsonNode event, String id, String time, String signature, String body) {}

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private final Database database =
            Database.open(new DatabaseSettings("jdbc:h2:mem:" + UUID.randomUUID(), "", "", 4));
    private final TestGrid grid = new TestGrid().site("fzj", 8).site("scai", 8).books(database.books());
    private final TestGrid.Started started = grid.start();
    private volatile int status = 200;
    private HttpServer hook;
    private AgreementNotices notices;
    private MailServer mail;

    @BeforeEach
    void open() throws IOException {
        hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var headers = exchange.getRequestHeaders();
            // As it was when the message came: the test changes it as soon as it hears of that.
            int answer = status;
            told.add(new Told(
                    JSON.readTree(body),
                    headers.getFirst("webhook-id"),
                    headers.getFirst("webhook-timestamp"),
                    headers.getFirst("webhook-signature"),
                    body));
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        hook.start();
        mail = new MailServer("450 later", "250 ok");
        var settings = new MailSender.Settings(
                mail.address(), "grid@example.org", List.of("example.org"), false, Optional.empty(), Optional.empty());
        notices = new AgreementNotices(
                database.subscriptions(),
                database.outbox(),
                new NoticeCall(
                        OutboundPolicy.LOCAL,
                        ClientCredentials.ANONYMOUS,
                        Optional.of(new MailSender(settings)),
                        grid.clock),
                grid.clock);
        started.making.changes().onChange(notices);
    }

    @AfterEach
    void close() throws IOException {
        notices.close();
        mail.close();
        hook.stop(0);
        grid.close();
        database.close();
    }

    private String hookAddress() {
        return "http://127.0.0.1:" + hook.getAddress().getPort() + "/hook";
    }

    private NoticeSubscription subscribe(String owner, String to, NoticeOccasion... only) {
        var one = new NoticeSubscription(
                NoticeSubscription.randomName(),
                owner,
                Optional.empty(),
                to,
                only.length == 0 ? EnumSet.allOf(NoticeOccasion.class) : Set.of(only),
                Duration.ofMinutes(30),
                SECRET);
        database.subscriptions().add(one);
        return one;
    }

    private Told next(String occasion) throws Exception {
        var heard = told.poll(30, TimeUnit.SECONDS);
        assertThat(heard).as(occasion).isNotNull();
        assertThat(heard.event().path("type").asText()).isEqualTo("org.metasched.agreement." + occasion);
        return heard;
    }

    private Agreement make(String id, int nodes) throws InterruptedException {
        return started.service.offer(grid.offer(id, nodes, "fzj")).fold(created -> created.agreement(), refused -> {
            throw new AssertionError(refused.reason());
        });
    }

    /** The newest agreements of a server are not all that are still to come. */
    @Test
    void aCalendarShowsAnOldReservationThatIsToComeBehindManyNewerOnes() throws Exception {
        try (var other = new TestGrid().site("fzj", 8)) {
            var service = other.start().service;
            var made = ((Created) service.offer(other.offer("old", 2, "fzj"))).agreement();
            for (int i = 0; i < 5_001; i++) {
                var at = other.clock.instant().plusSeconds(1 + i);
                other.memory.save(Agreement.offered(AgreementId.random(), other.offer("n" + i, 2, "fzj"), at)
                        .become(AgreementState.REJECTED, "", at));
            }
            String name = NoticeSubscription.randomName();
            database.subscriptions()
                    .add(new NoticeSubscription(
                            CalendarServlet.idOf(name), "CN=alice", Optional.empty(), "", Set.of(), Duration.ZERO, ""));
            try (var server = org.metasched.http.HttpServer.onPort(0)
                    .servlet("/calendars/*", new CalendarServlet(service, database.subscriptions(), other.clock))
                    .start()) {
                var calendar = server.base().resolve("/calendars/" + name + ".ics");
                assertThat(new String(calendar.toURL().openStream().readAllBytes(), StandardCharsets.UTF_8))
                        .containsOnlyOnce("BEGIN:VEVENT")
                        .contains("UID:" + made.id());
            }
        }
    }

    @Test
    void aHookHearsTheLifeOfAnAgreementSignedAndWithIds() throws Exception {
        subscribe("CN=alice", hookAddress());
        subscribe("CN=bob", hookAddress());
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT2H"), 8);
        ahead();

        var made = make("o1", 2);
        var first = next("made");
        grid.clock.advance(Duration.ofMinutes(89));
        ahead();
        grid.clock.advance(Duration.ofMinutes(2));
        ahead();
        next("soon");
        ahead();
        grid.at("fzj").loseNodes("n1");
        started.monitor.poll();
        assertThat(next("degraded")
                        .event()
                        .path("data")
                        .path("sites")
                        .path(0)
                        .path("lostNodes")
                        .asInt())
                .isEqualTo(1);
        grid.clock.advance(Duration.ofMinutes(30));
        started.monitor.poll();
        next("started");
        started.service.end(made.id(), "Enough.");
        var last = next("ended");

        assertThat(first.event().path("specversion").asText()).isEqualTo("1.0");
        assertThat(first.event().path("id").asText()).isEqualTo(first.id());
        assertThat(first.event().path("data").path("agreementId").asText())
                .isEqualTo(made.id().value());
        assertThat(last.event().path("data").path("reason").asText()).isEqualTo("Enough.");
        assertThat(first.signature()).isEqualTo("v1," + signature(first));
        assertThat(told.poll(100, TimeUnit.MILLISECONDS)).as("of bob, or twice").isNull();
    }

    private void ahead() {
        notices.lookAhead(database.books().agreements(), database.books().transactions());
    }

    private static String signature(Told told) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring("whsec_".length())), "HmacSHA256"));
        String signed = told.id() + "." + told.time() + "." + told.body();
        return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatBeginsWithinTheLeadIsSoonWhenItIsMade() throws Exception {
        subscribe("CN=alice", hookAddress(), NoticeOccasion.SOON);
        ahead();

        make("o1", 2);
        next("soon");
        grid.clock.advance(Duration.ofMinutes(1));
        ahead();
        notices.collect();

        assertThat(told.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    /** A slot without its end would leave out the agreement that begins just then, now and at each later look. */
    @Test
    void whatBeginsExactlyTheLeadAfterALookIsSoon() throws Exception {
        subscribe("CN=alice", hookAddress(), NoticeOccasion.SOON);
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT2H"), 8);
        ahead();
        make("o1", 2);

        grid.clock.advance(Duration.ofMinutes(90));
        ahead();

        next("soon");
    }

    @Test
    void aRefusalIsToldOnceWithItsReason() throws Exception {
        subscribe("CN=alice", hookAddress());

        var outcome = started.service.offer(grid.offer("o1", 9, "fzj"));

        assertThat(outcome).isInstanceOf(CreationOutcome.Refused.class);
        assertThat(next("refused").event().path("data").path("reason").asText()).isNotEmpty();
        assertThat(told.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void anAgreementsOwnSubscriberHearsOfNoOther() throws Exception {
        var made = make("o1", 2);
        database.subscriptions()
                .add(new NoticeSubscription(
                        NoticeSubscription.randomName(),
                        "CN=carol",
                        Optional.of(made.id().value()),
                        hookAddress(),
                        Set.of(NoticeOccasion.MADE, NoticeOccasion.ENDED),
                        Duration.ZERO,
                        SECRET));

        make("o2", 2);
        started.service.end(made.id(), "Enough.");

        assertThat(next("ended").event().path("subject").asText())
                .isEqualTo(made.id().value());
    }

    @Test
    void aHookThatFailsHearsTheSameIdAgainAndOneThatIsGoneNoMore() throws Exception {
        status = 500;
        var gone = subscribe("CN=alice", hookAddress(), NoticeOccasion.MADE);
        var other = subscribe("CN=alice", "http://127.0.0.1:9/", NoticeOccasion.ENDED);
        make("o1", 2);
        String id = next("made").id();
        status = 410;

        var again = told.poll(30, TimeUnit.SECONDS);

        assertThat(again).isNotNull();
        assertThat(again.id()).isEqualTo(id);
        Awaitility.await().until(() -> notices.count(End.DECLINED) == 1);
        assertThat(database.subscriptions().find(gone.id())).isEmpty();
        assertThat(database.subscriptions().of("CN=alice")).containsExactly(other);
    }

    @Test
    void mailIsSentAgainUntilTheServerTakesIt() throws Exception {
        subscribe("CN=alice", "mailto:alice@example.org", NoticeOccasion.MADE);
        var made = make("o1", 2);
        notices.collect();

        var letter = mail.letters.poll(20, TimeUnit.SECONDS);

        assertThat(letter).isNotNull();
        assertThat(letter)
                .contains(
                        "To: alice@example.org",
                        "From: grid@example.org",
                        "Subject: Agreement test was made",
                        "Auto-Submitted: auto-generated");
        assertThat(String.join("\n", letter.subList(letter.indexOf("") + 1, letter.size())))
                .contains(
                        "Agreement test was made.", "At fzj: 2 nodes", made.id().value());
        Awaitility.await().until(() -> notices.count(End.TOLD) == 1);
    }

    @Test
    void mailOfARefusalNamesTheOffer() throws Exception {
        subscribe("CN=alice", "mailto:alice@example.org", NoticeOccasion.REFUSED);

        started.service.offer(grid.offer("o1", 9, "fzj"));
        notices.collect();

        assertThat(mail.letters.poll(20, TimeUnit.SECONDS)).contains("Subject: Offer o1 was refused");
    }

    @Test
    void amountsOfNetworksAndLicencesAreNoNodes() throws Exception {
        subscribe("CN=alice", hookAddress(), NoticeOccasion.MADE);
        var hour = ResourceRequest.nodes(1, Duration.ofHours(1));
        started.service.offer(grid.offer("o1", List.of(RequestedPart.at("fzj", hour.of(new Need.Bandwidth(3))))));

        var site = next("made").event().path("data").path("sites").path(0);

        assertThat(site.has("nodes")).isFalse();
        assertThat(site.path("amount").asInt()).isEqualTo(3);
        assertThat(site.path("unit").asText()).isEqualTo("Mbit/s");
    }

    @Test
    void addressesThatAreNotCalledAreRefusedWhenTheyAreNamedAndWhenTheyAreCalled() throws Exception {
        for (String to : List.of(
                "http://10.0.0.1/",
                "http://169.254.169.254/latest",
                "ftp://127.0.0.1/",
                "mailto:eve@elsewhere.org",
                "mailto:a@example.org\r\nRCPT TO:<b@example.org>",
                "javascript:alert(1)")) {
            assertThatThrownBy(() -> notices.check(to)).as(to).isInstanceOf(IllegalArgumentException.class);
        }
        subscribe("CN=alice", "http://10.0.0.1/", NoticeOccasion.MADE);

        make("o1", 2);
        notices.collect();

        Awaitility.await().until(() -> notices.count(End.NOT_CALLED) == 1);
    }

    @Test
    void aSubscriptionIsItsOwnersToEnd() {
        var one = subscribe("CN=alice", hookAddress());

        assertThat(database.subscriptions().remove(one.id(), "CN=bob")).isFalse();
        assertThat(database.subscriptions().of("CN=alice")).containsExactly(one);
        assertThat(database.subscriptions().remove(one.id(), "CN=alice")).isTrue();
        assertThat(database.subscriptions().find(one.id())).isEmpty();
        assertThat(started.service.find(new AgreementId("none"))).isEmpty();
    }
}
