package org.metasched.it;

import com.sun.management.OperatingSystemMXBean;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.TemplateKey;
import org.metasched.agreement.making.AgreementMaking;
import org.metasched.agreement.making.AgreementMaking.Sites;
import org.metasched.agreement.making.AgreementMaking.Terms;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.agreement.monitoring.AgreementMonitor;
import org.metasched.agreement.monitoring.ProgramHandover;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ParallelNegotiation;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.selection.ClassAdServiceLevels;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;

/**
 * The monitor over many living agreements of three sites each, on PostgreSQL, at sites behind SOAP whose ends are in this process, too. Slots
 * of one to four hours lie in the next week. Prints one JSON line: a first look at all, then the processor time of looks every 15 s of a
 * clock that is moved, database driver included, the database itself not, and what of it is the sites' (their end of the wire). Then a
 * server process of 512 MB is started on that database and killed, three times: seconds until it is ready, and its heap after a collection.
 *
 * <p>Arguments: agreements (100,000), sites (64), looks (40).
 */
public final class MonitorBench {

    private static final Duration EVERY = Duration.ofSeconds(15);

    private MonitorBench() {}

    /** Knows its reservations, and nothing else. */
    private static final class Held implements LocalScheduler {
        private final SiteId site;
        private final Clock clock;
        private final AtomicLong asked;
        private final Map<ReservationId, Reservation> reservations = new ConcurrentHashMap<>();

        Held(SiteId site, Clock clock, AtomicLong asked) {
            this.site = site;
            this.clock = clock;
            this.asked = asked;
        }

        @Override
        public SiteId site() {
            return site;
        }

        @Override
        public PreviewWindow previewWindow() {
            return new PreviewWindow(Duration.ofDays(14));
        }

        @Override
        public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) {
            return Optional.empty();
        }

        @Override
        public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<ReservationStatus> find(RequestKey key) {
            return Optional.empty();
        }

        @Override
        public void cancel(ReservationId id) {
            reservations.remove(id);
        }

        @Override
        public ReservationStatus state(ReservationId id) {
            var reservation = reservations.get(id);
            Instant now = clock.instant();
            var slot = reservation.slot();
            var state = now.isBefore(slot.start())
                    ? ReservationState.RESERVED
                    : now.isBefore(slot.end()) ? ReservationState.ACTIVE : ReservationState.FINISHED;
            return new ReservationStatus(state, reservation);
        }

        @Override
        public Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids) {
            asked.incrementAndGet();
            var states = new LinkedHashMap<ReservationId, ReservationStatus>();
            ids.forEach(id -> states.put(id, state(id)));
            return states;
        }
    }

    public static void main(String[] arguments) throws Exception {
        int agreements = argument(arguments, 0, 100_000);
        int count = argument(arguments, 1, 64);
        int looks = argument(arguments, 2, 40);
        var clock = new SettableClock(Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS));
        var asked = new AtomicLong();
        Path folder = Files.createTempDirectory("monitor-bench");
        var executor = FanOutExecutor.create();
        var sites = new ArrayList<Held>();
        var hosts = new ArrayList<AdapterHost>();
        var remotes = new ArrayList<LocalScheduler>();
        for (int i = 0; i < count; i++) {
            sites.add(new Held(new SiteId("site" + i), clock, asked));
            hosts.add(AdapterHost.start(sites.get(i), 0));
            remotes.add(RemoteScheduler.at(sites.get(i).site(), hosts.get(i).endpoint()));
        }
        try (var postgres = EmbeddedPostgres.builder()
                        .setDataDirectory(folder.resolve("pg"))
                        .start();
                var database =
                        Database.open(new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), "", "", 10))) {
            var books = database.books();
            fill(books, sites, agreements, clock.instant());
            var calls = new SiteCalls(SiteDirectory.of(remotes), executor, Duration.ofSeconds(30), 64);
            var sweeper = new OrphanSweeper(books.journal(), calls, clock, Duration.ofMinutes(10));
            var engine = new ParallelNegotiation(
                    new NegotiationContext(calls, books.journal(), sweeper, NegotiationBudget.DEFAULT, clock),
                    SearchStrategy.WINDOWS,
                    new Random(1));
            var making = AgreementMaking.of(
                    books,
                    new Sites(calls, engine, sweeper),
                    new Terms(SiteSelector.NONE, new ClassAdServiceLevels(), List::of),
                    executor,
                    clock);
            var programs = new ProgramHandover(calls, making.changes(), executor, clock);
            making.changes().onChange(programs);
            var monitor = new AgreementMonitor(making, programs, OnDegraded.TELL, EVERY, clock);

            long begun = System.nanoTime();
            long before = processorTime();
            monitor.poll();
            double firstSeconds = (System.nanoTime() - begun) / 1e9;
            double firstProcessor = (processorTime() - before) / 1e9;
            double firstOfSites = sitesTime();
            // The next looks are half way to what comes, and spread from then on.
            for (int i = 0; i < 20; i++) {
                clock.advance(EVERY);
                monitor.poll();
            }
            asked.set(0);
            double ofSites = sitesTime();
            before = processorTime();
            for (int i = 0; i < looks; i++) {
                clock.advance(EVERY);
                monitor.poll();
            }
            double each = (processorTime() - before) / 1e9 / looks;
            ofSites = (sitesTime() - ofSites) / looks;
            var ready = new ArrayList<String>();
            long heap = 0;
            for (int i = 0; i < 3; i++) {
                long started = System.nanoTime();
                try (var server = ServerProcess.fast(configuration(folder, postgres, hosts), 512)) {
                    var base = server.awaitReady();
                    ready.add("%.1f".formatted((System.nanoTime() - started) / 1e9));
                    heap = server.usedHeap(base) >> 20;
                }
            }
            System.out.printf(
                    "{\"agreements\":%d,\"sites\":%d,\"java\":%d,\"maxHeapMiB\":%d,\"firstLookSeconds\":%.1f,"
                            + "\"firstLookProcessorSeconds\":%.1f,\"ofThemTheSites\":%.1f,"
                            + "\"processorSecondsOfALook\":%.3f,\"ofThemTheSitesEach\":%.3f,\"shareOfACore\":%.3f,"
                            + "\"messagesOfALook\":%.1f,\"secondsUntilReady\":%s,\"serverHeapMiB\":%d}%n",
                    agreements,
                    count,
                    Runtime.version().feature(),
                    Runtime.getRuntime().maxMemory() >> 20,
                    firstSeconds,
                    firstProcessor,
                    firstOfSites,
                    each,
                    ofSites,
                    (each - ofSites) / EVERY.toSeconds(),
                    asked.get() / (double) looks,
                    ready,
                    heap);
        } finally {
            remotes.forEach(LocalScheduler::close);
            hosts.forEach(AdapterHost::close);
            executor.shutdownNow();
        }
    }

    private static void fill(AgreementBooks books, List<Held> sites, int agreements, Instant now) {
        var random = new Random(7);
        for (int from = 0; from < agreements; from += 1_000) {
            int first = from;
            books.transactions().inTransaction(() -> {
                for (int i = first; i < Math.min(agreements, first + 1_000); i++) {
                    books.agreements().save(agreement(i, sites, now, random));
                }
                return first;
            });
        }
    }

    private static Agreement agreement(int number, List<Held> sites, Instant now, Random random) {
        var duration = Duration.ofMinutes(random.nextInt(60, 240));
        Instant start = now.plusSeconds(random.nextInt(7 * 86_400));
        var slot = new TimeSlot(start, start.plus(duration));
        var parts = new ArrayList<RequestedPart>();
        var commitments = new ArrayList<SiteCommitment>();
        for (int part = 0; part < 3; part++) {
            var site = sites.get((number + part * 7) % sites.size());
            var key = new RequestKey("m-" + number + "-" + part);
            var held = new Reservation(
                    new ReservationId("r-" + key),
                    key,
                    slot,
                    new Need.Nodes(2),
                    List.of("node" + number % 90, "node" + (number % 90 + 1)));
            site.reservations.put(held.id(), held);
            parts.add(RequestedPart.at(site.site().value(), ResourceRequest.nodes(2, duration)));
            commitments.add(new SiteCommitment(
                    site.site().value(),
                    site.site().value(),
                    site.site(),
                    held,
                    ReservationState.RESERVED,
                    List.of(),
                    Optional.empty()));
        }
        var offer = new AgreementOffer(
                new OfferKey("/DC=org/DC=example/CN=user" + number % 50, "o" + number),
                "",
                new TemplateKey("CO-ALLOCATION", "1"),
                List.of(new AgreementRequest(parts, Optional.empty(), Optional.empty())),
                List.of(),
                Optional.empty(),
                new OfferDocument("<offer>" + "x".repeat(2_000) + "</offer>"),
                Optional.empty(),
                Optional.empty());
        return Agreement.offered(new AgreementId("ag-" + number), offer, now)
                .observed(Optional.empty(), slot, commitments, NegotiationEffort.NONE, now);
    }

    private static Path configuration(Path folder, EmbeddedPostgres postgres, List<AdapterHost> hosts)
            throws IOException {
        var text = new StringBuilder("port: 0%ndata: %s%ndatabase: {url: '%s'}%nsites:%n"
                .formatted(folder.resolve("data"), postgres.getJdbcUrl("postgres", "postgres")));
        for (int i = 0; i < hosts.size(); i++) {
            text.append(
                    "  - {site: site%d, url: '%s'}%n".formatted(i, hosts.get(i).endpoint()));
        }
        return Files.writeString(folder.resolve("server.yaml"), text);
    }

    /** Seconds of processor time of the threads that serve the sites' ends. */
    private static double sitesTime() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = threads.getAllThreadIds();
        long[] times = threads.getThreadCpuTime(ids);
        double sum = 0;
        for (int i = 0; i < ids.length; i++) {
            var thread = threads.getThreadInfo(ids[i]);
            if (thread != null && thread.getThreadName().startsWith("http-")) {
                sum += Math.max(0, times[i]) / 1e9;
            }
        }
        return sum;
    }

    private static long processorTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static int argument(String[] arguments, int index, int usual) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : usual;
    }
}
