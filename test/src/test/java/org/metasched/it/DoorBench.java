package org.metasched.it;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.metasched.choice.Preference;
import org.metasched.it.DoorWorld.Site;
import org.metasched.it.ServerDoor.Questions;

/**
 * Open offers at the door of a server process with many simulated sites of its own, by SOAP and REST in turns, of which all sites match, half
 * of them, one, or all with parts that want 8 and 64 nodes in turns; and pages that show sites. First the sites are idle; then all of them are
 * taken at the start that is asked for, and most once more later. Prints a JSON line for each case: seconds until the server was ready and
 * knew all ads, milliseconds of an offer on the clock and of the server's processor, how many were granted, the questions that they took
 * (rounds and messages of a negotiation; all calls to sites by the server's metrics, how many sites they went to, and the most to one site),
 * and how long after the start asked for the last plan and the bound lie.
 *
 * <p>The bound is the first start at which, for each part, as many sites as there are parts that want no less are free for it. No plan can
 * begin before it, and as a site that has room for more has room for less, there is a plan then. A plan that does not begin at the bound, and
 * a refusal where there is a bound, end the program with status 1.
 *
 * <p>Arguments: sites (100,1000), parts (1,4), offers of each case (10), MiB of the server's heap (1024), seed (1).
 */
public final class DoorBench {

    private static final List<String> MATCHING = List.of("all", "half", "one", "unlike");
    private static final List<String> PAGES = List.of(
            "/health",
            "/api/v1/sites",
            "/console",
            "/console/sites",
            "/console/find",
            "/console/picture",
            "/console/ads");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration LENGTH = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final DoorWorld world = new DoorWorld();
    private final Instant soon = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(6));
    private final int offers;
    private int wrong;

    private DoorBench(int offers) {
        this.offers = offers;
    }

    public static void main(String[] arguments) throws Exception {
        int wrong = 0;
        for (int sites : numbers(arguments, 0, "100,1000")) {
            var bench = new DoorBench(numbers(arguments, 2, "10")[0]);
            bench.measure(
                    sites,
                    numbers(arguments, 1, "1,4"),
                    numbers(arguments, 3, "1024")[0],
                    numbers(arguments, 4, "1")[0]);
            wrong += bench.wrong;
        }
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static int[] numbers(String[] arguments, int index, String usual) {
        return Arrays.stream((arguments.length > index ? arguments[index] : usual).split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private void measure(int sites, int[] parts, int heap, int seed) throws Exception {
        // A number of nodes says which sites match.
        for (int i = 0; i < sites; i++) {
            world.add(new Site("s" + i, i == 0 ? 512 : i % 2 == 0 ? 256 : 128, 0, 0, ""));
        }
        long begun = System.nanoTime();
        try (var server = ServerProcess.fast(world.configuration(Files.createTempDirectory("door-bench")), heap)) {
            var address = server.awaitReady();
            double ready = (System.nanoTime() - begun) / 1e9;
            var door = new ServerDoor(address);
            door.awaitAds(sites);
            double known = (System.nanoTime() - begun) / 1e9;
            System.out.printf("{\"sites\":%d,\"readySeconds\":%.1f,\"advertisedSeconds\":%.1f}%n", sites, ready, known);
            for (String page : PAGES) {
                System.out.println("{\"sites\":%d,%s}".formatted(sites, read(server, address.resolve(page))));
            }
            measure(server, door, parts, soon, "{\"sites\":%d,\"taken\":false,".formatted(sites));
            var random = new Random(seed);
            var later = soon.plus(Duration.ofHours(3));
            world.cover(door, random, 10, later);
            world.fill(door, random, 64, 1, later, Duration.ofHours(3));
            measure(server, door, parts, later, "{\"sites\":%d,\"taken\":true,".formatted(sites));
        }
    }

    private void measure(ServerProcess server, ServerDoor door, int[] parts, Instant from, String head)
            throws Exception {
        for (int count : parts) {
            for (String matching : MATCHING) {
                if (count > 1 || !matching.equals("unlike")) {
                    var offer = offer(count, matching, from);
                    send(server, door, offer);
                    System.out.printf(
                            "%s\"parts\":%d,\"matching\":\"%s\",%s}%n",
                            head, count, matching, send(server, door, offer));
                }
            }
        }
    }

    private ServerDoor.Offer offer(int parts, String matching, Instant earliest) {
        String requirements = "TotalNodes >= " + least(matching);
        var some = IntStream.range(0, parts)
                .mapToObj(i -> ServerDoor.open(
                        requirements, Optional.empty(), matching.equals("unlike") && i % 2 == 1 ? 64 : 8))
                .toList();
        return new ServerDoor.Offer(some, LENGTH, earliest, Optional.empty(), Preference.START);
    }

    private static int least(String matching) {
        return matching.equals("one") ? 512 : matching.equals("half") ? 256 : 128;
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

    private String send(ServerProcess server, ServerDoor door, ServerDoor.Offer offer) throws Exception {
        var took = new double[offers];
        var answers = new ArrayList<ServerDoor.Answer>();
        var asked = door.questions();
        var before = server.processorTime();
        for (int i = 0; i < offers; i++) {
            long begun = System.nanoTime();
            answers.add(i % 2 == 0 ? door.soap("bench-" + UUID.randomUUID(), offer) : door.rest(offer));
            took[i] = (System.nanoTime() - begun) / 1e6;
        }
        double processor = server.processorTime().minus(before).toMillis();
        Arrays.sort(took);
        return "\"offers\":%d,\"granted\":%d,\"medianMillis\":%.0f,\"mostMillis\":%.0f,\"processorMillisEach\":%.0f,%s,%s,\"load\":%.1f"
                .formatted(
                        offers,
                        answers.stream()
                                .filter(one -> one.agreement().isPresent())
                                .count(),
                        took[offers / 2],
                        took[offers - 1],
                        processor / offers,
                        questions(asked, door.questions()),
                        judged(door, offer, answers),
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private String questions(Questions before, Questions after) {
        var calls = after.since(before).values();
        double each = Math.max(1, after.more(before, "rounds_count"));
        return "\"negotiations\":%.0f,\"roundsEach\":%.1f,\"messagesEach\":%.0f,\"callsEach\":%.0f,\"sitesCalled\":%d,\"mostCallsToOneEach\":%.1f"
                .formatted(
                        after.more(before, "rounds_count"),
                        after.more(before, "rounds_sum") / each,
                        after.more(before, "calls_sum") / each,
                        calls.stream().mapToDouble(one -> one).sum() / offers,
                        calls.size(),
                        calls.stream().mapToDouble(one -> one).max().orElse(0) / offers);
    }

    /** Compares the answers with the bound, in their order, and takes what they hold. */
    private String judged(ServerDoor door, ServerDoor.Offer offer, List<ServerDoor.Answer> answers) throws Exception {
        int nodes =
                Integer.parseInt(offer.parts().get(0).constraint().orElseThrow().replaceAll("\\D+", ""));
        long from = offer.earliest().getEpochSecond();
        String last = "";
        long gap = 0;
        for (var answer : answers) {
            var bound = world.earliest(
                    offer.parts().stream().map(part -> part.need().amount()).toList(),
                    site -> site.nodes() >= nodes,
                    LENGTH.toSeconds(),
                    from,
                    offer.lastStart(DAY));
            var start = OptionalLong.empty();
            if (answer.agreement().isPresent()) {
                var view = door.view(answer);
                start = OptionalLong.of(view.start().orElseThrow().getEpochSecond());
                world.take(view);
            }
            if (!start.equals(bound)) {
                wrong++;
                System.err.println("Wrong: start " + start + ", bound " + bound + ", " + answer.refusal());
            }
            if (start.isPresent() && bound.isPresent()) {
                gap = Math.max(gap, Math.abs(start.getAsLong() - bound.getAsLong()));
            }
            last = "\"startAfter\":%s,\"boundAfter\":%s".formatted(after(start, from), after(bound, from));
        }
        return last + ",\"mostGap\":" + gap;
    }

    private static String after(OptionalLong start, long from) {
        return start.isPresent() ? Long.toString(start.getAsLong() - from) : "null";
    }
}
