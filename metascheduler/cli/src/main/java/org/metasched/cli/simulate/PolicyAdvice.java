package org.metasched.cli.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.cli.output.TextTable;
import org.metasched.simulation.report.CompletedRun;
import org.metasched.simulation.report.RunGroup;
import org.metasched.simulation.report.RunMetric;
import org.metasched.simulation.result.ConfidenceInterval;

/** Costs of reservations for the users of a site under each of its possible policies, the first of them without limits. */
record PolicyAdvice(List<Policy> policies) {

    /** The parameter of a sweep over policies. */
    static final String PARAMETER = "sites.site.policy";

    /**
     * @param delayMinutes mean further wait of local users
     * @param lowMinutes lower end of the delay's 95 % interval over weeks of local jobs; empty for too few weeks, as seeds change the
     *     co-allocations only
     * @param highMinutes upper end of that interval
     * @param rejectedPercent share of the co-allocations that is rejected
     * @param keepsBound whether the whole interval is within the bound that was asked for
     */
    record Policy(
            String name,
            double delayMinutes,
            Optional<Double> lowMinutes,
            Optional<Double> highMinutes,
            double localWaitMinutes,
            double rejectedPercent,
            boolean keepsBound) {

        private static Policy of(RunGroup group, double mostMinutes) {
            var metric = metric("localChange.delay");
            var interval = group.byWeeks(metric);
            String file = group.parameters().getOrDefault(PARAMETER, "");
            return new Policy(
                    file.replaceAll(".*/|\\.ya?ml$", ""),
                    group.estimate(metric).mean(),
                    interval.map(ConfidenceInterval::low),
                    interval.map(ConfidenceInterval::high),
                    group.estimate(metric("local.wait")).mean(),
                    group.estimate(metric("meta.rejectionRate")).mean(),
                    interval.filter(weeks -> weeks.high() <= mostMinutes).isPresent());
        }

        private static RunMetric metric(String path) {
            return RunMetric.ALL.stream()
                    .filter(metric -> metric.path().equals(path))
                    .findFirst()
                    .orElseThrow();
        }

        private String interval() {
            return lowMinutes
                    .flatMap(low -> highMinutes.map(high -> number(low) + " to " + number(high)))
                    .orElse("–");
        }

        private String answer(double mostMinutes) {
            boolean breaksBound = lowMinutes.filter(low -> low > mostMinutes).isPresent();
            return keepsBound ? "yes" : breaksBound ? "no" : "not shown";
        }
    }

    /** @param mostDelay bound on the mean further wait of local users */
    static PolicyAdvice of(List<CompletedRun> runs, Duration mostDelay) {
        var policies = new ArrayList<Policy>();
        RunGroup.of(runs).forEach(group -> policies.add(Policy.of(group, minutes(mostDelay))));
        return new PolicyAdvice(policies);
    }

    private static double minutes(Duration span) {
        return span.toSeconds() / 60.0;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    TextTable table(Duration mostDelay) {
        var table = new TextTable(
                "policy",
                "local users wait longer (min)",
                "95 %",
                "co-allocations refused (%)",
                "below " + number(minutes(mostDelay)) + " min");
        for (var policy : policies) {
            table.row(
                    policy.name,
                    number(policy.delayMinutes),
                    policy.interval(),
                    number(policy.rejectedPercent),
                    policy.answer(minutes(mostDelay)));
        }
        return table;
    }

    /** The advice in sentences, for those who decide. */
    List<String> sentences(double share, Duration mostDelay) {
        var open = policies.get(0);
        var sentences = new ArrayList<String>();
        sentences.add(String.format(
                Locale.ROOT,
                "With %s %% co-allocated work and no limits, your local users wait %s min longer (95 %% interval %s),"
                        + " %s min in all.",
                number(share),
                number(open.delayMinutes),
                open.interval(),
                number(open.localWaitMinutes)));
        if (open.lowMinutes.isEmpty()) {
            sentences.add("An interval needs four measured weeks with local jobs: a trace and a --length above 31d.");
        }
        sentences.add(cheapest()
                .map(policy -> policy == open
                        ? "No policy is needed for at most " + number(minutes(mostDelay)) + " min."
                        : "The policy '" + policy.name + "' keeps that below " + number(minutes(mostDelay))
                                + " min and refuses least: " + number(policy.rejectedPercent)
                                + " % of the co-allocations.")
                .orElse("No policy was shown to keep that below " + number(minutes(mostDelay)) + " min."));
        return sentences;
    }

    /** The policy that refuses least of those that keep the bound. */
    private Optional<Policy> cheapest() {
        return policies.stream()
                .filter(Policy::keepsBound)
                .min((one, two) -> Double.compare(one.rejectedPercent, two.rejectedPercent));
    }
}
