package org.metasched.adapter.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;

/** What odd, late and hostile answers of a site come to. */
class RestSchedulerTest {

    private static final Instant START = Instant.parse("2030-01-07T10:00:00Z");
    private static final ResourceRequest REQUEST = ResourceRequest.nodes(2, Duration.ofMinutes(10));
    private static final String RESERVATION =
            "{'id':'P1','key':'k','start':'2030-01-07T10:00:00Z','end':'2030-01-07T10:10:00Z','nodes':2,'coresPerNode':1,"
                    + "'state':'RESERVED','nodeNames':['n0','n1']}";

    private HttpServer server;
    private int dropped;
    private int status = 200;
    private String answer = "{}";
    private volatile String heard = "";

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            heard = exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] body = answer.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/");
            if (dropped-- > 0) {
                exchange.close();
                return;
            }
            boolean never = answer.equals("never");
            exchange.sendResponseHeaders(status, never ? 10 : body.length);
            exchange.getResponseBody().write(body);
            if (!never) {
                exchange.close();
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private LocalScheduler site() {
        // Only a site that never answers is given up: a busy machine is slow with the others.
        String timeout = answer.equals("never") ? "1s" : "30s";
        return open("url: http://127.0.0.1:" + server.getAddress().getPort() + "/site\ntimeout: " + timeout + "\n");
    }

    private static LocalScheduler open(String yaml) {
        return new RestSchedulerFactory()
                .open(new SiteId("py"), YamlSettings.parse("site.yaml", yaml), Clock.systemUTC());
    }

    @Test
    void asksBelowItsAddressAndReadsWhatIsHeld() throws Exception {
        answer = RESERVATION;

        var made = site().reserve(new RequestKey("k"), REQUEST, START);

        assertThat(made.nodeNames()).containsExactly("n0", "n1");
        assertThat(heard)
                .startsWith("/site/reserve {")
                .contains("\"nodes\":2", "\"durationSeconds\":600", "\"start\":\"2030-01-07T10:00:00Z\"");
    }

    @Test
    void anAnswerAboutAnotherReservationIsNotRead() throws Exception {
        answer = RESERVATION;
        assertThatThrownBy(() -> site().reserve(new RequestKey("other"), REQUEST, START))
                .isInstanceOf(LocalSchedulerException.Unreadable.class)
                .hasMessageContaining("was asked as (");
        assertThatThrownBy(() -> site().state(new ReservationId("P2")))
                .isInstanceOf(LocalSchedulerException.Unreadable.class)
                .hasMessageContaining("was asked as (");

        answer = "{'reservation':" + RESERVATION + "}";
        assertThat(site().find(new RequestKey("k"))).isPresent();
        assertThatThrownBy(() -> site().find(new RequestKey("other")))
                .isInstanceOf(LocalSchedulerException.Unreadable.class)
                .hasMessageContaining("was asked as (");
    }

    /** As a server of HTTP 1.0 does with a connection that is kept. */
    @Test
    void aConnectionThatBreaksBeforeAnAnswerIsTriedOnceMore() throws Exception {
        answer = RESERVATION;
        dropped = 1;

        assertThat(site().state(new ReservationId("P1")).reservation().id().value())
                .isEqualTo("P1");
        dropped = 2;
        assertThatThrownBy(() -> site().state(new ReservationId("P1"))).isInstanceOf(Unreachable.class);
    }

    @Test
    void anErrorPageIsToldByItsStatus() {
        status = 502;
        answer = "<html>bad gateway</html>";

        assertThatThrownBy(() -> site().state(new ReservationId("P1")))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("answered with status 502");
    }

    @Test
    void manySitesAreAskedByTheSameThreads() throws Exception {
        answer = RESERVATION;
        // Clients of other tests may still be there.
        var before = Thread.getAllStackTraces().keySet();
        var many = new ArrayList<LocalScheduler>();
        for (int i = 0; i < 30; i++) {
            many.add(site());
            many.get(i).state(new ReservationId("P1"));
        }

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().endsWith("SelectorManager") && !before.contains(thread))
                .hasSizeLessThan(many.size() / 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "never",
                "{'id':'P1'}",
                "{'id':'P1','id':'P2'}",
                "{} {}",
                "{'id':'P1','key':'other','start':'2030-01-07T10:00:00Z','end':'2030-01-07T10:10:00Z','nodes':2,"
                        + "'coresPerNode':1,'state':'RESERVED'}",
                "{'id':'P1','key':'k','start':'2030-01-07T10:00:00Z','end':'2029-01-07T10:10:00Z','nodes':2,"
                        + "'coresPerNode':1,'state':'RESERVED'}",
                "{'id':'P1','key':'k','start':'soon','end':'later','nodes':2.5,'coresPerNode':1,'state':'RESERVED'}",
            })
    void anAnswerThatIsNoneMayHaveHappened(String odd) {
        answer = odd;

        assertThatThrownBy(() -> site().reserve(new RequestKey("k"), REQUEST, START))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("Site py, reserve at http://127.0.0.1:");
    }

    @Test
    void anAnswerThatIsNoObjectIsNoErrorOfStatus200() {
        answer = "[]";

        assertThatThrownBy(() -> site().reserve(new RequestKey("k"), REQUEST, START))
                .isInstanceOf(LocalSchedulerException.Unreadable.class)
                .hasMessageContaining("expected a JSON object, not ([])");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'nodes':2 | 'nodes':-5 | the field 'nodes' must be a whole number from 0, not (-5)",
                "'n1'] | null] | the field 'nodeNames' must be a list of at most 100000 texts",
                "'n1'] | 1] | the field 'nodeNames' must be a list of at most 100000 texts",
                "['n0','n1'] | 'n0' | the field 'nodeNames' must be a list of at most 100000 texts",
            })
    void aFieldOfAnotherTypeIsNamed(String right, String wrong, String reason) {
        answer = RESERVATION.replace(right, wrong);

        assertThatThrownBy(() -> site().state(new ReservationId("P1")))
                .isInstanceOf(Unreachable.class)
                .hasMessageEndingWith(reason);
    }

    @Test
    void aListThatIsTooLongIsNamed() {
        answer = RESERVATION.replace("'n0'", "'n0'" + ",'n0'".repeat(100_000));

        assertThatThrownBy(() -> site().state(new ReservationId("P1")))
                .hasMessageEndingWith("the field 'nodeNames' must be a list of at most 100000 texts");
    }

    @Test
    void anAnswerWithoutEndIsNotKept() {
        answer = "{'detail':'" + "x".repeat(5 << 20) + "'}";

        assertThatThrownBy(() -> site().state(new ReservationId("P1")))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("longer than 4194304 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "409, refused, Refused",
        "404, unknown-reservation, UnknownReservation",
        "403, misconfigured, Misconfigured",
        "404, what, Unreachable",
        "500, '', Unreachable",
        "302, '', Unreachable",
    })
    void anErrorIsWhatItsNameSays(int code, String error, String kind) {
        status = code;
        answer = "{'error':'" + error + "','message':'full','possibleStart':'2030-01-07T12:00:00Z'}";

        assertThatThrownBy(() -> site().cancel(new ReservationId("P1")))
                .isInstanceOf(LocalSchedulerException.class)
                .satisfies(e -> assertThat(e.getClass().getSimpleName()).isEqualTo(kind))
                .satisfies(e -> assertThat(e instanceof Refused refused ? refused.possibleStart() : Optional.of(START))
                        .isPresent());
    }

    @Test
    void aStartBeforeTheOneAskedIsNoAnswer() {
        answer = "{'start':'2030-01-07T09:59:59Z'}";

        assertThatThrownBy(() -> site().earliestStart(REQUEST, START)).isInstanceOf(Unreachable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "http://me:secret@host/", "http://host/?a=b", "nowhere"})
    void anAddressThatIsNoneIsNamed(String url) {
        assertThatThrownBy(() -> open("url: '" + url + "'\n")).isInstanceOf(InvalidSettingException.class);
    }

    @Test
    void aTokenIsNotSentOverPlainHttpToAnotherMachine(@TempDir Path folder) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "abc");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));

        assertThatThrownBy(() -> open("url: http://site.example.org:9/\ntoken-file: " + token + "\n"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("site.yaml:1:")
                .hasMessageContaining("(http://site.example.org:9/)");
        open("url: https://site.example.org:9/\ntoken-file: " + token + "\n");
        open("url: http://[::1]:9/\ntoken-file: " + token + "\n");
        open("url: http://site.example.org:9/\n");
    }

    @Test
    void aGridThatNoWindowMayHaveIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> open("url: http://127.0.0.1:9/\ngrid: 500ms\n"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("site.yaml:2:");
    }
}
