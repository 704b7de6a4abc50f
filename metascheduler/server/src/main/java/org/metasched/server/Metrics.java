package org.metasched.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.metasched.agreement.AgreementService;
import org.metasched.agreement.AgreementState;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.outbox.Courier;
import org.metasched.soap.AcceptanceCalls;

/** What Prometheus scrapes. The list of names is in {@code docs/operations.md}. */
final class Metrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final Counter released;

    Metrics() {
        // Two names of the library that promtool objects to.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        FunctionCounter.builder("process.cpu.seconds", ProcessHandle.current(), Metrics::processorSeconds)
                .description("Processor time of this process")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
        released = Counter.builder("metasched.orphans.released")
                .description("Reservations that nobody wanted and that were given back")
                .register(registry);
        Gauge.builder("metasched.orphans.waiting", waiting, AtomicInteger::get)
                .description("Intents without a reservation that may still arrive at their site")
                .register(registry);
        Gauge.builder("metasched.orphans.held", held, AtomicInteger::get)
                .description("Reservations that nobody wants and whose site does not let go")
                .register(registry);
    }

    private static double processorSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
    }

    NegotiationEngine metered(NegotiationEngine engine) {
        return new MeteredNegotiation(engine, registry);
    }

    void watch(AgreementService service) {
        Gauge.builder("metasched.offers.under.way", service, AgreementService::underWay)
                .description("Offers being negotiated")
                .register(registry);
        service.onChange((before, after) -> {
            if (before != after.state()) {
                changes(after.state()).increment();
            }
        });
        for (var state : AgreementState.values()) {
            changes(state);
        }
    }

    void watch(Matchmaking matchmaking) {
        for (var end : Courier.End.values()) {
            FunctionCounter.builder("metasched.introductions", matchmaking, m -> m.introductions(end))
                    .description("Parties of matches that were to be told of each other, by what came of it")
                    .tag("end", end.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        FunctionCounter.builder("metasched.advertising.skipped", matchmaking, Matchmaking::skippedTurns)
                .description("Ads of sites that were not sent because the turn before still waited for the site")
                .register(registry);
    }

    void watch(AcceptanceCalls acceptance) {
        for (var end : Courier.End.values()) {
            FunctionCounter.builder("metasched.decisions", acceptance, a -> a.count(end))
                    .description("Initiators that were to be told of a decision, by what came of it")
                    .tag("end", end.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    private Counter changes(AgreementState state) {
        return Counter.builder("metasched.agreements")
                .description("Agreements that entered a state")
                .tag("state", state.term())
                .register(registry);
    }

    void swept(OrphanSweeper.Report report) {
        released.increment(report.released());
        waiting.set(report.waiting());
        held.set(report.held());
    }

    /** Answers in Prometheus's text format. */
    HttpServlet servlet() {
        return new Scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }

    private final class Scrape extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain; version=0.0.4; charset=utf-8");
            response.getOutputStream().write(registry.scrape().getBytes(StandardCharsets.UTF_8));
        }
    }
}
