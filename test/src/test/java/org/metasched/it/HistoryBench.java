package org.metasched.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;

/**
 * The price of old agreements on PostgreSQL. An agreement that a server has made and that has ended is copied, with its events, over the last 90
 * days. Prints a JSON line for each: bytes of an agreement; the deletion of an hour, a day and a month, as servers do it, with the bytes of
 * the write-ahead log; the vacuum that follows; the removal of a month by a partition; and the count of living agreements that each
 * server makes every ten seconds.
 *
 * <p>Arguments: agreements (500000), living ones (100000).
 */
public final class HistoryBench {

    private static final Duration KEPT = Duration.ofDays(90);

    /** A copy of an agreement that has the given id, digest and time. */
    private static final String COPY =
            "INSERT INTO agreement (id, version, state, offer_digest, created, changed, document, acceptance, content, initiator,"
                    + " node_hours, due, begins, ends) SELECT 'h' || i, version, %s, md5('' || i) || md5('x' || i), at, at,"
                    + " document, acceptance, content, initiator, node_hours, %s, at, at FROM (SELECT * FROM agreement LIMIT 1)"
                    + " one, (SELECT i, CURRENT_TIMESTAMP - i * INTERVAL '%d seconds' / %d AS at FROM generate_series(%d, %d) i) n";

    private static final String EVENTS =
            "INSERT INTO agreement_event (agreement_id, happened, kind, what) SELECT a.id, a.changed, e.kind, e.what FROM"
                    + " agreement a, (SELECT kind, what FROM agreement_event WHERE agreement_id NOT LIKE 'h%') e WHERE a.id LIKE 'h%'";

    private final Connection connection;
    private final ObjectMapper json = new ObjectMapper();

    private HistoryBench(Connection connection) {
        this.connection = connection;
    }

    public static void main(String[] arguments) throws Exception {
        int agreements = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500_000;
        int living = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
        Path folder = Files.createTempDirectory("history-bench");
        try (var postgres = EmbeddedPostgres.builder()
                        .setDataDirectory(folder.resolve("pg"))
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("max_wal_size", "8GB")
                        .setServerConfig("autovacuum", "off")
                        .start();
                var connection = DriverManager.getConnection(postgres.getJdbcUrl("postgres", "postgres"))) {
            var bench = new HistoryBench(connection);
            bench.makeOne(folder, postgres.getJdbcUrl("postgres", "postgres"));
            bench.fill(agreements);
            try (var database =
                    Database.open(new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), "", "", 2))) {
                bench.forget(database, "hour", KEPT.minusHours(1));
                bench.forget(database, "day", KEPT.minusDays(1));
                bench.partition();
                bench.forget(database, "month", KEPT.minusDays(30));
            }
            bench.time("vacuum", "VACUUM agreement, agreement_event");
            bench.count(agreements, living);
        }
    }

    /** Lets a server make an agreement that ends. */
    private void makeOne(Path folder, String url) throws Exception {
        var text = new StringBuilder(
                "port: 0\ndata: " + folder.resolve("data") + "\ndatabase: {url: '" + url + "'}\nsites:\n");
        OffersBench.SITES.forEach(
                site -> text.append("  - {site: %s, scheduler: {type: simulated, nodes: 8}}%n".formatted(site)));
        try (var server = ServerProcess.start(Files.writeString(folder.resolve("server.yaml"), text))) {
            URI address = server.awaitReady();
            var request = HttpRequest.newBuilder(address.resolve("/services/AgreementFactory"))
                    .header("Content-Type", "application/soap+xml; charset=utf-8")
                    .POST(BodyPublishers.ofString(OffersBench.message("one", 1)))
                    .build();
            var answer = HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
            if (!answer.contains("CreateAgreementResponse")) {
                throw new IllegalStateException(answer);
            }
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> figure("SELECT COUNT(*) FROM agreement WHERE state = 'COMPLETE'") == 1);
            server.terminate();
        }
    }

    private void fill(int agreements) throws Exception {
        long begun = System.nanoTime();
        execute(COPY.formatted("state", "NULL", KEPT.toSeconds(), agreements, 1, agreements));
        execute(EVENTS);
        execute("VACUUM ANALYZE");
        double events = figure("SELECT COUNT(*) FROM agreement_event");
        double bytes = figure("SELECT pg_total_relation_size('agreement') + pg_total_relation_size('agreement_event')");
        print(Map.of(
                "phase",
                "fill",
                "agreements",
                agreements,
                "events",
                events,
                "bytesEach",
                bytes / agreements,
                "seconds",
                (System.nanoTime() - begun) / 1e9));
    }

    private void forget(Database database, String what, Duration kept) throws Exception {
        long begun = System.nanoTime();
        double log = figure("SELECT pg_current_wal_lsn() - '0/0'");
        var now = Instant.now();
        int rows = database.books().retention().forgetFinal(now.minus(kept), now);
        print(Map.of(
                "phase",
                "forget " + what,
                "agreements",
                rows,
                "seconds",
                (System.nanoTime() - begun) / 1e9,
                "walBytes",
                figure("SELECT pg_current_wal_lsn() - '0/0'") - log));
    }

    /** Copies the oldest month into partitions, and drops these. */
    private void partition() throws Exception {
        String old = "CURRENT_TIMESTAMP - INTERVAL '60 days'";
        execute("CREATE TABLE pa (LIKE agreement) PARTITION BY RANGE (changed)");
        execute("CREATE TABLE pa1 PARTITION OF pa FOR VALUES FROM (MINVALUE) TO (MAXVALUE)");
        execute("INSERT INTO pa SELECT * FROM agreement WHERE changed < " + old);
        execute("CREATE TABLE pe (LIKE agreement_event) PARTITION BY RANGE (happened)");
        execute("CREATE TABLE pe1 PARTITION OF pe FOR VALUES FROM (MINVALUE) TO (MAXVALUE)");
        execute("INSERT INTO pe SELECT * FROM agreement_event WHERE happened < " + old);
        execute("CREATE INDEX ON pa (id)");
        execute("CREATE INDEX ON pe (agreement_id, seq)");
        execute("CHECKPOINT");
        double rows = figure("SELECT COUNT(*) FROM pa");
        long begun = System.nanoTime();
        execute("DROP TABLE pe1");
        execute("DROP TABLE pa1");
        print(Map.of("phase", "drop month", "agreements", rows, "seconds", (System.nanoTime() - begun) / 1e9));
    }

    private void time(String phase, String sql) throws Exception {
        long begun = System.nanoTime();
        execute(sql);
        print(Map.of("phase", phase, "seconds", (System.nanoTime() - begun) / 1e9));
    }

    private void count(int agreements, int living) throws Exception {
        execute(COPY.formatted("'OBSERVED'", "CURRENT_TIMESTAMP", 1, agreements, agreements + 1, agreements + living));
        execute("VACUUM ANALYZE");
        String sql = "SELECT COUNT(*) FROM agreement WHERE state IN ('OBSERVED', 'OBSERVED_AND_TERMINATING')";
        double counted = figure(sql);
        long begun = System.nanoTime();
        int times = 20;
        for (int i = 0; i < times; i++) {
            figure(sql);
        }
        print(Map.of("phase", "count", "living", counted, "millis", (System.nanoTime() - begun) / 1e6 / times));
    }

    private double figure(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getDouble(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void print(Map<String, Object> figures) throws Exception {
        var line = new LinkedHashMap<String, Object>(figures);
        line.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        System.out.println(json.writeValueAsString(line));
    }
}
