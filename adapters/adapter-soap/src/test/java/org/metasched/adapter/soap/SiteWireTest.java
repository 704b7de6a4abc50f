package org.metasched.adapter.soap;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.extension.Parameters;
import com.github.tomakehurst.wiremock.extension.ServeEventListener;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.NotAsked;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.Need;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.trust.ClientCredentials;

/** The wire itself: values, mishaps and bounds, over a scheduler that only takes notes. */
class SiteWireTest {

    private static final Instant TEN = Instant.parse("2030-01-05T10:00:00Z");
    private static final ResourceRequest REQUEST = new ResourceRequest(
            new Need.Nodes(16, 4, new TreeSet<>(List.of("infiniband", "gpu"))),
            Duration.ofMinutes(90),
            Optional.of(new Requester("CN=Alice & Bob,O=Grid", List.of("CN=Carol", "<Dora>"), Optional.of("P42"))));

    private static final int NEVER = 600_000;

    private static NotebookScheduler scheduler;
    private static AdapterHost host;
    private RemoteScheduler remote;

    private final CountDownLatch asked = new CountDownLatch(1);

    /** Stands for a site that answers late, broken or not at all. */
    @RegisterExtension
    private final WireMockExtension site = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort().extensions(new Arrivals(asked)))
            .build();

    /** Tells that a request has come. */
    private record Arrivals(CountDownLatch asked) implements ServeEventListener {

        @Override
        public void beforeMatch(ServeEvent event, Parameters parameters) {
            asked.countDown();
        }

        @Override
        public String getName() {
            return "arrivals";
        }
    }

    @BeforeAll
    static void serve() {
        scheduler = new NotebookScheduler();
        host = AdapterHost.start(scheduler, 0);
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @BeforeEach
    void connect() {
        remote = RemoteScheduler.at(new SiteId("fzj"), host.endpoint());
    }

    @AfterEach
    void disconnect() {
        scheduler.mishap = null;
        remote.close();
    }

    @Test
    void carriesARequestAndItsReservationWithoutLoss() throws Exception {
        var key = new RequestKey("carries-1");

        var reservation = remote.reserve(key, REQUEST, TEN);

        assertThat(scheduler.requests.get(key)).isEqualTo(REQUEST);
        assertThat(scheduler.find(key).orElseThrow().reservation()).isEqualTo(reservation);
        var status = remote.state(reservation.id());
        assertThat(status.lostNodes()).containsExactly("node02");
        assertThat(status.detail()).isEqualTo("confirmed \uFFFD[1m& bold <b>");
        assertThat(remote.find(key)).contains(status);
    }

    @Test
    void carriesBandwidthAndLicences() throws Exception {
        for (Need need : List.of(new Need.Bandwidth(1000), new Need.Licences("matlab", 3))) {
            var request = new ResourceRequest(need, Duration.ofMillis(1500), Optional.empty());

            var reservation = remote.reserve(new RequestKey("kind-" + need.amount()), request, TEN);

            assertThat(reservation.granted()).isEqualTo(need);
            assertThat(reservation.slot()).isEqualTo(TimeSlot.of(TEN, Duration.ofMillis(1500)));
        }
    }

    @Test
    void asksForTheStatesOfManyInOneCall() throws Exception {
        var ids = new ArrayList<ReservationId>();
        for (int i = 0; i < 1_200; i++) {
            ids.add(scheduler.reserve(new RequestKey("many-" + i), REQUEST, TEN).id());
        }
        ids.add(new ReservationId("nobody-knows-it"));
        var before = scheduler.listings.get();

        var states = remote.states(ids);

        assertThat(states).hasSize(1_200).doesNotContainKey(new ReservationId("nobody-knows-it"));
        assertThat(states.get(ids.get(7))).isEqualTo(remote.state(ids.get(7)));
        assertThat(scheduler.listings.get() - before).isEqualTo(2);
    }

    @Test
    void carriesWhatAnAdminShouldKnow() throws Exception {
        scheduler.remarks = List.of("Reservation \u001b[1mx is odd.");

        assertThat(remote.loadReporting().orElseThrow().load().remarks())
                .containsExactly("Reservation \uFFFD[1mx is odd.");
        scheduler.remarks = List.of();
    }

    @Test
    void answersARepeatedKeyWithTheFirstReservation() throws Exception {
        var key = new RequestKey("twice-1");

        var first = remote.reserve(key, REQUEST, TEN);
        var second = remote.reserve(key, REQUEST, TEN.plusSeconds(3600));

        assertThat(second).isEqualTo(first);
    }

    @Test
    void asksForTheFirstStartAndForAllWindows() throws Exception {
        assertThat(remote.earliestStart(REQUEST, TEN.minusSeconds(60))).contains(TEN);
        assertThat(remote.earliestStart(ResourceRequest.nodes(65, Duration.ofHours(1)), TEN))
                .isEmpty();

        var windows = remote.windowListing().orElseThrow().freeWindows(REQUEST, TimeSlot.of(TEN, Duration.ofDays(1)));

        assertThat(windows.version()).isEqualTo("v7");
        assertThat(windows.firstFrom(TEN)).contains(TEN);
    }

    @Test
    void learnsLookAheadLoadAndAbilitiesFromTheAdapter() throws Exception {
        assertThat(remote.loadReporting().orElseThrow().load()).isEqualTo(new SiteLoad(64, 40, 3, 9));
        assertThat(remote.previewWindow()).isEqualTo(scheduler.previewWindow());
    }

    @Test
    void bindsAndPublishesAtRunTime() throws Exception {
        var id = remote.reserve(new RequestKey("runtime-1"), REQUEST, TEN).id();
        var runtime = remote.runtimeSupport().orElseThrow();

        runtime.bind(id, List.of("10.0.0.1", "10.0.0.2"));
        runtime.publish(id, "machines", "a\u0001ü\nb\r\n");

        assertThat(scheduler.bound).containsExactly("10.0.0.1", "10.0.0.2");
        assertThat(scheduler.published).containsEntry("machines", "a\u0001ü\nb\r\n");
    }

    @Test
    void keepsTheTypeOfEveryMishap() throws Exception {
        assertThatThrownBy(() -> remote.reserve(new RequestKey("early-1"), REQUEST, TEN.minusSeconds(1)))
                .isExactlyInstanceOf(Refused.class)
                .isInstanceOfSatisfying(
                        Refused.class, e -> assertThat(e.possibleStart()).contains(TEN))
                .hasMessageContaining("All nodes are taken");
        assertThatThrownBy(() -> remote.state(new ReservationId("R999.pbs")))
                .isInstanceOf(UnknownReservation.class)
                .hasMessageContaining("R999.pbs");

        scheduler.mishap = new Forbidden("rule fair, most-nodes: 5 nodes are more than 4", Optional.of(TEN));
        assertThatThrownBy(() -> remote.earliestStart(REQUEST, TEN))
                .isInstanceOfSatisfying(
                        Forbidden.class, e -> assertThat(e.possibleStart()).contains(TEN))
                .hasMessageContaining("rule fair");

        scheduler.mishap = new Misconfigured("pbs_rsub is not installed.");
        assertThatThrownBy(() -> remote.cancel(new ReservationId("R1")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("pbs_rsub");

        scheduler.mishap = new Unreachable("qstat gave no answer within PT30S.");
        assertThatThrownBy(() -> remote.earliestStart(REQUEST, TEN))
                .isExactlyInstanceOf(Unreachable.class)
                .hasMessageContaining("qstat");

        scheduler.mishap = new NotAsked("Site below was not asked.");
        assertThatThrownBy(() -> remote.earliestStart(REQUEST, TEN)).isExactlyInstanceOf(Unreachable.class);

        scheduler.mishap = new Unreadable("qstat printed no table.", new IllegalArgumentException());
        assertThatThrownBy(() -> remote.earliestStart(REQUEST, TEN))
                .isExactlyInstanceOf(Unreadable.class)
                .hasMessageContaining("no table");

        scheduler.mishap = new IllegalArgumentException("The number of nodes (0) must be from 1.");
        assertThatThrownBy(() -> remote.earliestStart(REQUEST, TEN))
                .isExactlyInstanceOf(Refused.class)
                .hasMessageContaining("nodes (0)");
    }

    @Test
    void tellsNothingOfItsInsideWhenTheMistakeIsTheAdapters() {
        scheduler.mishap = new IllegalStateException("secret /etc/pbs.conf");

        assertThatThrownBy(() -> remote.earliestStart(REQUEST, TEN))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("internal error")
                .hasMessageNotContaining("secret");
    }

    @Test
    void saysThatThePathIsWrongWhereNothingIsServed() {
        var elsewhere = URI.create(host.endpoint().toString().replace("/Site", "/site"));
        try (var lost = RemoteScheduler.at(new SiteId("fzj"), elsewhere)) {
            assertThatThrownBy(() -> lost.earliestStart(REQUEST, TEN))
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining("there is no such service at that address (404)")
                    .hasMessageContaining("adapter serve");
        }
    }

    @Test
    void cancelsTwiceWithoutAnError() throws Exception {
        var id = remote.reserve(new RequestKey("cancel-1"), REQUEST, TEN).id();

        remote.cancel(id);
        remote.cancel(id);

        assertThat(remote.state(id).state()).isEqualTo(ReservationState.CANCELLED);
    }

    @Test
    void takesASiteThatDoesNotAnswerForUnreachable() throws Exception {
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (var nobody =
                RemoteScheduler.at(new SiteId("fzj"), URI.create("http://127.0.0.1:" + port + "/services/Site"))) {
            assertThatThrownBy(() -> nobody.reserve(new RequestKey("lost-1"), REQUEST, TEN))
                    .isInstanceOfSatisfying(
                            Unreachable.class,
                            e -> assertThat(e.mayHaveHappened()).isTrue())
                    .hasMessageContaining("Maybe the adapter is down");
            assertThat(nobody.windowListing()).isEmpty();
            // Whether it runs programs is not known: that is no "no".
            var starter = nobody.jobStarter().orElseThrow();
            assertThatThrownBy(() -> starter.check(Program.of("/bin/true", List.of()), Optional.empty()))
                    .isInstanceOf(Unreachable.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.3S", "PT0.0001S"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void waitsForAnAnswerNoLongerThanItWasTold(Duration longest) throws Exception {
        site.stubFor(any(anyUrl()).willReturn(ok().withFixedDelay(NEVER)));
        try (var patient = RemoteScheduler.at(
                new SiteId("fzj"),
                broken(),
                new OutgoingCalls(ClientCredentials.ANONYMOUS, Duration.ofSeconds(1), longest))) {
            long before = System.nanoTime();

            assertThatThrownBy(() -> patient.cancel(new ReservationId("R1"))).isInstanceOf(Unreachable.class);

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void anAnswerThatBreaksOffLeavesOpenWhetherItHappened(Fault fault) throws Exception {
        site.stubFor(any(anyUrl()).willReturn(aResponse().withFault(fault)));

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>busy</html>",
                "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body>",
                "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body/></s:Envelope>",
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>"
            })
    void anAnswerThatIsNoSoapMessageLeavesOpenWhetherItHappened(String body) throws Exception {
        site.stubFor(
                any(anyUrl()).willReturn(ok(body).withHeader("Content-Type", "application/soap+xml;charset=UTF-8")));

        assertBroken();
    }

    private void assertBroken() throws Exception {
        try (var remote = RemoteScheduler.at(new SiteId("fzj"), broken())) {
            assertThatThrownBy(() -> remote.reserve(new RequestKey("lost-2"), REQUEST, TEN))
                    .isInstanceOfSatisfying(
                            Unreachable.class,
                            e -> assertThat(e.mayHaveHappened()).isTrue());
        }
    }

    private URI broken() {
        return URI.create("http://127.0.0.1:" + site.getPort() + "/services/Site");
    }

    @Test
    void stopsWaitingWhenItsThreadIsInterrupted() throws Exception {
        site.stubFor(any(anyUrl()).willReturn(ok().withFixedDelay(NEVER)));
        var caught = new AtomicReference<Throwable>();
        var stillInterrupted = new AtomicReference<Boolean>();
        var done = new CountDownLatch(1);
        var caller = new Thread(() -> {
            try (var waiting = RemoteScheduler.at(new SiteId("fzj"), broken())) {
                waiting.cancel(new ReservationId("R1"));
            } catch (Exception e) {
                caught.set(e);
                stillInterrupted.set(Thread.currentThread().isInterrupted());
            } finally {
                done.countDown();
            }
        });
        caller.start();
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

        caller.interrupt();

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(caught.get()).isInstanceOf(Unreachable.class);
        assertThat(stillInterrupted.get()).isTrue();
    }

    @Test
    void noticesAnAddressThatBelongsToAnotherSite() {
        try (var mixedUp = RemoteScheduler.at(new SiteId("scai"), host.endpoint())) {
            assertThatThrownBy(() -> mixedUp.earliestStart(REQUEST, TEN))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("serves site fzj, not scai");
        }
    }
}
