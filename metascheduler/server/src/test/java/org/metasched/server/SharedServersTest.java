package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.classad.ClassAd;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.soap.collector.RemoteCollector;

/** Servers on one PostgreSQL: what they share they share by its time, and each site is looked after by one of them. */
@Tag("full")
@Timeout(180)
class SharedServersTest {

    private static final Duration WRONG = Duration.ofMinutes(5);
    private static final int SITES = 6;
    /** Transactions a second of a server that has nothing to do. */
    private static final double MOST_IDLE = 1;

    private final Map<String, Integer> questions = new ConcurrentHashMap<>();
    private final List<AdapterHost> hosts = new ArrayList<>();
    private final List<ServerAssembly> servers = new ArrayList<>();
    private static EmbeddedPostgres postgres;
    private static int databases;
    private final String name = "servers" + databases++;
    private String database = "";

    @TempDir
    private Path folder;

    @BeforeAll
    static void startPostgres() throws IOException {
        // A vacuum that PostgreSQL starts by itself counts as a transaction.
        postgres =
                EmbeddedPostgres.builder().setServerConfig("autovacuum", "off").start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void begin() throws Exception {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        database = postgres.getJdbcUrl("postgres", name);
        for (int i = 0; i < SITES; i++) {
            var site = new SimulatedSite(new SiteId("s" + i)).nodes(64).open(Clock.systemUTC());
            hosts.add(AdapterHost.start(counted("s" + i, site), 0));
        }
    }

    @AfterEach
    void end() {
        servers.forEach(ServerAssembly::close);
        hosts.forEach(AdapterHost::close);
    }

    /** Counts the questions for its load and its states. */
    private LocalScheduler counted(String name, LocalScheduler site) {
        return (LocalScheduler) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LocalScheduler.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("loadReporting")) {
                        return site.loadReporting().map(reporting -> (LoadReporting) () -> {
                            questions.merge("load " + name, 1, Integer::sum);
                            return reporting.load();
                        });
                    }
                    questions.merge(method.getName() + " " + name, 1, Integer::sum);
                    try {
                        return method.invoke(site, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private int asked(String what) {
        return questions.entrySet().stream()
                .filter(one -> one.getKey().startsWith(what + " "))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private ServerAssembly start(Clock clock, String more) {
        String sites = IntStream.range(0, SITES)
                .mapToObj(i -> "  - {site: s" + i + ", url: '" + hosts.get(i).endpoint() + "'}")
                .collect(Collectors.joining("\n"));
        String yaml = "port: 0\ndata: " + folder.resolve("n" + servers.size()) + "\ndatabase: {url: '" + database
                + "'}\ndrain: 1s\n" + more + "sites:\n" + sites + "\n";
        var server = ServerAssembly.start(ConfigurationFile.from(YamlSettings.parse("test.yaml", yaml)), clock);
        servers.add(server);
        return server;
    }

    @Test
    void aServerWhoseClockIsOffSaysSoJudgesNothingAndWorksByTheTimeOfTheDatabase() throws Exception {
        String often = "monitor: {every: 200ms}\nmatchmaking: {advertise-every: 1s}\n";
        var wrong = start(Clock.offset(Clock.systemUTC(), WRONG), often);
        var right = start(Clock.systemUTC(), often);

        await().atMost(Duration.ofSeconds(30)).until(() -> done(right).has("monitor"));
        assertThat(get(right, "/health").statusCode()).isEqualTo(200);
        assertThat(get(wrong, "/health").statusCode()).isEqualTo(503);
        var health = health(wrong);
        assertThat(health.at("/clock").asText()).isEqualTo("off");
        assertThat(health.at("/clockOffsetSeconds").asDouble()).isBetween(299.0, 301.0);
        assertThat(get(wrong, "/metrics").body()).containsPattern("metasched_clock_offset_seconds (299|300)");

        var start = Instant.now().plusSeconds(120);
        var agreements = List.of(made(wrong, "a", start), made(right, "b", start));
        var later = Instant.now().plusSeconds(2);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Instant.parse(done(right).path("monitor").asText()).isAfter(later));
        for (var one : agreements) {
            var seen = right.agreements().find(one.id()).orElseThrow();
            assertThat(seen.assessments())
                    .allSatisfy(assessed -> assertThat(assessed.total()).isZero());
            assertThat(seen.slot().orElseThrow().start()).isBetween(start.minusSeconds(1), start.plusSeconds(5));
        }
        assertThat(done(wrong).has("monitor")).isFalse();
        assertThat(done(wrong))
                .allSatisfy(when -> assertThat(Instant.parse(when.asText()))
                        .isBefore(Instant.now().plusSeconds(2)));

        var open = offer(
                wrong,
                "open",
                Optional.empty(),
                List.of(),
                new RequestedPart(
                        "cpu",
                        "cpu",
                        Optional.empty(),
                        ResourceRequest.nodes(4, Duration.ofMinutes(1)),
                        Optional.of("TotalNodes >= 1")));
        assertThat(wrong.agreements().offer(open)).isInstanceOf(Created.class);
    }

    @Test
    void theLaterAdStaysAtAllServersWhicheverClockIsOff() throws Exception {
        var wrong = start(Clock.offset(Clock.systemUTC(), WRONG), "");
        var right = start(Clock.systemUTC(), "");
        var order = List.of(wrong, right, wrong, right);
        for (int i = 0; i < order.size(); i++) {
            try (var collector = RemoteCollector.at(order.get(i).base(), Duration.ofSeconds(30))) {
                collector.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m\"; Turn = " + i + " ]"));
            }
            String now = "Turn=" + i;
            await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                for (var server : order) {
                    assertThat(get(server, "/api/v1/ads?type=Machine&name=m")
                                    .body()
                                    .replaceAll("\\s", ""))
                            .contains(now);
                }
            });
        }
    }

    @Test
    @Tag("full")
    void threeServersAskASiteAsOftenAsOneAndFollowOneThatLeaves() throws Exception {
        String often = "monitor: {every: 2s}\nmatchmaking: {advertise-every: 2s}\n";
        var first = start(Clock.systemUTC(), often);
        var agreement = made(first, "a", Instant.now().plusSeconds(2));
        start(Clock.systemUTC(), often);
        start(Clock.systemUTC(), often);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> get(first, "/metrics").body().contains("metasched_servers 3"));

        questions.clear();
        long begun = System.nanoTime();
        pass(Duration.ofSeconds(12));

        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.println("SharedServersTest: in " + seconds + " s " + questions);
        int turns = (int) (seconds / 2) + 2;
        for (int i = 0; i < SITES; i++) {
            assertThat(questions.get("load s" + i)).as("s" + i).isBetween(1, turns);
        }
        assertThat(asked("states")).isBetween(1, turns);
        assertThat(first.agreements().find(agreement.id())).isPresent();
        first.close();
        questions.clear();
        await().atMost(Duration.ofSeconds(15))
                .until(() -> IntStream.range(0, SITES).allMatch(i -> questions.containsKey("load s" + i))
                        && asked("states") > 0);
    }

    @Test
    @Tag("full")
    void aTerminationWithoutADatabaseNamesTheDatabase() throws Exception {
        try (var own = EmbeddedPostgres.builder().start()) {
            database = own.getJdbcUrl("postgres", "postgres");
            var server = start(Clock.systemUTC(), "");
            var made = made(server, "a", Instant.now().plusSeconds(3600));
            var client = new AgreementClient(server.base(), Duration.ofSeconds(60));
            own.close();

            assertThatThrownBy(() -> client.terminate(made.id().value()))
                    .hasMessageContaining("database")
                    .hasMessageNotContaining("mistake")
                    .asInstanceOf(type(AgreementFaultException.class))
                    .returns("SERVICE_FAILED", AgreementFaultException::code);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Tag("full")
    void idleServersHardlyAskTheirDatabase(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            start(Clock.systemUTC(), "");
        }
        // PostgreSQL counts a commit of an idle connection up to ten seconds late: a short time has the commits of one
        // before it.
        pass(Duration.ofSeconds(15));
        long before = transactions();
        long begun = System.nanoTime();
        pass(Duration.ofSeconds(58));

        double seconds = (System.nanoTime() - begun) / 1e9;
        double each = (transactions() - before) / seconds / count;
        System.out.printf("SharedServersTest: %d idle servers, %.2f transactions a second each%n", count, each);
        assertThat(each).isLessThanOrEqualTo(MOST_IDLE);
        assertThat(ask(
                        "SELECT COUNT(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND state_change <"
                                + " CURRENT_TIMESTAMP - INTERVAL '2' SECOND"))
                .as("transactions that were left open")
                .isZero();
        try (var collector = RemoteCollector.at(servers.get(0).base(), Duration.ofSeconds(30))) {
            collector.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"news\" ]"));
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() -> get(servers.get(count - 1), "/api/v1/ads?type=Machine&name=news")
                        .body()
                        .contains("news"));
    }

    private static void pass(Duration time) {
        long begun = System.nanoTime();
        await().atMost(Duration.ofSeconds(60)).until(() -> System.nanoTime() - begun > time.toNanos());
    }

    private long transactions() throws SQLException {
        return ask("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '" + name + "'");
    }

    private static long ask(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.getJdbcUrl("postgres", "postgres"));
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Agreement made(ServerAssembly server, String id, Instant start) throws InterruptedException {
        var broken = new GuaranteeTerm(
                "kept",
                List.of(),
                Optional.empty(),
                Optional.of("1 > 2"),
                List.of(new Compensation(
                        Compensation.Kind.PENALTY, Optional.of(Duration.ofSeconds(10)), 0, "EUR", "100")));
        var outcome = server.agreements()
                .offer(offer(
                        server,
                        id,
                        Optional.of(start),
                        List.of(broken),
                        RequestedPart.at("s1", ResourceRequest.nodes(2, Duration.ofMinutes(10)))));
        assertThat(outcome).isInstanceOf(Created.class);
        return ((Created) outcome).agreement();
    }

    private static AgreementOffer offer(
            ServerAssembly server,
            String id,
            Optional<Instant> start,
            List<GuaranteeTerm> promises,
            RequestedPart part) {
        return new AgreementOffer(
                new OfferKey("CN=alice", id),
                "",
                server.agreements().templates().get(0).key(),
                List.of(new AgreementRequest(List.of(part), start, Optional.empty())),
                promises,
                Optional.empty(),
                OfferDocument.NONE,
                Optional.empty(),
                Optional.empty());
    }

    private static JsonNode done(ServerAssembly server) throws Exception {
        return health(server).at("/lastDone");
    }

    private static JsonNode health(ServerAssembly server) throws Exception {
        return new ObjectMapper().readTree(get(server, "/health").body());
    }

    private static HttpResponse<String> get(ServerAssembly server, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(server.base().resolve(path)).build(), BodyHandlers.ofString());
    }
}
