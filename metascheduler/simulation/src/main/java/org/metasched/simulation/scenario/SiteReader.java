package org.metasched.simulation.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.adapter.simulated.SimulatedSite.Backfilling;
import org.metasched.adapter.simulated.SwfTrace;
import org.metasched.adapter.simulated.Workload;

/**
 * Reads one site of a scenario.
 *
 * @param seed seed of the run
 */
record SiteReader(ScenarioTraces traces, long seed) {

    private static final Set<String> KEYS =
            Set.of(("workload without nodes jobs from load seed resample estimates policy backfilling"
                            + " nodes-named look-ahead grid reservable bandwidth licences cost")
                    .split(" "));
    /** Value of {@code from}: the seed chooses the part of the workload. */
    private static final String BY_SEED = "by-seed";

    /** Odd and large, so that neighbouring seeds and names lead to random generators far apart. */
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private static final int MOST_NODES = 100_000;
    private static final int MOST_JOBS = 10_000_000;

    /** @param length length of the run; jobs that are submitted later are left out */
    SiteScenario read(String name, Settings settings, Optional<Duration> length) {
        settings.allowOnly(KEYS);
        var whole = workload(settings, (seed * MIX + name.hashCode()) * MIX);
        int nodes = settings.number("nodes", 1, MOST_NODES).orElse(whole.nodes());
        var fitting = whole.on(nodes);
        traces.leaveOut(name, nodes, whole.jobs().size() - fitting.jobs().size());
        double reservable = ScenarioNumbers.number(settings, "reservable", 0, 1).orElse(1.0);
        return new SiteScenario(
                settings.checked(name, () -> new SiteId(name)),
                cut(settings, loaded(settings, fitting), length),
                nodes,
                Backfilling.read(settings),
                settings.oneOf("nodes-named", "at-start", "in-advance").equals("at-start"),
                window(settings),
                // A share such as 0.29 of 100 nodes must not lose a node to the rounding of its product.
                (int) (reservable * nodes + 1e-9),
                settings.number("bandwidth", 0, Integer.MAX_VALUE).orElse(0),
                licences(settings),
                ScenarioNumbers.number(settings, "cost", 0, 1e9).orElse(0.0),
                traces.policy(settings));
    }

    static Map<String, Integer> licences(Settings settings) {
        var licences = new LinkedHashMap<String, Integer>();
        settings.section("licences")
                .ifPresent(section -> section.keys()
                        .forEach(feature -> licences.put(
                                feature,
                                section.number(feature, 0, Integer.MAX_VALUE).orElse(0))));
        return licences;
    }

    private static Workload loaded(Settings settings, Workload workload) {
        return ScenarioNumbers.number(settings, "load", 0.01, 10)
                .filter(load -> !workload.jobs().isEmpty())
                .map(workload::withLoad)
                .orElse(workload);
    }

    /** @param draw seed of the resampling, another one for each site */
    private Workload workload(Settings settings, long draw) {
        String name = settings.requiredText("workload");
        boolean resamples = settings.flag("resample").orElse(false);
        return switch (name) {
            case "none" -> Workload.none(machine(settings, name));
            case "synthetic" ->
                Workload.synthetic(
                        machine(settings, name),
                        settings.number("jobs", 1, MOST_JOBS).orElse(10_000),
                        settings.number("seed").orElse(1) + (resamples ? draw : 0));
            default -> {
                var trace = filtered(settings, traces.of(settings, "workload", name));
                yield Workload.asRequested(resamples ? UserResampling.of(trace, draw) : trace);
            }
        };
    }

    private static int machine(Settings settings, String workload) {
        return settings.number("nodes", 1, MOST_NODES)
                .orElseThrow(() -> settings.invalid(
                        "workload",
                        "the workload '" + workload + "' does not say how big the machine is\nMaybe add 'nodes'."));
    }

    private static SwfTrace filtered(Settings settings, SwfTrace trace) {
        return ScenarioTraces.column(settings, "without")
                .map(column -> new SwfTrace(
                        trace.name(),
                        trace.header(),
                        trace.jobs().stream().filter(column.negate()).toList()))
                .orElse(trace);
    }

    /** The part of a workload that the settings {@code from} and {@code jobs} and the length of the run leave; second 0 is {@code from}. */
    private Workload cut(Settings settings, Workload all, Optional<Duration> length) {
        long from = from(settings, all, length);
        double exact = ScenarioNumbers.number(settings, "estimates", 0, 1).orElse(0.0);
        long until = length.map(l -> from + l.toSeconds()).orElse(Long.MAX_VALUE);
        int most = settings.number("jobs", 1, MOST_JOBS).orElse(MOST_JOBS);
        List<LocalJob> kept = all.jobs().stream()
                .filter(job -> job.submitSeconds() >= from && job.submitSeconds() < until)
                .limit(most)
                .map(job -> new LocalJob(
                        job.number(),
                        job.submitSeconds() - from,
                        job.runSeconds(),
                        Math.max(
                                1,
                                job.estimateSeconds() - Math.round(exact * (job.estimateSeconds() - job.runSeconds()))),
                        job.nodes()))
                .toList();
        return new Workload(all.name(), all.nodes(), kept);
    }

    /** Second of the workload at which the run begins. With {@code by-seed}, successive seeds take successive parts of the run's length. */
    private long from(Settings settings, Workload all, Optional<Duration> length) {
        if (settings.text("from").filter(BY_SEED::equals).isEmpty()) {
            return settings.notNegativeDuration("from", Duration.ZERO).toSeconds();
        }
        long last = all.jobs().stream().mapToLong(LocalJob::submitSeconds).max().orElse(0);
        long part = length.map(Duration::toSeconds).orElse(Long.MAX_VALUE);
        settings.refuseIf(
                part < 1 || part > last,
                "from",
                "by-seed needs a 'length' that is shorter than the workload (" + last + " s)");
        return Math.floorMod(seed - 1, last / part) * part;
    }

    private static PreviewWindow window(Settings settings) {
        try {
            return new PreviewWindow(
                    settings.duration("look-ahead").orElse(Duration.ofDays(7)),
                    settings.duration("grid").orElse(Duration.ofSeconds(1)));
        } catch (IllegalArgumentException e) {
            throw settings.invalid(
                    settings.keys().contains("grid") ? "grid" : "look-ahead", String.valueOf(e.getMessage()));
        }
    }
}
