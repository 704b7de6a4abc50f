package org.metasched.soap.introduction;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.Introduction;
import org.metasched.classad.cycle.MatchmakingCycle;
import org.metasched.classad.cycle.NothingKept;
import org.metasched.classad.cycle.PoolRules;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.fakes.InMemoryBooks;
import org.metasched.fakes.UnusedPort;
import org.metasched.http.OutboundPolicy;
import org.metasched.leases.LeaseSamples;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.OutboxDispatcher.End;
import org.metasched.trust.ClientCredentials;

/** Over real HTTP: parties are servers of their own, and some of them are bad ones. */
@Timeout(120)
class IntroductionCallsTest {

    private static final OutboundPolicy LOCAL = OutboundPolicy.LOCAL;
    private static final IntroductionCalls.Patience SHORT =
            new IntroductionCalls.Patience(Duration.ofMillis(500), Duration.ofMillis(20));
    /** For parties that answer: a loaded machine must not make them late. */
    private static final IntroductionCalls.Patience LONG =
            new IntroductionCalls.Patience(Duration.ofSeconds(30), Duration.ofMillis(20));

    private final BlockingQueue<MatchNotice> heard = new LinkedBlockingQueue<>();
    private final InMemoryBooks books = new InMemoryBooks();

    @Test
    void bothPartiesHearOfEachOtherAndEachGetsTheOthersTicketOnly() throws Exception {
        var collector = new InMemoryCollector(Clock.systemUTC());
        try (var parties = receiver();
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            collector.advertise(ad("[ Type = \"Job\"; Name = \"j\"; Owner = \"ann\"; AuthorizationTicket = \"of-j\";"
                    + " Requirements = TARGET.Type == \"Machine\"; ContactAddress = \"" + at(parties) + "\" ]"));
            collector.advertise(ad("[ Type = \"Machine\"; Name = \"m\"; AuthorizationTicket = \"of-m\";"
                    + " Requirements = TARGET.Owner == \"ann\"; ContactAddress = \"" + at(parties) + "\" ]"));
            var accountant = new Accountant(Duration.ofDays(1), Clock.systemUTC(), new NothingKept());

            new MatchmakingCycle(
                            SharePolicy.DEFAULT,
                            PoolRules.DEFAULT,
                            accountant,
                            LeaseSamples.uncounted(),
                            calls,
                            Clock.systemUTC())
                    .run(collector);

            MatchNotice first = heard.poll(30, TimeUnit.SECONDS);
            MatchNotice second = heard.poll(30, TimeUnit.SECONDS);
            MatchNotice customer = first.role() == MatchNotice.Role.CUSTOMER ? first : second;
            MatchNotice offer = customer == first ? second : first;
            assertThat(customer.match()).isEqualTo(offer.match());
            assertThat(customer.name()).isEqualTo("j");
            assertThat(customer.other().evaluate("Name").print()).isEqualTo("\"m\"");
            assertThat(customer.ticket()).hasValue("of-m");
            assertThat(offer.role()).isEqualTo(MatchNotice.Role.OFFER);
            assertThat(offer.other().evaluate("Name").print()).isEqualTo("\"j\"");
            assertThat(offer.ticket()).hasValue("of-j");
            assertThat(customer.other().print() + offer.other().print() + customer)
                    .doesNotContain("of-");
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> calls.count(End.TOLD) == 2);
        }
    }

    @Tag("full")
    @Test
    void aPartyThatIsDownIsToldWhenItIsBack() throws Exception {
        int port = UnusedPort.next();
        try (var calls = new IntroductionCalls(
                books,
                LOCAL,
                ClientCredentials.ANONYMOUS,
                new IntroductionCalls.Patience(Duration.ofSeconds(30), Duration.ofSeconds(2)))) {
            calls.introduced(introduction("http://127.0.0.1:" + port + "/services/" + MatchReceiver.NAME));

            try (var late = SoapServer.onPort(port)
                    .service(MatchReceiver.NAME, new MatchReceiver(heard::add))
                    .start()) {
                assertThat(heard.poll(60, TimeUnit.SECONDS)).isNotNull();
                assertThat(late.base().getPort()).isEqualTo(port);
            }
        }
    }

    @Test
    void aPartyThatNeverAnswersHoldsUpNobody() throws Exception {
        var release = new CountDownLatch(1);
        try (var slow = server(exchange -> await(release));
                var parties = receiver();
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            for (int i = 0; i < 200; i++) {
                calls.introduced(introduction(slow.address()));
            }
            calls.introduced(introduction(at(parties)));

            assertThat(heard.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(slow.calls.get()).isLessThanOrEqualTo(2);
        } finally {
            release.countDown();
        }
    }

    @Test
    void whatOneProcessOwesTheNextOneTells() throws Exception {
        int port = UnusedPort.next();
        var neverAgain = new IntroductionCalls.Patience(Duration.ofSeconds(30), Duration.ofHours(1));
        var before = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, neverAgain);
        before.introduced(introduction("http://127.0.0.1:" + port + "/services/" + MatchReceiver.NAME));
        before.flush();
        before.close();
        assertThat(books.pending(Kind.INTRODUCTION, 10)).hasSize(1);

        try (var parties = SoapServer.onPort(port)
                        .service(MatchReceiver.NAME, new MatchReceiver(heard::add))
                        .start();
                var after = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            after.collect();

            assertThat(heard.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(parties.base().getPort()).isEqualTo(port);
            Awaitility.await().until(() -> books.pending(Kind.INTRODUCTION, 10).isEmpty());
        }
    }

    @Tag("full")
    @Test
    void aPartyThatNeverAnswersIsGivenUp() throws Exception {
        var release = new CountDownLatch(1);
        try (var slow = server(exchange -> await(release));
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, SHORT)) {
            calls.introduced(introduction(slow.address()));

            Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> calls.count(End.IN_VAIN) == 1);
        } finally {
            release.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>What a nice day</html>",
                "<!DOCTYPE x [<!ENTITY a \"b\">]><x>&a;</x>",
                "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body><IntroduceResponse"
                        + " xmlns='urn:metasched:introduction:1' match='another' known='true'/></s:Body></s:Envelope>",
                "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body>"
            })
    void garbageIsNoAnswerAndIsAskedForJustAFewTimes(String garbage) throws Exception {
        try (var strange = server(exchange -> answer(exchange, 200, garbage.getBytes(StandardCharsets.UTF_8)));
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            calls.introduced(introduction(strange.address()));

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> calls.count(End.IN_VAIN) == 1);
            assertThat(strange.calls.get()).isEqualTo(4);
        }
    }

    @Test
    void anAnswerWithoutEndIsCutOff() throws Exception {
        try (var endless = server(IntroductionCallsTest::answerWithoutEnd);
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            calls.introduced(introduction(endless.address()));

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> calls.count(End.IN_VAIN) == 1);
        }
    }

    @Test
    void redirectionsAreNotFollowed() throws Exception {
        try (var victim = server(exchange -> answer(exchange, 200, new byte[0]));
                var redirecting = server(exchange -> {
                    exchange.getResponseHeaders().add("Location", victim.address());
                    answer(exchange, 307, new byte[0]);
                });
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            calls.introduced(introduction(redirecting.address()));

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> calls.count(End.IN_VAIN) == 1);
            assertThat(victim.calls.get()).isZero();
        }
    }

    @Test
    void aPartyThatFailsIsToldAgainAndOneThatDeclinesIsNot() throws Exception {
        var failures = new AtomicInteger(1);
        var declined = new AtomicInteger();
        var failing = new MatchReceiver(introduced -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("Not now.");
            }
            heard.add(introduced);
        });
        var declining = new MatchReceiver(introduced -> {
            declined.incrementAndGet();
            throw new IllegalArgumentException("No more jobs, please.");
        });
        try (var parties = SoapServer.onPort(0)
                        .service("Failing", failing)
                        .service("Declining", declining)
                        .start();
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            calls.introduced(introduction(parties.service("Failing").toString()));
            calls.introduced(introduction(parties.service("Declining").toString()));

            assertThat(heard.poll(30, TimeUnit.SECONDS)).isNotNull();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> calls.count(End.TOLD) == 1 && calls.count(End.DECLINED) == 1);
            assertThat(declined.get()).isEqualTo(1);
            assertThat(heard).isEmpty();
        }
    }

    @Tag("full")
    @Test
    void whatWaitsIsBounded() throws Exception {
        var release = new CountDownLatch(1);
        try (var slow = server(exchange -> await(release));
                var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, LONG)) {
            for (int i = 0; i < 10_050; i++) {
                calls.introduced(introduction(slow.address()));
            }

            assertThat(calls.count(End.DROPPED)).isEqualTo(50);
        } finally {
            release.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://example.org/",
                "<10.0.0.7:9618>",
                "http://",
                "http://user:secret@127.0.0.1/",
                "http://169.254.169.254/latest/meta-data/",
                "http://0.0.0.0:8080/",
                "http://224.0.0.1/",
                "http://[fe80::1]/",
                "http://127.0.0.1/#part",
                "http://127.0.0.1:99999/",
                "jar:http://127.0.0.1/!/x"
            })
    void addressesThatAreNoPartysAreNotCalled(String address) throws Exception {
        try (var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, SHORT)) {
            calls.introduced(introduction(address));

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> calls.count(End.NOT_CALLED) == 1);
        }
    }

    @Test
    void addressesThatWouldHaveToBeEvaluatedAreNone() throws Exception {
        try (var calls = new IntroductionCalls(books, LOCAL, ClientCredentials.ANONYMOUS, SHORT)) {
            var computed = ad("[ Type = \"Job\"; Name = \"j\"; ContactAddress = strcat(\"http://\", \"127.0.0.1\") ]");

            calls.introduced(new Introduction(
                    UUID.randomUUID(), "ann", computed, ad("[ Type = \"M\"; Name = \"m\" ]"), "", "", false));

            for (End end : End.values()) {
                assertThat(calls.count(end)).isZero();
            }
        }
    }

    private SoapServer receiver() {
        return SoapServer.onPort(0)
                .service(MatchReceiver.NAME, new MatchReceiver(heard::add))
                .start();
    }

    private static String at(SoapServer parties) {
        return parties.service(MatchReceiver.NAME).toString();
    }

    private static Introduction introduction(String address) throws Exception {
        ClassAd customer = ad("[ Type = \"Job\"; Name = \"j\" ]").with("ContactAddress", address);
        return new Introduction(
                UUID.randomUUID(), "ann", customer, ad("[ Type = \"Machine\"; Name = \"m\" ]"), "ticket", "", false);
    }

    private static ClassAd ad(String text) throws Exception {
        return ClassAd.parse(text);
    }

    private interface Behaviour {
        void answer(HttpExchange exchange) throws IOException;
    }

    /** A party that is no MatchReceiver. */
    private record Strange(HttpServer http, AtomicInteger calls) implements AutoCloseable {

        String address() {
            return "http://127.0.0.1:" + http.getAddress().getPort() + "/party";
        }

        @Override
        public void close() {
            http.stop(0);
        }
    }

    private static Strange server(Behaviour behaviour) throws IOException {
        var http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var calls = new AtomicInteger();
        http.setExecutor(Executors.newCachedThreadPool(task -> {
            var thread = new Thread(task, "strange-party");
            thread.setDaemon(true);
            return thread;
        }));
        http.createContext("/", exchange -> {
            calls.incrementAndGet();
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                behaviour.answer(exchange);
            }
        });
        http.start();
        return new Strange(http, calls);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static void answerWithoutEnd(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        byte[] more = "<more>".repeat(1_000).getBytes(StandardCharsets.UTF_8);
        while (true) {
            exchange.getResponseBody().write(more);
        }
    }

    private static void await(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
