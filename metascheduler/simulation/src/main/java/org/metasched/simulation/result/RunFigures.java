package org.metasched.simulation.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.metasched.adapter.Need;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.simulation.scenario.Scenario;

/**
 * The figures of one run, over the jobs that were submitted in its measured time. Times are seconds.
 *
 * @param baseline records of the same sites without meta-jobs; empty if they were not run so
 * @param baselineByJob these records by local job
 */
public record RunFigures(
        Scenario scenario,
        RunRecords records,
        Optional<RunRecords> baseline,
        Map<LocalJob, LocalRecord> baselineByJob) {

    /** The figures as JSON. */
    public static ObjectNode of(Scenario scenario, RunRecords records, Optional<RunRecords> baseline) {
        return new RunFigures(
                        scenario,
                        records,
                        baseline,
                        baseline.map(RunRecords::byJob).orElse(Map.of()))
                .all();
    }

    private ObjectNode all() {
        var figures = RunJson.object();
        figures.put("scenario", scenario.name());
        figures.put("seed", scenario.seed());
        figures.put("policy", scenario.policy().name());
        var parameters = figures.putObject("parameters");
        scenario.parameters().forEach(parameters::put);
        figures.put("lengthSeconds", scenario.length().toSeconds());
        figures.put("warmUpSeconds", scenario.warmUp().toSeconds());
        figures.put("cutSeconds", scenario.cut().toSeconds());
        figures.set("local", local(measured(records, -1)));
        baseline.ifPresent(base -> {
            figures.set("localWithout", local(measured(base, -1)));
            figures.set("localChange", change(measured(records, -1)));
        });
        figures.set("meta", meta());
        var with = machines(records);
        figures.set("machines", with);
        baseline.ifPresent(base -> {
            var before = machines(base);
            figures.set("machinesWithout", before);
            RunJson.put(with, "metaYield", metaYield(with, before));
        });
        var sites = figures.putObject("sites");
        for (int i = 0; i < scenario.sites().size(); i++) {
            sites.set(scenario.sites().get(i).id().value(), site(i));
        }
        var alike = figures.putObject("siteMeans");
        siteMean(alike, sites, "local", "wait");
        siteMean(alike, sites, "local", "slowdown");
        siteMean(alike, sites, "localChange", "delay");
        return figures;
    }

    /** The mean of a figure over the sites with local jobs, each with the same weight. */
    private static void siteMean(ObjectNode figures, ObjectNode sites, String group, String key) {
        double mean = sites.properties().stream()
                .map(site -> site.getValue().path(group).path(key))
                .filter(JsonNode::isNumber)
                .mapToDouble(JsonNode::asDouble)
                .average()
                .orElse(Double.NaN);
        RunJson.put(figures, key, mean);
    }

    /**
     * Used share of the nodes that meta-jobs take: nodes held for them, and nodes that are idle because of them while local jobs wait.
     */
    private static double metaYield(ObjectNode with, ObjectNode baseline) {
        double idle = with.path("lossOfCapacity").asDouble()
                - baseline.path("lossOfCapacity").asDouble();
        return with.path("metaUtilisation").asDouble()
                / (with.path("reservedShare").asDouble() + idle);
    }

    /** All sites as one machine. */
    private ObjectNode machines(RunRecords all) {
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
        var figures = RunJson.object();
        figures.put("nodes", (long) nodes);
        use(figures, new SiteUse(sums[0] / nodes, sums[1] / nodes, sums[2] / nodes, sums[3] / nodes));
        return figures;
    }

    private ObjectNode site(int index) {
        var figures = RunJson.object();
        figures.put("nodes", scenario.sites().get(index).nodes());
        use(figures, SiteUse.of(scenario, index, records));
        figures.set("local", local(measured(records, index)));
        warmUp(figures, index);
        baseline.ifPresent(base -> {
            var own = figures.putObject("without");
            use(own, SiteUse.of(scenario, index, base));
            own.set("local", local(measured(base, index)));
            figures.set("localChange", change(measured(records, index)));
        });
        return figures;
    }

    private static void use(ObjectNode figures, SiteUse use) {
        RunJson.put(figures, "utilisation", use.local() + use.used());
        RunJson.put(figures, "localUtilisation", use.local());
        RunJson.put(figures, "reservedShare", use.reserved());
        RunJson.put(figures, "metaUtilisation", use.used());
        RunJson.put(figures, "lossOfCapacity", use.lost());
    }

    /** Puts the second of the run at which waits become steady, by MSER-5; null if they do not. */
    private void warmUp(ObjectNode figures, int site) {
        var jobs = submitted(records, site)
                .filter(record -> at(record.submitted()).isBefore(scenario.measuredUntil()))
                .toList();
        if (!jobs.isEmpty()) {
            var first = WarmUpEstimate.mser5(series(jobs, LocalRecord::waited));
            RunJson.put(
                    figures,
                    "warmUpMser",
                    first.isPresent() ? jobs.get(first.getAsInt()).submitted() : Double.NaN);
        }
    }

    private List<LocalRecord> measured(RunRecords all, int site) {
        return submitted(all, site)
                .filter(record -> scenario.measures(at(record.submitted())))
                .toList();
    }

    /** The jobs of a site, or of all sites if the index is negative, in the order of submission, as {@link ConfidenceEstimate#ofSeries} needs. */
    private static Stream<LocalRecord> submitted(RunRecords all, int site) {
        return all.local().stream()
                .filter(record -> site < 0 || record.site() == site)
                .sorted(Comparator.comparingLong(LocalRecord::submitted));
    }

    private Instant at(long second) {
        return scenario.begin().plusSeconds(second);
    }

    private ObjectNode local(List<LocalRecord> jobs) {
        var figures = RunJson.object();
        figures.put("jobs", jobs.size());
        double[] waits = series(jobs, LocalRecord::waited);
        RunJson.put(figures, "wait", ConfidenceEstimate.ofSeries(waits));
        estimate(figures, "response", jobs, job -> job.end() - job.submitted());
        estimate(figures, "slowdown", jobs, LocalRecord::boundedSlowdown);
        quantiles(figures, "wait", waits);
        quantiles(figures, "slowdown", series(jobs, LocalRecord::boundedSlowdown));
        weeks(figures, "wait", jobs, LocalRecord::waited);
        weeks(figures, "slowdown", jobs, LocalRecord::boundedSlowdown);
        return figures;
    }

    private void weeks(ObjectNode figures, String key, List<LocalRecord> jobs, ToDoubleFunction<LocalRecord> figure) {
        var weeks = WeekSums.of(
                jobs,
                scenario.warmUp().toSeconds(),
                scenario.length().minus(scenario.cut()).toSeconds(),
                figure);
        var json = figures.withObject("/weeks");
        var counts = json.putArray("jobs");
        weeks.jobs().forEach(count -> counts.add(count.longValue()));
        var sums = json.putArray(key);
        weeks.sums().forEach(sum -> sums.add(RunJson.decimal(sum)));
    }

    private static void quantiles(ObjectNode figures, String key, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        for (int percent : new int[] {50, 90, 95, 99}) {
            RunJson.put(figures, key + "P" + percent, quantile(sorted, percent / 100.0));
        }
    }

    private static double quantile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private static <T> double[] series(List<T> jobs, ToDoubleFunction<T> value) {
        return jobs.stream().mapToDouble(value).toArray();
    }

    /** Puts the mean of a value of jobs, with its confidence interval. */
    private static <T> void estimate(ObjectNode figures, String key, List<T> jobs, ToDoubleFunction<T> value) {
        RunJson.put(figures, key, ConfidenceEstimate.ofSeries(series(jobs, value)));
    }

    /** Each local job compared with itself without meta-jobs. */
    private ObjectNode change(List<LocalRecord> jobs) {
        var figures = RunJson.object();
        double[] delays = series(jobs, this::delay);
        RunJson.put(figures, "delay", ConfidenceEstimate.ofSeries(delays));
        quantiles(figures, "delay", delays);
        weeks(figures, "delay", jobs, this::delay);
        RunJson.put(figures, "delayedShare", share(delays, 1));
        RunJson.put(figures, "advancedShare", share(delays, -1));
        double before = mean(jobs, job -> inBaseline(job).boundedSlowdown());
        RunJson.put(figures, "slowdownRatio", mean(jobs, LocalRecord::boundedSlowdown) / before);
        return figures;
    }

    private static double mean(List<LocalRecord> jobs, ToDoubleFunction<LocalRecord> value) {
        return jobs.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    /** Share of the delays that have a sign, 1 or -1. */
    private static double share(double[] delays, int sign) {
        return delays.length == 0
                ? Double.NaN
                : Arrays.stream(delays).filter(delay -> delay * sign > 0).count() / (double) delays.length;
    }

    private LocalRecord inBaseline(LocalRecord job) {
        return baselineByJob.getOrDefault(job.job(), job);
    }

    private double delay(LocalRecord job) {
        return job.start() - (double) inBaseline(job).start();
    }

    private ObjectNode meta() {
        var jobs = records.meta().stream()
                .filter(record -> scenario.measures(record.job().submitted()))
                .toList();
        var granted = jobs.stream().filter(MetaRecord::granted).toList();
        var figures = RunJson.object();
        figures.put("jobs", jobs.size());
        figures.put("granted", granted.size());
        estimate(figures, "rejectionRate", jobs, job -> job.granted() ? 0 : 1);
        var given = jobs.stream().filter(job -> job.job().hasGivenStart()).toList();
        estimate(figures, "rejectionRateGiven", given, job -> job.granted() ? 0 : 1);
        var reasons = figures.putObject("rejected");
        var counts = new TreeMap<MetaRecord.Outcome, Integer>();
        jobs.stream().filter(job -> !job.granted()).forEach(job -> counts.merge(job.outcome(), 1, Integer::sum));
        counts.forEach((reason, count) -> reasons.put(MetaLine.word(reason), count));
        waits(figures, granted);
        estimate(figures, "rounds", jobs, MetaRecord::rounds);
        estimate(figures, "calls", jobs, MetaRecord::calls);
        estimate(figures, "attempts", jobs, MetaRecord::attempts);
        double held = granted.stream().mapToDouble(MetaRecord::heldNodeSeconds).sum();
        double used = granted.stream().mapToDouble(MetaRecord::usedNodeSeconds).sum();
        RunJson.put(figures, "heldNodeHours", held / 3600);
        RunJson.put(figures, "usedNodeHours", used / 3600);
        double reserved =
                granted.stream().mapToDouble(MetaRecord::reservedNodeSeconds).sum();
        RunJson.put(figures, "reservedNodeHours", reserved / 3600);
        RunJson.put(figures, "reservationUtilisation", used / reserved);
        RunJson.put(figures, "heldUtilisation", used / held);
        RunJson.put(figures, "grantedWorkShare", work(granted) / work(jobs));
        return figures;
    }

    /** Node seconds that jobs asked for. */
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
        RunJson.put(figures, "wait", ConfidenceEstimate.ofSeries(waits));
        quantiles(figures, "wait", waits);
        estimate(figures, "response", soon, record -> MetaLine.waited(scenario, record) + ran(record));
        estimate(figures, "slowdown", soon, record -> Slowdown.bounded(MetaLine.waited(scenario, record), ran(record)));
        estimate(figures, "startShift", given, record -> MetaLine.shift(scenario, record));
    }

    private static long ran(MetaRecord record) {
        return record.job().run().toSeconds();
    }
}
