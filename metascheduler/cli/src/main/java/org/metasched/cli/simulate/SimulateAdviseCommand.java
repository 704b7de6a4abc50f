package org.metasched.cli.simulate;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.metasched.adapter.ResourceText;
import org.metasched.adapter.simulated.SwfFormatException;
import org.metasched.adapter.simulated.SwfTrace;
import org.metasched.adapter.simulated.Workload;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.simulation.scenario.ScenarioReader;
import org.metasched.simulation.sweep.SweepCell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code metasched simulate advise}: the costs of co-allocation for one site, and the policies that bound them. */
@Command(
        name = "advise",
        description = {
            "Runs a site's own trace with reservations of others, under no limits, five policies and the site's own one.",
            "It prints how much longer local users wait, with 95 %% intervals over weeks, and which policies keep that below a bound.",
            "DIR then has the scenario, the policies as site files, and each run. Exit code 1 when no policy keeps it."
        })
final class SimulateAdviseCommand extends PrintingCommand implements Callable<Integer> {

    private static final List<String> POLICIES =
            List.of("open.yaml", "half.yaml", "quarter.yaml", "nights.yaml", "notice.yaml", "short.yaml");
    private static final String SCENARIO = "advise.yaml";
    /** A later begin is taken for an error of the trace, such as milliseconds instead of seconds. */
    private static final long YEAR_2200 = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond();

    private static final int FEWEST_SEEDS = 2;
    private static final int MOST_SEEDS = 100;

    @Option(
            names = "--trace",
            required = true,
            paramLabel = "FILE",
            description = "The site's jobs in the Standard Workload Format, packed or not.")
    private Path trace = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder for the results.")
    private Path out = Path.of("");

    @Option(names = "--policy", paramLabel = "SITE.yaml", description = "The site's file, whose policy: is tried too.")
    private Optional<Path> policy = Optional.empty();

    @Option(names = "--backfilling", description = "easy, conservative or first-fit (default: ${DEFAULT-VALUE}).")
    private String backfilling = "easy";

    @Option(
            names = "--share",
            defaultValue = "5",
            paramLabel = "PERCENT",
            description = "Work of co-allocated jobs, in per cent of the site's capacity (default: ${DEFAULT-VALUE}).")
    private double share;

    @Option(
            names = "--most-delay",
            defaultValue = "5m",
            paramLabel = "SPAN",
            description = "How much longer local users may wait on average (default: ${DEFAULT-VALUE}).")
    private Duration mostDelay = Duration.ZERO;

    @Option(
            names = "--length",
            defaultValue = "365d",
            paramLabel = "SPAN",
            description = "How much of the trace, from its beginning, at most all of it (default: ${DEFAULT-VALUE}).")
    private Duration length = Duration.ZERO;

    @Option(
            names = "--seeds",
            description = "Runs of each policy, 2 to 100, with other co-allocations (default: ${DEFAULT-VALUE}).")
    private int seeds = 5;

    @Option(names = "--processes", defaultValue = "1", description = "Runs beside each other, 1 to 1024 (default: 1).")
    private int processes;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ExitCodeException.badInputIf(
                seeds < FEWEST_SEEDS || seeds > MOST_SEEDS, "The number of seeds (%s) must be from 2 to 100.", seeds);
        ExitCodeException.badInputIf(
                !(share > 0 && share <= 100), "The share (%s) must be above 0 and at most 100.", share);
        ExitCodeException.badInputIf(
                !List.of("easy", "conservative", "first-fit").contains(backfilling),
                "The backfilling (%s) must be easy, conservative or first-fit.",
                backfilling);
        var read = readTrace();
        var names = unpack(settings(read));
        var scenario = out.resolve(SCENARIO);
        var traces = Map.of("site", trace);
        Map<String, List<String>> sweep = new LinkedHashMap<>();
        sweep.put(PolicyAdvice.PARAMETER, names);
        sweep.put(
                "seed",
                IntStream.rangeClosed(1, seeds).mapToObj(String::valueOf).toList());
        var cells = SweepCell.of(sweep, Map.of());
        var runs = SweepRuns.of(
                ScenarioReader.open(scenario, traces),
                cells,
                new SweepRuns.RunPaths(scenario, traces, out.resolve("runs")),
                false,
                output);
        runs.run(processes);
        var advice = PolicyAdvice.of(runs.results(), mostDelay);
        ExitCodeException.badInputIf(
                advice.policies().stream().anyMatch(policy -> Double.isNaN(policy.rejectedPercent())),
                "The share (%s) is too small for this trace: no co-allocation was measured.",
                share);
        output.print(advice, text -> print(text, advice));
        return advice.policies().stream().anyMatch(PolicyAdvice.Policy::keepsBound) ? 0 : ExitCodeException.NO;
    }

    /** Reads the trace, and warns if the hours of policies cannot be compared with it. */
    private SwfTrace readTrace() throws IOException {
        try {
            var read = SwfTrace.read(trace);
            String unknown = "warning: The trace (" + trace + ") has no ";
            if (begin(read).isEmpty()) {
                output.err().println(unknown + "UnixStartTime before 2200: it is taken to begin with the year 2000.");
            } else if (read.zone().isEmpty()) {
                output.err().println(unknown + "TimeZoneString: the hours of policies are those of UTC.");
            }
            return read;
        } catch (SwfFormatException e) {
            throw ExitCodeException.badInput(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Instant> begin(SwfTrace read) {
        return read.headerNumber("UnixStartTime")
                .filter(second -> second > 0 && second < YEAR_2200)
                .map(Instant::ofEpochSecond);
    }

    /** Writes the scenario and the policies with these settings; returns the names of the policies' files. */
    private List<String> unpack(Map<String, String> settings) throws IOException {
        Files.createDirectories(out);
        copy(SCENARIO, settings);
        var names = new ArrayList<>(POLICIES);
        for (String name : POLICIES) {
            copy(name, settings);
        }
        policy.ifPresent(own -> names.add(own.toAbsolutePath().toString()));
        return names;
    }

    private void copy(String name, Map<String, String> settings) throws IOException {
        String text = ResourceText.of(SimulateAdviseCommand.class, name);
        for (var setting : settings.entrySet()) {
            text = text.replace(setting.getKey(), setting.getKey().replaceFirst(" .*", " ") + setting.getValue());
        }
        Files.writeString(out.resolve(name), text);
    }

    /**
     * Settings of all runs, by their key and value in the files that they alter. The trace gives zone, start, the size of the partner (that
     * of the site) and the upper bound of the length; the options give the rest.
     */
    private Map<String, String> settings(SwfTrace read) {
        var settings = new LinkedHashMap<String, String>();
        var workload = Workload.asRequested(read);
        settings.put("nodes: 100", String.valueOf(workload.nodes()));
        var used = cut(length, workload);
        ExitCodeException.badInputIf(
                used.compareTo(Duration.ofDays(10)) <= 0,
                "The length (%s) of the trace must be above 10 days: the first 7 and the last 3 are not measured.",
                used);
        settings.put("length: 365d", used.toString());
        begin(read).ifPresent(begin -> settings.put("begin: 2000-01-01T00:00:00Z", begin.toString()));
        read.zone().ifPresent(zone -> settings.put("zone: UTC", zone.getId()));
        settings.put("backfilling: easy", backfilling);
        settings.put("share: 0.05", BigDecimal.valueOf(share / 100).toPlainString());
        return settings;
    }

    /** The length, cut at the last local job: later co-allocations would find an empty machine. */
    private static Duration cut(Duration length, Workload workload) {
        var jobs = workload.jobs();
        long last = jobs.isEmpty() ? 0 : jobs.get(jobs.size() - 1).submitSeconds() + 1;
        return length.toSeconds() < last ? length : Duration.ofSeconds(last);
    }

    private void print(PrintWriter text, PolicyAdvice advice) {
        advice.table(mostDelay).print(text);
        text.println();
        advice.sentences(share, mostDelay).forEach(text::println);
        text.println("Each policy is a file in " + out + ": copy what you choose to your site's file.");
    }
}
