package org.metasched.it;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.metasched.adapter.Need;
import org.metasched.agreement.TemplateKey;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.soap.collector.RemoteCollector;

/**
 * Open offers at the door of a server process with many simulated sites of its own, by SOAP and REST in turns, of which all sites match, half
 * of them, or one, and pages that show sites. Prints a JSON line for each case: seconds until the server was ready and knew all ads, milliseconds of an offer on the
 * clock and of the server's processor, and how many were granted.
 *
 * <p>Arguments: sites (100,1000), parts (1,4), offers of each case (10), MiB of the server's heap (1024).
 */
public final class DoorBench {

    private static final List<String> MATCHING = List.of("all", "half", "one");
    private static final List<String> PAGES = List.of(
            "/health",
            "/api/v1/sites",
            "/console",
            "/console/sites",
            "/console/find",
            "/console/picture",
            "/console/ads");
    private static final TemplateKey TEMPLATE = new TemplateKey("CO-ALLOCATION", "1");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private DoorBench() {}

    public static void main(String[] arguments) throws Exception {
        for (int sites : numbers(arguments, 0, "100,1000")) {
            measure(
                    sites,
                    numbers(arguments, 1, "1,4"),
                    numbers(arguments, 2, "10")[0],
                    numbers(arguments, 3, "1024")[0]);
        }
    }

    private static int[] numbers(String[] arguments, int index, String usual) {
        return Arrays.stream((arguments.length > index ? arguments[index] : usual).split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private static void measure(int sites, int[] parts, int offers, int heap) throws Exception {
        long begun = System.nanoTime();
        try (var server = ServerProcess.fast(configuration(sites), heap)) {
            var address = server.awaitReady();
            double ready = (System.nanoTime() - begun) / 1e9;
            try (var collector = RemoteCollector.at(address, Duration.ofMinutes(2))) {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(10))
                        .pollInterval(Duration.ofSeconds(1))
                        .until(() -> collector
                                        .query(CollectorQuery.ofType("Machine"))
                                        .size()
                                >= sites);
            }
            double known = (System.nanoTime() - begun) / 1e9;
            for (String page : PAGES) {
                System.out.println("{\"sites\":%d,%s}".formatted(sites, read(server, address.resolve(page))));
            }
            for (int count : parts) {
                for (String matching : MATCHING) {
                    measure(server, address, count, matching, offers, "warm");
                    System.out.printf(
                            "{\"sites\":%d,\"readySeconds\":%.1f,\"advertisedSeconds\":%.1f,%s}%n",
                            sites, ready, known, measure(server, address, count, matching, offers, "run"));
                }
            }
        }
    }

    /** Of 512, 256 or 128 nodes, so that a number of nodes says which sites match. */
    private static Path configuration(int sites) throws IOException {
        var folder = Files.createTempDirectory("door-bench");
        String text = IntStream.range(0, sites)
                .mapToObj(i -> "  - {site: s%d, scheduler: {type: simulated, nodes: %d}}"
                        .formatted(i, i == 0 ? 512 : i % 2 == 0 ? 256 : 128))
                .collect(Collectors.joining("\n"));
        return Files.writeString(
                folder.resolve("server.yaml"), "port: 0\ndata: " + folder.resolve("data") + "\nsites:\n" + text + "\n");
    }

    /** Of a page the first reading, and of nine more the median and the longest. */
    private static String read(ServerProcess server, URI page) throws IOException, InterruptedException {
        var took = new double[9];
        double first = read(page)[0];
        var before = server.processorTime();
        double[] last = {};
        for (int i = 0; i < took.length; i++) {
            last = read(page);
            took[i] = last[0];
        }
        double processor = server.processorTime().minus(before).toMillis();
        Arrays.sort(took);
        return "\"page\":\"%s\",\"status\":%.0f,\"bytes\":%.0f,\"firstMillis\":%.0f,\"medianMillis\":%.0f,\"mostMillis\":%.0f,\"processorMillisEach\":%.0f"
                .formatted(
                        page.getPath(),
                        last[1],
                        last[2],
                        first,
                        took[took.length / 2],
                        took[took.length - 1],
                        processor / took.length);
    }

    /** Milliseconds, status and bytes. */
    private static double[] read(URI page) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        var answer = HTTP.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofByteArray());
        return new double[] {(System.nanoTime() - begun) / 1e6, answer.statusCode(), answer.body().length};
    }

    private static String measure(ServerProcess server, URI address, int parts, String matching, int offers, String run)
            throws Exception {
        String requirements = "TotalNodes >= " + (matching.equals("one") ? 512 : matching.equals("half") ? 256 : 128);
        var took = new double[offers];
        int granted = 0;
        var before = server.processorTime();
        for (int i = 0; i < offers; i++) {
            String id = String.join("-", run, matching, Integer.toString(parts), Integer.toString(i));
            long begun = System.nanoTime();
            granted +=
                    (i % 2 == 0 ? soap(address, id, parts, requirements) : rest(address, parts, requirements)) ? 1 : 0;
            took[i] = (System.nanoTime() - begun) / 1e6;
        }
        double processor = server.processorTime().minus(before).toMillis();
        Arrays.sort(took);
        return "\"parts\":%d,\"matching\":\"%s\",\"offers\":%d,\"granted\":%d,\"medianMillis\":%.0f,\"mostMillis\":%.0f,\"processorMillisEach\":%.0f,\"load\":%.1f"
                .formatted(
                        parts,
                        matching,
                        offers,
                        granted,
                        took[offers / 2],
                        took[offers - 1],
                        processor / offers,
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static boolean soap(URI server, String id, int parts, String requirements) throws IOException {
        var part = new OfferWriter.Part(Optional.empty(), Optional.of(requirements), new Need.Nodes(8));
        var wish = new OfferWriter.Wish(
                id,
                "CN=bench",
                Collections.nCopies(parts, part),
                Duration.ofMinutes(1),
                Optional.empty(),
                Optional.empty());
        try {
            new AgreementClient(server, Duration.ofMinutes(2)).create(OfferWriter.write(TEMPLATE, wish));
            return true;
        } catch (AgreementFaultException e) {
            System.err.println(e.getMessage());
            return false;
        }
    }

    private static boolean rest(URI server, int parts, String requirements) throws IOException, InterruptedException {
        String part = "{\"nodes\":8,\"requirements\":\"" + requirements + "\"}";
        String body = "{\"parts\":[" + String.join(",", Collections.nCopies(parts, part)) + "],\"duration\":\"PT1M\"}";
        var answer = HTTP.send(
                HttpRequest.newBuilder(server.resolve("/api/v1/agreements"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
            System.err.println(answer.body());
        }
        return answer.statusCode() == 201;
    }
}
