package org.metasched.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;

/**
 * The price of server processes on one PostgreSQL that writes each commit to the disk. Server after server is started; each time they are
 * first idle, then get offers at random times of a given rate, whether or not earlier ones are answered. Sites are behind SOAP in this process.
 * Prints a JSON line for each phase, with what it took in all: transactions, statements, bytes of the write-ahead log, processor time of the
 * database, of the servers without their compilers and of this process, and questions to sites except those for ads. The last offers are for
 * a minute, and their ends are a phase of their own; all others are for an hour. {@code CapacityModel} reads the lines.
 *
 * <p>Arguments: servers (3), sites (60), seconds between two ads of a site (25), offers a minute (600; 0 for none), seconds of offers (15),
 * offers to warm up with after each start (200), seconds of the idle phase (25), MiB of a server's heap (256).
 */
public final class CapacityBench implements AutoCloseable {

    /** PostgreSQL counts a commit of an idle connection up to ten seconds late. */
    private static final Duration COUNTED = Duration.ofSeconds(12);

    /** Slots that do not end meanwhile. */
    private static final int LONG_MINUTES = 60;

    private static final String GRID = "grid";
    private static final Path PROC = Path.of("/proc");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<AutoCloseable> closing = new ArrayList<>();
    private final List<ServerProcess> servers = new CopyOnWriteArrayList<>();
    private final List<URI> addresses = new ArrayList<>();
    private final Random random = new Random(1);
    private final Map<String, Object> head = new LinkedHashMap<>();
    private final EmbeddedPostgres postgres;
    private final Path data;
    private final String settings;
    private final int heap;
    private int offers;

    /** What was counted up to an instant. */
    private record Count(
            long at,
            double transactions,
            double statements,
            double walBytes,
            double databaseMillis,
            double serverMillis,
            double benchMillis,
            double questions) {

        Map<String, Object> since(Count before) {
            var line = new LinkedHashMap<String, Object>();
            line.put("seconds", (at - before.at) / 1e9);
            line.put("transactions", transactions - before.transactions);
            line.put("statements", statements - before.statements);
            line.put("walBytes", walBytes - before.walBytes);
            line.put("databaseMillis", databaseMillis - before.databaseMillis);
            line.put("serverMillis", serverMillis - before.serverMillis);
            line.put("benchMillis", benchMillis - before.benchMillis);
            line.put("questions", questions - before.questions);
            return line;
        }
    }

    private CapacityBench(int sites, int advertise, int heap) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> servers.forEach(ServerProcess::close)));
        Path folder = Files.createTempDirectory("capacity-bench");
        data = folder.resolve("pg");
        postgres = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("autovacuum", "off")
                .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                .start();
        closing.add(postgres);
        execute("CREATE EXTENSION pg_stat_statements");
        execute("CREATE DATABASE " + GRID);
        if (!"on".equals(text("SHOW fsync"))) {
            throw new IllegalStateException("This PostgreSQL does not write commits to the disk.");
        }
        var common = new StringBuilder("database: {url: '%s'}%nmatchmaking: {advertise-every: %ds}%nsites:%n"
                .formatted(postgres.getJdbcUrl("postgres", GRID), advertise));
        var named = IntStream.range(OffersBench.SITES.size(), sites).mapToObj(i -> "s" + i);
        for (var name : Stream.concat(OffersBench.SITES.stream(), named).toList()) {
            var host = AdapterHost.start(
                    new SimulatedSite(new SiteId(name)).nodes(8192).open(Clock.systemUTC()), 0);
            closing.add(host::close);
            common.append("  - {site: %s, url: '%s'}%n".formatted(name, host.endpoint()));
        }
        settings = common.toString();
        this.heap = heap;
        head.put("sites", sites);
        head.put("advertiseSeconds", advertise);
    }

    private void startOne() throws IOException {
        int number = servers.size();
        var file = Files.writeString(
                data.resolveSibling("server-" + number + ".yaml"),
                "port: 0%ndata: %s%n%s".formatted(data.resolveSibling("data-" + number), settings));
        var server = ServerProcess.fast(file, heap);
        servers.add(server);
        addresses.add(server.awaitReady());
        head.put("servers", servers.size());
    }

    public static void main(String[] arguments) throws Exception {
        int most = number(arguments, 0, 3);
        int aMinute = number(arguments, 3, 600);
        int seconds = number(arguments, 4, 15);
        try (var bench =
                new CapacityBench(number(arguments, 1, 60), number(arguments, 2, 25), number(arguments, 7, 256))) {
            for (int count = 1; count <= most; count++) {
                bench.startOne();
                if (aMinute > 0) {
                    bench.send(number(arguments, 5, 200), 1200, LONG_MINUTES);
                }
                pass(COUNTED);
                bench.idle(number(arguments, 6, 25));
                if (aMinute > 0) {
                    bench.offers(aMinute, seconds, count < most ? LONG_MINUTES : 1);
                }
            }
        }
    }

    private static int number(String[] arguments, int index, int usual) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : usual;
    }

    private void idle(int seconds) throws Exception {
        var before = count();
        pass(Duration.ofSeconds(seconds));
        print("idle", 0, 0, new double[0], count().since(before));
    }

    /** Offers, and their ends where these come soon. */
    private void offers(int aMinute, int seconds, int minutes) throws Exception {
        double living = living();
        var before = count();
        int sent = (int) Math.round(aMinute / 60.0 * seconds);
        double[] took = send(sent, aMinute, minutes);
        pass(COUNTED);
        var made = count();
        print("offers", aMinute, sent, took, made.since(before));
        if (minutes < LONG_MINUTES) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(5))
                    .until(() -> living() <= living);
            pass(COUNTED);
            print("ends", aMinute, sent, new double[0], count().since(made));
        }
    }

    /** Asks a server, as a question to the database would be one of its transactions. */
    private double living() throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(addresses.get(0).resolve("/metrics")).build();
        return http.send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith("metasched_agreements_living "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    private void print(String phase, int aMinute, int sent, double[] took, Map<String, Object> counted)
            throws IOException, SQLException {
        var line = new LinkedHashMap<String, Object>(head);
        line.put("phase", phase);
        line.put("offersAMinute", aMinute);
        line.put("offers", sent);
        line.putAll(counted);
        line.put("connections", figure("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '" + GRID + "'"));
        if (took.length > 0) {
            line.put("p50Millis", took[took.length / 2]);
            line.put("p99Millis", took[took.length * 99 / 100]);
        }
        line.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        System.out.println(new ObjectMapper().writeValueAsString(line));
    }

    /** Sends so many offers, at the times of a Poisson process, and returns the milliseconds from the time of each to its answer, sorted. */
    private double[] send(int count, int aMinute, int minutes) throws InterruptedException {
        var took = new ConcurrentLinkedQueue<Double>();
        var refused = new ConcurrentLinkedQueue<String>();
        var done = new CountDownLatch(count);
        var threads = Executors.newFixedThreadPool(64);
        long next = System.nanoTime();
        for (int i = 0; i < count; i++) {
            next += (long) (-Math.log(1 - random.nextDouble()) * 60e9 / aMinute);
            LockSupport.parkNanos(next - System.nanoTime());
            String name = "c" + offers++;
            var server = addresses.get(i % addresses.size());
            long due = next;
            threads.execute(() -> {
                offer(server, OffersBench.message(name, minutes), due, took, refused);
                done.countDown();
            });
        }
        done.await();
        threads.shutdown();
        if (!refused.isEmpty()) {
            throw new IllegalStateException("An offer was not accepted: " + refused.peek());
        }
        return took.stream().mapToDouble(one -> one).sorted().toArray();
    }

    private void offer(URI server, String message, long due, Queue<Double> took, Queue<String> refused) {
        var request = HttpRequest.newBuilder(server.resolve("/services/AgreementFactory"))
                .header("Content-Type", "application/soap+xml; charset=utf-8")
                .POST(BodyPublishers.ofString(message))
                .build();
        try {
            var answer = http.send(request, BodyHandlers.ofString()).body();
            took.add((System.nanoTime() - due) / 1e6);
            if (!answer.contains("CreateAgreementResponse")) {
                refused.add(answer);
            }
        } catch (IOException e) {
            refused.add(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private Count count() throws Exception {
        double questions = 0;
        for (var address : addresses) {
            questions += new ServerDoor(address)
                    .questions().bySite().values().stream()
                            .mapToDouble(one -> one)
                            .sum();
        }
        return new Count(
                System.nanoTime(),
                figure("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '" + GRID + "'"),
                figure("SELECT COALESCE(SUM(calls), 0) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid"
                        + " WHERE d.datname = '" + GRID + "' AND query !~* '^(begin|commit|rollback|set|show)'"),
                figure("SELECT pg_current_wal_lsn() - '0/0'"),
                databaseMillis(),
                OffersBench.processorMillis(servers) - OffersBench.compilerMillis(servers),
                OffersBench.processorMillis(),
                questions);
    }

    /** Of all processes of PostgreSQL, those included that have ended, in the kernel's ticks of 10 ms. */
    private double databaseMillis() throws IOException {
        long postmaster = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        double ticks = 0;
        try (var processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (var process : processes) {
                ticks += ticks(process, postmaster);
            }
        }
        return ticks * 10;
    }

    /** Of the postmaster with the children that it has waited for, or of one of its children. */
    private static long ticks(Path process, long postmaster) {
        try {
            var stat = Files.readString(process.resolve("stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            boolean isChild = fields[1].equals(Long.toString(postmaster));
            boolean isPostmaster = process.getFileName().toString().equals(Long.toString(postmaster));
            int last = isPostmaster ? 15 : isChild ? 13 : 0;
            return Arrays.stream(fields, Math.min(11, last), last)
                    .mapToLong(Long::parseLong)
                    .sum();
        } catch (IOException e) {
            // The process has ended meanwhile.
            return 0;
        }
    }

    private double figure(String sql) throws SQLException {
        return Double.parseDouble(text(sql));
    }

    private String text(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.getJdbcUrl("postgres", "postgres"));
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.getJdbcUrl("postgres", "postgres"));
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws Exception {
        servers.forEach(ServerProcess::close);
        for (int i = closing.size(); i-- > 0; ) {
            closing.get(i).close();
        }
    }
}
