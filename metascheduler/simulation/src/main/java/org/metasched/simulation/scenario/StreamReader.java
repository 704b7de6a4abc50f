package org.metasched.simulation.scenario;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.simulated.SwfTrace;
import org.metasched.simulation.scenario.StreamScenario.Arrivals;
import org.metasched.simulation.scenario.StreamScenario.Beside;
import org.metasched.simulation.scenario.StreamScenario.Start;

/** Reads one stream of meta-jobs of a scenario. */
record StreamReader(ScenarioTraces traces, List<SiteScenario> sites) {

    private static final Set<String> KEYS =
            Set.of(("arrivals per-day share workload only sites parts nodes total-nodes duration run"
                            + " given-start book-ahead tolerance patience order bandwidth licences requirements")
                    .split(" "));

    StreamScenario read(String name, Settings settings) {
        settings.allowOnly(KEYS);
        settings.refuseIf(
                name.contains(","), name, "expected the name of a stream without a comma, for the files of results");
        var candidates = candidates(settings);
        var arrivals = arrivals(settings);
        boolean traced = arrivals instanceof Arrivals.Traced;
        boolean byTotal = traced || settings.keys().contains("total-nodes");
        if (byTotal && settings.keys().contains("nodes")) {
            throw settings.invalid("nodes", "the size is given already, by total-nodes or by the trace");
        }
        String sizeKey = byTotal ? "total-nodes" : "nodes";
        return new StreamScenario(
                name,
                arrivals,
                candidates,
                parts(settings, candidates.size()),
                traced ? new NodeSpread(RandomAmount.of(1), false) : nodes(settings, sizeKey),
                byTotal,
                traced ? RandomAmount.of(1) : lengths(settings, "duration", "a length from 1s to 3653d, such as 30m"),
                settings.keys().contains("run") ? share(settings, "run") : RandomAmount.of(1),
                new Start(
                        ScenarioNumbers.number(settings, "given-start", 0, 1).orElse(0.0),
                        settings.keys().contains("book-ahead")
                                ? lengths(settings, "book-ahead", "a length from 1s to 3653d, such as 12h")
                                : RandomAmount.of(86_400),
                        settings.notNegativeDuration("tolerance", Duration.ZERO),
                        settings.notNegativeDuration("patience", Duration.ofDays(3650))),
                settings.oneOf("order", "together", "chain").equals("chain"),
                new Beside(settings.number("bandwidth", 0, Integer.MAX_VALUE).orElse(0), SiteReader.licences(settings)),
                settings.text("requirements"));
    }

    private List<Integer> candidates(Settings settings) {
        var all = sites.stream().map(site -> site.id().value()).toList();
        var named = settings.texts("sites");
        for (var name : named) {
            if (!all.contains(name)) {
                throw settings.invalid("sites", "there is no site (" + name + ") here; there are " + all);
            }
        }
        return named.isEmpty()
                ? IntStream.range(0, all.size()).boxed().toList()
                : named.stream().distinct().map(all::indexOf).toList();
    }

    private Arrivals arrivals(Settings settings) {
        String kind = settings.oneOf("arrivals", "poisson", "daily", "trace");
        if (!kind.equals("trace")) {
            return poisson(settings, kind.equals("daily"));
        }
        var trace = traces.of(settings, "workload", settings.requiredText("workload"));
        var column = ScenarioTraces.column(settings, "only");
        return new Arrivals.Traced(trace.jobs().stream()
                .filter(job ->
                        !job.isPart() && job.runSeconds() > 0 && job.processors() > 0 && job.submitSeconds() >= 0)
                .filter(job -> column.isEmpty() || column.get().test(job))
                .sorted(Comparator.comparingLong(SwfTrace.Job::submitSeconds))
                .toList());
    }

    private static Arrivals poisson(Settings settings, boolean isDaily) {
        var perDay = ScenarioNumbers.number(settings, "per-day", 0, 10_000);
        var share = ScenarioNumbers.number(settings, "share", 0, 1);
        if (perDay.isPresent() == share.isPresent()) {
            throw settings.invalid(
                    perDay.isPresent() ? "share" : "arrivals",
                    "expected either per-day (jobs) or share (of the machines' work), "
                            + (perDay.isPresent() ? "not both" : "and neither is there"));
        }
        return new Arrivals.Poisson(perDay, share, isDaily);
    }

    private static RandomAmount parts(Settings settings, int most) {
        if (!settings.keys().contains("parts")) {
            return RandomAmount.of(Math.min(2, most));
        }
        var parts = RandomAmount.read(settings, "parts", "a number of sites", ScenarioNumbers::number);
        for (double value : parts.values()) {
            if (value < 1 || value > most || value != Math.rint(value)) {
                throw settings.invalid("parts", "expected 1 to " + most + " sites, not " + value);
            }
        }
        return parts;
    }

    private static NodeSpread nodes(Settings settings, String key) {
        boolean isShare = settings.texts(key).stream().anyMatch(text -> text.contains("%"));
        var amount = RandomAmount.read(
                settings,
                key,
                "a number of nodes or a share of the machine such as 25%",
                text -> nodeNumber(text, isShare));
        return new NodeSpread(amount, isShare);
    }

    private static double nodeNumber(String text, boolean isShare) {
        if (isShare != text.endsWith("%")) {
            throw new NumberFormatException(text);
        }
        double value = ScenarioNumbers.number(isShare ? text.substring(0, text.length() - 1) : text);
        if (isShare ? value <= 0 || value > 100 : value < 1) {
            throw new NumberFormatException(text);
        }
        return value;
    }

    private static RandomAmount lengths(Settings settings, String key, String expected) {
        return RandomAmount.read(settings, key, expected, text -> {
            double seconds = ScenarioNumbers.seconds(text);
            ResourceRequest.checkDuration(Duration.ofSeconds((long) seconds));
            return seconds;
        });
    }

    private static RandomAmount share(Settings settings, String key) {
        return RandomAmount.read(settings, key, "a share from 0 to 1", text -> {
            double value = ScenarioNumbers.number(text);
            if (value > 1) {
                throw new NumberFormatException(text);
            }
            return value;
        });
    }
}
