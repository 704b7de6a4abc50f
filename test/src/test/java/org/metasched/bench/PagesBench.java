package org.metasched.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.TemplateKey;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.metasched.store.Database;

/**
 * How long the pages of the console take, over agreements of two sites each at simulated sites with jobs of their own. Arguments: living and ended
 * agreements, how often each page is asked for, by how many clients at once, a folder that is filled once, if another run is to find it (else an
 * empty word), the number of sites (20) and over how many days the living agreements begin (30). Prints a line of JSON for each page: milliseconds
 * until the last byte, and of processor time.
 */
public final class PagesBench {

    private static final String SITE =
            "  - {site: site-%d, scheduler: {type: simulated, nodes: 512, workload: synthetic,"
                    + " seed: %d, look-ahead: 30d}}%n";
    private static final Instant NOW = Clock.systemUTC().instant();
    private static final OfferDocument DOCUMENT = new OfferDocument("<offer>" + " ".repeat(2_000) + "</offer>");

    private PagesBench() {}

    public static void main(String[] arguments) throws Exception {
        try (var server = start(Books.of(arguments, 4))) {
            var some = server.agreements().newest(1).get(0).id();
            for (String page : List.of(
                    "",
                    "/sites",
                    "/picture?span=hour",
                    "/picture",
                    "/picture?span=month",
                    "/find?nodes1=64&hours=2",
                    "/agreements",
                    "/agreements?state=Observed",
                    "/agreements?state=Terminated",
                    "/agreement/" + some,
                    "/refused",
                    "/matches")) {
                measure(
                        page,
                        URI.create(server.base() + "/console" + page),
                        Integer.parseInt(arguments[2]),
                        Integer.parseInt(arguments[3]));
            }
        }
    }

    /**
     * What the server has.
     *
     * @param folder one that is there has been filled; an empty name is a new one
     * @param days in which the living agreements begin
     */
    public record Books(int living, int ended, Path folder, int sites, int days) {

        /** @param at where the folder stands, before the numbers of sites and days */
        public static Books of(String[] arguments, int at) {
            return new Books(
                    Integer.parseInt(arguments[0]),
                    Integer.parseInt(arguments[1]),
                    Path.of(arguments.length > at ? arguments[at] : ""),
                    arguments.length > at + 1 ? Integer.parseInt(arguments[at + 1]) : 20,
                    arguments.length > at + 2 ? Integer.parseInt(arguments[at + 2]) : 30);
        }
    }

    /** A server with these books. */
    public static ServerAssembly start(Books books) throws IOException {
        boolean isNew = books.folder().toString().isEmpty();
        Path data = isNew ? Files.createTempDirectory("pages") : books.folder();
        boolean isFilled = !isNew && Files.isDirectory(data);
        Files.createDirectories(data);
        var text = new StringBuilder("port: 0\ndata: " + data + "\nmonitor: {every: 1d}\nkeep-ended: 90d\nsites:\n");
        for (int i = 0; i < books.sites(); i++) {
            text.append(SITE.formatted(i, i + 1));
        }
        var configuration = ConfigurationFile.read(Files.writeString(data.resolve("server.yaml"), text));
        if (!isFilled) {
            fill(configuration.database(), books);
        }
        return ServerAssembly.start(configuration, Clock.systemUTC());
    }

    private static void measure(String page, URI address, int times, int clients) throws Exception {
        var http = HttpClient.newHttpClient();
        for (int i = 0; i < times / 2; i++) {
            ask(http, address);
        }
        long cpu = cpu();
        var bytes = new AtomicInteger();
        var pool = Executors.newFixedThreadPool(clients);
        var asked = pool.invokeAll(Collections.<Callable<Double>>nCopies(times, () -> {
            long before = System.nanoTime();
            bytes.set(ask(http, address));
            return (System.nanoTime() - before) / 1e6;
        }));
        pool.shutdown();
        double[] millis = new double[times];
        for (int i = 0; i < times; i++) {
            millis[i] = asked.get(i).get();
        }
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "{\"page\":\"%s\",\"clients\":%d,\"kilobytes\":%d,\"p50\":%.0f,\"p95\":%.0f,\"cpu\":%.0f}%n",
                page.replaceFirst("/ag-.*", "/ID"),
                clients,
                bytes.get() / 1024,
                millis[times / 2],
                millis[times * 95 / 100],
                (cpu() - cpu) / 1e6 / times);
    }

    private static int ask(HttpClient http, URI address) throws IOException, InterruptedException {
        var answer = http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(address + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body().length();
    }

    /** Of the whole process, client and server: other programs on the machine do not change it. */
    private static long cpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static void fill(org.metasched.store.DatabaseSettings settings, Books books) {
        int all = books.living() + books.ended();
        var random = new Random(1);
        try (var database = Database.open(settings)) {
            var repository = database.books().agreements();
            for (int i = 0; i < all; i += 500) {
                List<Agreement> some = new ArrayList<>();
                for (int j = i; j < Math.min(all, i + 500); j++) {
                    some.add(agreement(j, j >= books.ended(), books, random));
                }
                database.inTransaction(() -> {
                    some.forEach(repository::save);
                    return true;
                });
            }
        }
    }

    private static Agreement agreement(int number, boolean lives, Books books, Random random) {
        Instant start = NOW.plus(Duration.ofMinutes(
                lives ? random.nextInt(books.days() * 24 * 60) : -random.nextInt(30 * 24 * 60) - 24 * 60));
        var slot = new TimeSlot(start, start.plus(Duration.ofHours(1 + random.nextInt(12))));
        var request = ResourceRequest.nodes(16, Duration.ofHours(1));
        List<SiteCommitment> parts = new ArrayList<>();
        int first = random.nextInt(books.sites());
        for (int i = 0; i < 2; i++) {
            var site = new SiteId("site-" + (first + i) % books.sites());
            parts.add(new SiteCommitment(
                    "part-" + i,
                    "service",
                    site,
                    new Reservation(
                            new ReservationId("r-" + number + "-" + i),
                            new RequestKey("k-" + number + "-" + i),
                            slot,
                            new Need.Nodes(16),
                            List.of()),
                    ReservationState.RESERVED,
                    List.of(),
                    Optional.empty()));
        }
        var offer = new AgreementOffer(
                new OfferKey("CN=user" + number % 50, "o" + number),
                "bench",
                new TemplateKey("CO-ALLOCATION", "1"),
                List.of(new AgreementRequest(
                        List.of(RequestedPart.at("site-0", request)), Optional.empty(), Optional.empty())),
                List.of(),
                Optional.empty(),
                DOCUMENT,
                Optional.empty(),
                Optional.empty());
        var made = Agreement.offered(AgreementId.random(), offer, NOW.minus(Duration.ofSeconds(200_000L - number)))
                .observed(Optional.empty(), slot, parts, NegotiationEffort.NONE, NOW);
        return lives
                ? made
                : made.become(AgreementState.OBSERVED_AND_TERMINATING, "No longer wanted.", NOW)
                        .become(AgreementState.TERMINATED, "", NOW);
    }
}
