package org.metasched.simulation.result;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.metasched.adapter.Need;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.simulation.scenario.Scenario;

/** The figures of one run, over what was submitted in its measured time. Times are seconds. */
public final class Figures {

    private final Scenario scenario;
    private final Records records;
    private final Optional<Records> without;
    private final Map<LocalJob, LocalRecord> same;

    private Figures(Scenario scenario, Records records, Optional<Records> without) {
        this.scenario = scenario;
        this.records = records;
        this.without = without;
        this.same = without.map(Records::byJob).orElse(Map.of());
    }

    /** @param without the records of the same sites without meta-jobs */
    public static ObjectNode of(Scenario scenario, Records records, Optional<Records> without) {
        return new Figures(scenario, records, without).all();
    }

    private ObjectNode all() {
        var figures = Json.object();
        figures.put("scenario", scenario.name());
        figures.put("seed", scenario.seed());
        figures.put("policy", scenario.policy().name());
        var parameters = figures.putObject("parameters");
        scenario.parameters().forEach(parameters::put);
        figures.put("lengthSeconds", scenario.length().toSeconds());
        figures.put("warmUpSeconds", scenario.warmUp().toSeconds());
        figures.put("cutSeconds", scenario.cut().toSeconds());
        figures.set("local", local(measured(records, -1)));
        without.ifPresent(base -> {
            figures.set("localWithout", local(measured(base, -1)));
            figures.set("localChange", change(measured(records, -1)));
        });
        figures.set("meta", meta());
        var with = machines(records);
        figures.set("machines", with);
        without.ifPresent(base -> {
            var before = machines(base);
            figures.set("machinesWithout", before);
            Json.put(with, "metaYield", metaYield(with, before));
        });
        var sites = figures.putObject("sites");
        for (int i = 0; i < scenario.sites().size(); i++) {
            sites.set(scenario.sites().get(i).id().value(), site(i));
        }
        return figures;
    }

    /** What meta-jobs use of all that they take: what is held for them, and what is idle beside it while local jobs wait. */
    private static double metaYield(ObjectNode with, ObjectNode without) {
        double idle = with.path("lossOfCapacity").asDouble()
                - without.path("lossOfCapacity").asDouble();
        return with.path("metaUtilisation").asDouble()
                / (with.path("reservedShare").asDouble() + idle);
    }

    /** All sites as one machine. */
    private ObjectNode machines(Records all) {
        double[] sums = new double[4];
        double nodes = 0;
        for (int i = 0; i < scenario.sites().size(); i++) {
            var use = SiteUse.of(scenario, i, all);
            int own = scenario.sites().get(i).nodes();
            nodes += own;
            sums[0] += own * use.local();
            sums[1] += own * use.reserved();
            sums[2] += own * use.used();
            sums[3] += own * use.lost();
        }
        var figures = Json.object();
        figures.put("nodes", (long) nodes);
        use(figures, new SiteUse(sums[0] / nodes, sums[1] / nodes, sums[2] / nodes, sums[3] / nodes));
        return figures;
    }

    private ObjectNode site(int index) {
        var figures = Json.object();
        figures.put("nodes", scenario.sites().get(index).nodes());
        use(figures, SiteUse.of(scenario, index, records));
        figures.set("local", local(measured(records, index)));
        without.ifPresent(base -> {
            var own = figures.putObject("without");
            use(own, SiteUse.of(scenario, index, base));
            own.set("local", local(measured(base, index)));
            figures.set("localChange", change(measured(records, index)));
        });
        return figures;
    }

    private static void use(ObjectNode figures, SiteUse use) {
        Json.put(figures, "utilisation", use.local() + use.used());
        Json.put(figures, "localUtilisation", use.local());
        Json.put(figures, "reservedShare", use.reserved());
        Json.put(figures, "metaUtilisation", use.used());
        Json.put(figures, "lossOfCapacity", use.lost());
    }

    private List<LocalRecord> measured(Records all, int site) {
        return all.local().stream()
                .filter(record -> site < 0 || record.site() == site)
                .filter(record -> scenario.measures(at(record.submitted())))
                .toList();
    }

    private Instant at(long second) {
        return scenario.begin().plusSeconds(second);
    }

    private static ObjectNode local(List<LocalRecord> jobs) {
        var figures = Json.object();
        figures.put("jobs", jobs.size());
        double[] waits = series(jobs, LocalRecord::waited);
        Json.put(figures, "wait", Estimate.ofSeries(waits));
        Json.put(figures, "response", Estimate.ofSeries(series(jobs, job -> job.end() - job.submitted())));
        Json.put(figures, "slowdown", Estimate.ofSeries(series(jobs, LocalRecord::boundedSlowdown)));
        quantiles(figures, "wait", waits);
        return figures;
    }

    private static void quantiles(ObjectNode figures, String key, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        Json.put(figures, key + "P50", quantile(sorted, 0.5));
        Json.put(figures, key + "P90", quantile(sorted, 0.9));
        Json.put(figures, key + "P99", quantile(sorted, 0.99));
    }

    private static double quantile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private static <T> double[] series(List<T> jobs, ToDoubleFunction<T> value) {
        return jobs.stream().mapToDouble(value).toArray();
    }

    /** Each local job against itself without meta-jobs. */
    private ObjectNode change(List<LocalRecord> jobs) {
        var figures = Json.object();
        double[] delays = series(jobs, this::delay);
        Json.put(figures, "delay", Estimate.ofSeries(delays));
        quantiles(figures, "delay", delays);
        Json.put(figures, "delayedShare", share(delays, 1));
        Json.put(figures, "advancedShare", share(delays, -1));
        double before = series(jobs, job -> baseline(job).boundedSlowdown()).length == 0
                ? Double.NaN
                : Arrays.stream(series(jobs, job -> baseline(job).boundedSlowdown()))
                        .average()
                        .orElseThrow();
        double after = Arrays.stream(series(jobs, LocalRecord::boundedSlowdown))
                .average()
                .orElse(Double.NaN);
        Json.put(figures, "slowdownRatio", after / before);
        return figures;
    }

    private static double share(double[] delays, int sign) {
        return delays.length == 0
                ? Double.NaN
                : Arrays.stream(delays).filter(delay -> delay * sign > 0).count() / (double) delays.length;
    }

    private LocalRecord baseline(LocalRecord job) {
        return same.getOrDefault(job.job(), job);
    }

    private double delay(LocalRecord job) {
        return job.start() - (double) baseline(job).start();
    }

    private ObjectNode meta() {
        var jobs = records.meta().stream()
                .filter(record -> scenario.measures(record.job().submitted()))
                .toList();
        var granted = jobs.stream().filter(MetaRecord::granted).toList();
        var figures = Json.object();
        figures.put("jobs", jobs.size());
        figures.put("granted", granted.size());
        Json.put(figures, "rejectionRate", Estimate.ofSeries(series(jobs, job -> job.granted() ? 0 : 1)));
        var given = jobs.stream().filter(job -> job.job().hasGivenStart()).toList();
        Json.put(figures, "rejectionRateGiven", Estimate.ofSeries(series(given, job -> job.granted() ? 0 : 1)));
        var reasons = figures.putObject("rejected");
        var counts = new TreeMap<MetaRecord.Outcome, Integer>();
        jobs.stream().filter(job -> !job.granted()).forEach(job -> counts.merge(job.outcome(), 1, Integer::sum));
        counts.forEach((reason, count) -> reasons.put(MetaLine.word(reason), count));
        waits(figures, granted);
        Json.put(figures, "rounds", Estimate.ofSeries(series(jobs, MetaRecord::rounds)));
        Json.put(figures, "calls", Estimate.ofSeries(series(jobs, MetaRecord::calls)));
        Json.put(figures, "attempts", Estimate.ofSeries(series(jobs, MetaRecord::attempts)));
        double held = granted.stream().mapToDouble(MetaRecord::heldNodeSeconds).sum();
        double used = granted.stream().mapToDouble(MetaRecord::usedNodeSeconds).sum();
        Json.put(figures, "heldNodeHours", held / 3600);
        Json.put(figures, "usedNodeHours", used / 3600);
        double reserved =
                granted.stream().mapToDouble(MetaRecord::reservedNodeSeconds).sum();
        Json.put(figures, "reservedNodeHours", reserved / 3600);
        Json.put(figures, "reservationUtilisation", used / reserved);
        Json.put(figures, "heldUtilisation", used / held);
        Json.put(figures, "grantedWorkShare", work(granted) / work(jobs));
        return figures;
    }

    private static double work(List<MetaRecord> jobs) {
        return jobs.stream()
                .mapToDouble(record -> record.job().parts().stream()
                        .filter(part -> part.request().need() instanceof Need.Nodes)
                        .mapToDouble(part -> (double) part.request().need().amount()
                                * part.request().duration().toSeconds())
                        .sum())
                .sum();
    }

    private void waits(ObjectNode figures, List<MetaRecord> granted) {
        var soon = granted.stream().filter(r -> !r.job().hasGivenStart()).toList();
        var given = granted.stream().filter(r -> r.job().hasGivenStart()).toList();
        double[] waits = series(soon, record -> MetaLine.waited(scenario, record));
        Json.put(figures, "wait", Estimate.ofSeries(waits));
        quantiles(figures, "wait", waits);
        Json.put(
                figures,
                "response",
                Estimate.ofSeries(series(
                        soon, r -> MetaLine.waited(scenario, r) + r.job().run().toSeconds())));
        Json.put(
                figures,
                "slowdown",
                Estimate.ofSeries(series(
                        soon,
                        r -> Slowdown.bounded(
                                MetaLine.waited(scenario, r), r.job().run().toSeconds()))));
        Json.put(figures, "startShift", Estimate.ofSeries(series(given, r -> MetaLine.shift(scenario, r))));
    }
}
