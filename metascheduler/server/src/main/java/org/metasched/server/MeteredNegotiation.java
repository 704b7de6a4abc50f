package org.metasched.server;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.GlobalOpenTelemetry;
import java.util.Locale;
import org.metasched.negotiation.ChoicePlans;
import org.metasched.negotiation.ChoiceRequest;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.NegotiationOutcome;

/** Negotiation engine that counts, times and traces the negotiations of another one. */
final class MeteredNegotiation implements NegotiationEngine {

    private final NegotiationEngine engine;
    private final MeterRegistry registry;
    private final DistributionSummary rounds;
    private final DistributionSummary calls;
    private final DistributionSummary attempts;

    MeteredNegotiation(NegotiationEngine engine, MeterRegistry registry) {
        this.engine = engine;
        this.registry = registry;
        this.rounds = summary("metasched.negotiation.rounds", "Question rounds of one negotiation");
        this.calls = summary("metasched.negotiation.calls", "Messages to sites in one negotiation");
        this.attempts = summary("metasched.negotiation.attempts", "Times that reservations were asked for");
    }

    private DistributionSummary summary(String name, String description) {
        return DistributionSummary.builder(name).description(description).register(registry);
    }

    @Override
    public NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException {
        return metered(() -> engine.negotiate(request));
    }

    @Override
    public NegotiationOutcome choose(ChoiceRequest request) throws InterruptedException {
        return metered(() -> engine.choose(request));
    }

    /** Plans, without counting: a plan is no negotiation. */
    @Override
    public ChoicePlans plan(CoAllocationRequest request) throws InterruptedException {
        return engine.plan(request);
    }

    @Override
    public ChoicePlans plan(ChoiceRequest request, int most) throws InterruptedException {
        return engine.plan(request, most);
    }

    private interface Negotiation {
        NegotiationOutcome run() throws InterruptedException;
    }

    private NegotiationOutcome metered(Negotiation negotiation) throws InterruptedException {
        var sample = Timer.start(registry);
        String outcome = "failed";
        var span = GlobalOpenTelemetry.getTracer("org.metasched")
                .spanBuilder("negotiation")
                .startSpan();
        try (var scope = span.makeCurrent()) {
            var result = negotiation.run();
            outcome = word(result);
            rounds.record(result.effort().rounds());
            calls.record(result.effort().calls());
            attempts.record(result.effort().attempts());
            return result;
        } finally {
            span.setAttribute("metasched.outcome", outcome).end();
            sample.stop(Timer.builder("metasched.negotiation")
                    .description("Negotiations by their outcome")
                    .tag("outcome", outcome)
                    .publishPercentileHistogram()
                    .register(registry));
        }
    }

    private static String word(NegotiationOutcome outcome) {
        return outcome.fold(
                allocated -> "co_allocated",
                none -> "no_common_slot",
                abandoned -> abandoned.why().name().toLowerCase(Locale.ROOT));
    }
}
