package org.metasched.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.soap.collector.RemoteCollector;

/** Three server processes on one PostgreSQL with the same sites, each with a clock of its own that can be made wrong. */
final class ServerTrio implements AutoCloseable {

    static final int COUNT = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final CollectorQuery ADS =
            CollectorQuery.ofType("Machine").selecting(List.of("Name", "RunningJobs", "Turn"));

    private final EmbeddedPostgres postgres;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Path> configurations = new ArrayList<>();
    private final List<ShiftedClock> clocks = new ArrayList<>();
    private final Map<Integer, ServerProcess> processes = new HashMap<>();

    /** @param every between two questions to each site, for its load and for the state of a reservation */
    ServerTrio(Path folder, CountedSites sites, Duration every) throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("pg"))
                .start();
        for (int i = 0; i < COUNT; i++) {
            int server = i;
            ports.add(FreePort.next());
            clocks.add(new ShiftedClock(folder.resolve("clock" + i)));
            String text = """
                    port: %d
                    data: %s
                    database: {url: '%s'}
                    drain: 1s
                    monitor: {every: %ds}
                    matchmaking: {advertise-every: %ds}
                    sites:
                    """.formatted(
                            ports.get(i), folder.resolve("data" + i), url(), every.toSeconds(), every.toSeconds());
            configurations.add(Files.writeString(
                    folder.resolve("server" + i + ".yaml"),
                    text
                            + IntStream.range(0, sites.count())
                                    .mapToObj(site -> sites.entry(server, site))
                                    .collect(Collectors.joining())));
        }
    }

    private String url() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    /** Begins the start of a server; {@link #awaitReady} waits for its end. */
    void start(int server) throws IOException {
        processes.put(
                server,
                ServerProcess.start(
                        configurations.get(server), clocks.get(server).environment()));
    }

    void awaitReady(int server) throws IOException {
        processes.get(server).awaitReady();
    }

    void kill(int server) {
        processes.get(server).kill();
    }

    /** STOP or CONT. */
    void signal(int server, String name) throws IOException, InterruptedException {
        processes.get(server).signal(name);
    }

    void setClock(int server, Duration offset) throws IOException {
        clocks.get(server).set(offset);
    }

    URI address(int server) {
        return URI.create("http://127.0.0.1:" + ports.get(server));
    }

    HttpResponse<String> get(int server, String path) throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(address(server).resolve(path))
                        .timeout(PATIENCE)
                        .build(),
                BodyHandlers.ofString());
    }

    /** Status of the answer. A repeated offer gets the agreement that it made. */
    int offer(int server, String body) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(address(server).resolve("/api/v1/agreements"))
                                .header("Content-Type", "application/json")
                                .header("Idempotency-Key", "k" + body.hashCode())
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    JsonNode health(int server) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(get(server, "/health").body());
    }

    boolean isReady(int server) throws IOException, InterruptedException {
        return get(server, "/health").statusCode() == 200;
    }

    /** The version that a server lists of each ad: the running jobs of sites, the turns of ads that a test sends. */
    Map<String, Long> ads(int server) {
        try (var collector = RemoteCollector.at(address(server), PATIENCE)) {
            return collector.query(ADS).stream()
                    .collect(Collectors.toMap(
                            ad -> text(ad, "Name").replace("\"", ""),
                            ad -> Long.parseLong(text(ad, ad.has("Turn") ? "Turn" : "RunningJobs"))));
        }
    }

    private static String text(ClassAd ad, String attribute) {
        return ad.evaluate(attribute).print();
    }

    void advertise(int server, String name, int turn) {
        try (var collector = RemoteCollector.at(address(server), PATIENCE)) {
            collector.advertise(new ClassAd.Builder()
                    .set("MyType", "Machine")
                    .set("Name", name)
                    .set("Turn", turn)
                    .build());
        }
    }

    /** Whether others do not count these processes among those that live any more. */
    boolean haveLeft(List<Integer> some) throws SQLException {
        String names = some.stream()
                .map(server -> "name LIKE '%/" + processes.get(server).pid() + "'")
                .collect(Collectors.joining(" OR "));
        try (var connection = DriverManager.getConnection(url());
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT COUNT(*) FROM node WHERE " + names)) {
            row.next();
            return row.getLong(1) == 0;
        }
    }

    @Override
    public void close() throws IOException {
        processes.values().forEach(ServerProcess::close);
        postgres.close();
    }
}
