package org.metasched.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.making.AgreementMaking;
import org.metasched.console.OperationsModel;
import org.metasched.durable.ReloadedFile;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.notice.AgreementNotices;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.sites.SiteCalls;
import org.metasched.soap.AcceptanceCalls;
import org.metasched.store.Database;
import org.metasched.store.Database.Figures;

/** The metrics of a server, in the format of Prometheus. {@code docs/monitoring.md} has their names, as Prometheus shows them. */
final class ServerMetrics implements AutoCloseable {

    /** Upper bounds of the buckets of histograms. */
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(10)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private volatile Map<SiteId, SiteLoad> loads = Map.of();
    private volatile OrphanSweeper.Report swept = new OrphanSweeper.Report(0, 0, 0);
    /** The timers of calls by site and end, as looking one up in the registry costs more than recording. */
    private final Map<List<Object>, Timer> calls = new ConcurrentHashMap<>();

    private final Counter released;
    private final Clock clock;

    ServerMetrics(Clock clock) {
        this.clock = clock;
        // Two names of the library that promtool objects to.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        FunctionCounter.builder(
                        "process.cpu.seconds",
                        ProcessHandle.current(),
                        process -> process.info()
                                        .totalCpuDuration()
                                        .orElse(Duration.ZERO)
                                        .toMillis()
                                / 1000.0)
                .description("Processor time of this process")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
        released = Counter.builder("metasched.orphans.released")
                .description("Stranded reservations that were given back")
                .register(registry);
        watchFiles();
        gauge("metasched.orphans.waiting", "Stranded requests that their site may still grant", () -> swept.waiting());
        gauge("metasched.orphans.held", "Stranded reservations that their sites do not release", () -> swept.held());
        // Shown as 0 from the beginning.
        operationTimer("AgreementFactory/CreateAgreement", false);
    }

    NegotiationEngine metered(NegotiationEngine engine) {
        return new MeteredNegotiation(engine, registry);
    }

    void watch(AgreementMaking making) {
        gauge("metasched.offers.under.way", "Offers being negotiated", making.underWay()::count);
        making.changes().onChange((before, after) -> {
            if (before != after.state()) {
                stateCounter(after.state()).increment();
            }
        });
        // Shown as 0 from the beginning.
        for (var state : AgreementState.values()) {
            stateCounter(state);
        }
    }

    /** Records a call to a site that has ended. */
    void recordCall(SiteId site, SiteCalls.End end, Duration took) {
        calls.computeIfAbsent(List.of(site, end), k -> callTimer(site, end)).record(took);
    }

    private Timer callTimer(SiteId site, SiteCalls.End end) {
        return Timer.builder("metasched.site.calls")
                .description("Calls to sites, by how they ended")
                .tag("site", site.value())
                .tag("end", end.name().toLowerCase(Locale.ROOT))
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    /** Records an operation of a service that has been answered. */
    void recordOperation(String operation, boolean isFault, Duration took) {
        operationTimer(operation, isFault).record(took);
    }

    private Timer operationTimer(String operation, boolean isFault) {
        return Timer.builder("metasched.operations")
                .description("Operations of services, from the request to the answer")
                .tag("operation", operation)
                .tag("end", isFault ? "fault" : "answer")
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    /** Records a chore that has come to its end. */
    void recordChore(String chore, Duration took) {
        choreTimer(chore).record(took);
    }

    private Timer choreTimer(String chore) {
        return Timer.builder("metasched.chores")
                .description("Periodic tasks, from beginning to end")
                .tag("chore", chore)
                .register(registry);
    }

    /** Counts figures that are too expensive to count at each scrape; those of the database are unknown while it cannot be asked. */
    void count(Database database, CollectorView ads, Collection<SiteId> sites) {
        loads = ads.loads(sites);
        database.count();
    }

    void watch(SiteCalls siteCalls) {
        for (var site : siteCalls.directory().sites()) {
            // Shown as 0 from the beginning.
            callTimer(site, SiteCalls.End.ANSWERED);
            gauge(
                    "metasched.site.closed",
                    "1 while calls to a site are turned away, as earlier ones had no answer",
                    () -> siteCalls.isClosed(site) ? 1 : 0,
                    "site",
                    site.value());
            Map<String, ToDoubleFunction<SiteLoad>> nodes =
                    Map.of("free", SiteLoad::freeNodes, "all", SiteLoad::totalNodes);
            nodes.forEach((which, count) -> gauge(
                    "metasched.site.nodes",
                    "Nodes of a site, as it advertises them",
                    () -> Optional.ofNullable(loads.get(site))
                            .map(count::applyAsDouble)
                            .orElse(Double.NaN),
                    "site",
                    site.value(),
                    "which",
                    which));
        }
    }

    /** Adds figures of the database, of all servers on it, as last counted. */
    void watch(Database database) {
        Gauge.builder("metasched.clock.offset", () -> database.node().offset().toMillis() / 1000.0)
                .description("How far the server's clock is ahead of its database's")
                .baseUnit("seconds")
                .register(registry);
        gauge(database, "metasched.agreements.living", "Agreements that are observed, of all servers", Figures::living);
        gauge(database, "metasched.outbox.owed", "Messages owed to receivers outside, of all servers", Figures::owed);
        gauge(database, "metasched.claims.held", "Leases on matches of sites, of all servers", Figures::leased);
        gauge(database, "metasched.servers", "Servers on the database", Figures::servers);
        gauge(database, "metasched.database.busy", "Connections in use", Figures::busy);
        gauge(database, "metasched.database.idle", "Connections not in use", Figures::idle);
        gauge(database, "metasched.database.waiting", "Threads that wait for a connection", Figures::waiting);
    }

    private void gauge(Database database, String name, String what, ToDoubleFunction<Figures> figure) {
        gauge(name, what, () -> database.counted().map(figure::applyAsDouble).orElse(Double.NaN));
    }

    private void gauge(String name, String what, Supplier<Number> value, String... tags) {
        Gauge.builder(name, value).description(what).tags(tags).register(registry);
    }

    private void watchFiles() {
        fileGauge(
                "metasched.files.reload.failed",
                "Changed files that cannot be used, so that their former content stays in force",
                ReloadedFile.Status::failed);
        fileGauge(
                "metasched.files.restart.needed",
                "Changed files that take effect, wholly or in part, after a restart",
                ReloadedFile.Status::restart);
        Gauge.builder("metasched.certificate.expires", this::secondsLeft)
                .description("Until the first certificate in use ends")
                .baseUnit("seconds")
                .register(registry);
    }

    private void fileGauge(String name, String what, Predicate<ReloadedFile.Status> which) {
        gauge(name, what, () -> ReloadedFile.statuses().stream().filter(which).count());
    }

    private double secondsLeft() {
        return ReloadedFile.statuses().stream()
                .flatMap(status -> status.expires().stream())
                .mapToDouble(end -> Duration.between(clock.instant(), end).toSeconds())
                .min()
                .orElse(Double.NaN);
    }

    void watch(MatchmakingServices matchmaking) {
        // Shown as 0 from the beginning.
        choreTimer("matchmaking");
        countEnds("metasched.introductions", "Parties to tell of a match, by outcome", matchmaking::introductions);
        FunctionCounter.builder("metasched.advertising.skipped", matchmaking, MatchmakingServices::skippedTurns)
                .description("Ads of sites that were not sent because the previous one still waited for the site")
                .register(registry);
    }

    void watch(AcceptanceCalls acceptance) {
        countEnds("metasched.decisions", "Initiators to tell of a decision, by outcome", acceptance::count);
    }

    void watch(AgreementNotices notices) {
        countEnds("metasched.notices", "Subscribers to tell of an agreement, by outcome", notices::count);
    }

    private void countEnds(String name, String what, ToDoubleFunction<OutboxDispatcher.End> count) {
        for (var end : OutboxDispatcher.End.values()) {
            FunctionCounter.builder(name, end, count)
                    .description(what)
                    .tag("end", end.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    private Counter stateCounter(AgreementState state) {
        return Counter.builder("metasched.agreements")
                .description("Agreements that entered a state")
                .tag("state", state.term())
                .register(registry);
    }

    void recordSweep(OrphanSweeper.Report report) {
        released.increment(report.released());
        swept = report;
    }

    /** Figures of this program now, by their names. */
    List<OperationsModel.Figure> figures() {
        return registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("metasched."))
                .map(ServerMetrics::figure)
                .sorted(Comparator.comparing(OperationsModel.Figure::name).thenComparing(OperationsModel.Figure::of))
                .toList();
    }

    private static OperationsModel.Figure figure(Meter meter) {
        var id = meter.getId();
        String of = id.getTags().stream().map(Tag::getValue).collect(Collectors.joining(" · "));
        var values = new EnumMap<Statistic, Double>(Statistic.class);
        meter.measure().forEach(measured -> values.put(measured.getStatistic(), measured.getValue()));
        double count = values.getOrDefault(Statistic.COUNT, values.getOrDefault(Statistic.VALUE, Double.NaN));
        var total = Optional.ofNullable(values.get(Statistic.TOTAL_TIME))
                .or(() -> Optional.ofNullable(values.get(Statistic.TOTAL)));
        return new OperationsModel.Figure(
                id.getName(),
                Optional.ofNullable(id.getDescription()).orElse(""),
                of,
                count,
                total.filter(sum -> count > 0).map(sum -> sum / count),
                Optional.ofNullable(values.get(Statistic.MAX)),
                meter instanceof Timer);
    }

    /** Answers in Prometheus's text format. */
    HttpServlet servlet() {
        return new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentType("text/plain; version=0.0.4; charset=utf-8");
                response.getOutputStream().write(registry.scrape().getBytes(StandardCharsets.UTF_8));
            }
        };
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }
}
