package org.metasched.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.metasched.adapter.Need;
import org.metasched.choice.Preference;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementView;
import org.metasched.client.OfferWriter.Part;

/**
 * A tree of grids in processes: grids of many simulated sites each, and a server above them of which each is one site. Prints a JSON line for
 * the start, for a time in which all are idle, and for offers of three parts at three grids, which name the grids or leave the choice to the
 * server. Each agreement is followed to the leaves: a site that holds a part is not free as a whole during the slot, and is again when the
 * agreement has ended. Status 1 when that is not so.
 *
 * <p>Arguments: grids (30), sites of each (300), offers of each kind (10), MiB of heap of a grid (160), seconds of the idle phase (60).
 */
public final class TreeBench implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final int NODES = 16;
    private static final int PARTS = 3;
    private static final Duration LENGTH = Duration.ofHours(1);
    private static final int MOST_HEAP_ABOVE = 512;

    private final Path folder = Files.createTempDirectory("tree-bench");
    private final List<ServerProcess> processes = new CopyOnWriteArrayList<>();
    private final List<URI> grids = new ArrayList<>();
    private final Random random = new Random(1);
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(6));
    private final ServerDoor door;
    private final AgreementClient client;
    private int wrong;

    private TreeBench(int count, int sites, int heap) throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        long begun = System.nanoTime();
        var above = new StringBuilder();
        for (int g = 0; g < count; g++) {
            var below = new StringBuilder();
            for (int s = 0; s < sites; s++) {
                below.append(
                        "  - {site: %s-%d, scheduler: {type: simulated, nodes: %d}}%n".formatted(name(g), s, NODES));
            }
            var address = start(name(g), "grid: " + name(g) + "\n", below, heap);
            grids.add(address);
            above.append("  - {site: %s, url: '%s'}%n".formatted(name(g), address.resolve("/services/Site")));
        }
        for (var grid : grids) {
            new ServerDoor(grid).awaitAds(sites);
        }
        double below = (System.nanoTime() - begun) / 1e9;
        var address = start("above", "", above, MOST_HEAP_ABOVE);
        door = new ServerDoor(address);
        client = new AgreementClient(address, Duration.ofMinutes(5));
        door.awaitAds(count);
        print(Map.of("phase", "start", "grids", count, "sites", sites, "secondsBelow", below), begun, 0, new double[2]);
    }

    private static String name(int grid) {
        return "g" + grid;
    }

    private URI start(String name, String head, StringBuilder sites, int heap) throws IOException {
        var file = Files.writeString(
                folder.resolve(name + ".yaml"), head + "port: 0\ndata: " + folder.resolve(name) + "\nsites:\n" + sites);
        var server = ServerProcess.fast(file, heap);
        processes.add(server);
        return server.awaitReady();
    }

    public static void main(String[] arguments) throws Exception {
        int wrong;
        try (var bench =
                new TreeBench(number(arguments, 0, 30), number(arguments, 1, 300), number(arguments, 3, 160))) {
            bench.idle(number(arguments, 4, 60));
            bench.offers("named", number(arguments, 2, 10));
            bench.offers("open", number(arguments, 2, 10));
            wrong = bench.wrong;
        }
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static int number(String[] arguments, int index, int usual) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : usual;
    }

    private void idle(int seconds) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        double processor = processorMillis();
        double[] asked = questions();
        LockSupport.parkNanos(Duration.ofSeconds(seconds).toNanos());
        print(Map.of("phase", "idle"), begun, processor, asked);
    }

    private void offers(String kind, int count) throws Exception {
        long begun = System.nanoTime();
        double processor = processorMillis();
        double[] asked = questions();
        double[] made = new double[count];
        double[] ended = new double[count];
        for (int i = 0; i < count; i++) {
            long offered = System.nanoTime();
            var offer = new ServerDoor.Offer(parts(kind), LENGTH, start, Optional.empty(), Preference.START);
            var answer = door.soap(kind + i, offer);
            made[i] = (System.nanoTime() - offered) / 1e6;
            var agreement = door.view(answer);
            check(agreement);
            var leaves = leaves(agreement);
            leaves.forEach((leaf, free) -> judge(!free, leaf + " holds nothing of " + agreement.agreementId()));
            long cancelled = System.nanoTime();
            client.terminate(agreement.agreementId());
            ended[i] = (System.nanoTime() - cancelled) / 1e6;
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> leaves(agreement).values().stream().allMatch(free -> free));
        }
        Arrays.sort(made);
        Arrays.sort(ended);
        var line = new LinkedHashMap<String, Object>(Map.of("phase", kind, "offers", count));
        line.put("madeMillisMedian", made[count / 2]);
        line.put("madeMillisMost", made[count - 1]);
        line.put("endedMillisMedian", ended[count / 2]);
        line.put("endedMillisMost", ended[count - 1]);
        print(line, begun, processor, asked);
    }

    private List<Part> parts(String kind) {
        var places = new HashSet<Integer>();
        while (places.size() < PARTS) {
            places.add(random.nextInt(grids.size()));
        }
        return places.stream()
                .map(grid -> kind.equals("named")
                        ? ServerDoor.named(name(grid), NODES / 2)
                        : new Part(Optional.empty(), Optional.of("TotalNodes >= " + NODES), new Need.Nodes(NODES / 2)))
                .toList();
    }

    private void check(AgreementView agreement) {
        judge(agreement.state().equals("Observed"), agreement.toString());
        judge(agreement.start().equals(Optional.of(start)), "not at the start that was asked for: " + agreement);
        judge(
                agreement.sites().stream()
                                .map(AgreementView.SiteView::site)
                                .distinct()
                                .count()
                        == PARTS,
                "not at three grids: " + agreement);
    }

    /** The leaves that an agreement's parts name, each with whether all of its nodes are free at the start. */
    private Map<String, Boolean> leaves(AgreementView agreement) throws Exception {
        var leaves = new LinkedHashMap<String, Boolean>();
        for (var part : agreement.sites()) {
            var grid = grids.get(Integer.parseInt(part.site().substring(1)));
            var below = new AgreementClient(grid, Duration.ofMinutes(1)).show(part.reservationId());
            judge(below.sites().size() == 1, "one leaf expected: " + below);
            String leaf = below.sites().get(0).site();
            var windows = get(grid.resolve("/api/v1/sites/" + leaf + "/windows?nodes=" + NODES + "&duration=PT1H&to="
                    + start.plus(LENGTH.multipliedBy(3))));
            boolean free = false;
            for (var window : windows.path("windows")) {
                free |= !Instant.parse(window.path("earliest").asText()).isAfter(start)
                        && !Instant.parse(window.path("latest").asText()).isBefore(start);
            }
            leaves.put(leaf, free);
        }
        return leaves;
    }

    private static JsonNode get(URI address) throws IOException, InterruptedException {
        var answer = HTTP.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(address + " answered " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    private void judge(boolean right, String what) {
        if (!right) {
            wrong++;
            System.err.println("Wrong: " + what);
        }
    }

    private double processorMillis() {
        return processes.stream()
                .mapToLong(one -> one.processorTime().toMillis())
                .sum();
    }

    /** Calls to sites: of the server above to grids, and of all servers. */
    private double[] questions() throws IOException, InterruptedException {
        double above = calls(door);
        double all = above;
        for (var grid : grids) {
            all += calls(new ServerDoor(grid));
        }
        return new double[] {above, all};
    }

    private static double calls(ServerDoor door) throws IOException, InterruptedException {
        return door.questions().bySite().values().stream()
                .mapToDouble(one -> one)
                .sum();
    }

    private static long residentMegabytes(ServerProcess server) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(server.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .sum();
    }

    private void print(Map<String, Object> head, long begun, double processor, double[] asked)
            throws IOException, InterruptedException {
        var line = new LinkedHashMap<String, Object>(head);
        line.put("seconds", (System.nanoTime() - begun) / 1e9);
        line.put("processorMillis", processorMillis() - processor);
        double[] now = questions();
        line.put("questionsAbove", now[0] - asked[0]);
        line.put("questions", now[1] - asked[1]);
        line.put("wrong", wrong);
        var resident = new ArrayList<Long>();
        for (var process : processes) {
            resident.add(residentMegabytes(process));
        }
        line.put("megabytesAbove", resident.get(resident.size() - 1));
        line.put("megabytes", resident.stream().mapToLong(one -> one).sum());
        line.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        System.out.println(JSON.writeValueAsString(line));
    }

    @Override
    public void close() {
        processes.forEach(ServerProcess::close);
    }
}
