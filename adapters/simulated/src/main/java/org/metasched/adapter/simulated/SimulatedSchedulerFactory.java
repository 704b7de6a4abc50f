package org.metasched.adapter.simulated;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.jobs.JobSettings;

/**
 * Opens {@code type: simulated}. Its settings, with their defaults, all optional but the nodes (or a link):
 *
 * <pre>
 * nodes            number of alike nodes
 * node-groups      list of count, cores, properties and dedicated (the site's own jobs do not use these nodes)
 * bandwidth        Mbit/s of the link that can be reserved
 * licences         number by feature, such as {solver: 2}
 * look-ahead       time ahead for which starts are offered; 7 days
 * grid             unit of bookings; 1 second
 * workload         none (usual), synthetic (Lublin and Feitelson's model), or a trace in the Standard Workload Format, packed
 *                  by gzip or not, which gives the number of nodes unless it is set
 * load, seed, jobs of the synthetic workload; 0.7, 1, 5000
 * workload-second  second of the workload at which the site opens; a busy one
 * warm-up          length of the workload before that second that is replayed first; 3 days
 * speed            factor by which local jobs come and go faster than in the workload; 1
 * backfilling      conservative (usual), easy or first-fit
 * latency          delay of each answer; none
 * state-file       file in which reservations outlive the process; none
 * programs         runs the programs of offers as processes of this machine; without this key none are run
 * mishaps          random faults: share of the calls, and seed
 * </pre>
 */
public final class SimulatedSchedulerFactory implements LocalSchedulerFactory {

    private static final Set<String> KEYS =
            Set.of(("type nodes node-groups bandwidth licences look-ahead grid workload load seed jobs"
                            + " workload-second warm-up speed backfilling latency state-file programs mishaps")
                    .split(" "));
    private static final Pattern WORD = Pattern.compile("[^\\s,]{1,128}");
    private static final int MOST_NODES = 100_000;
    private static final int MOST_JOBS = 1_000_000;

    @Override
    public String type() {
        return "simulated";
    }

    @Override
    public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
        settings.allowOnly(KEYS);
        var simulated = new SimulatedSite(site);
        var trace = trace(settings);
        nodes(simulated, settings, trace);
        settings.section("licences").ifPresent(features -> licences(simulated, features));
        settings.number("bandwidth", 0, Integer.MAX_VALUE).ifPresent(simulated::bandwidth);
        simulated.window(PreviewWindow.from(settings, Duration.ofSeconds(1)));
        workload(simulated, settings, trace);
        simulated.backfilling(SimulatedSite.Backfilling.read(settings));
        simulated.latency(settings.notNegativeDuration("latency", Duration.ZERO));
        settings.path("state-file").ifPresent(simulated::stateFile);
        settings.section("programs").map(JobSettings::from).ifPresent(simulated::runsPrograms);
        var scheduler = simulated.open(clock);
        settings.section("mishaps").ifPresent(mishaps -> {
            mishaps.allowOnly(Set.of("share", "seed"));
            scheduler.misbehavesAtRandom(
                    mishaps.number("seed").orElse(1),
                    fraction(mishaps, "share", 1).orElse(0.1));
        });
        return scheduler;
    }

    private static Optional<Workload> trace(Settings settings) {
        var named = settings.text("workload")
                .filter(word -> !Set.of("none", "synthetic").contains(word));
        if (named.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Workload.of(SwfTrace.read(settings.requiredPath("workload"))));
        } catch (IOException e) {
            throw settings.invalid("workload", "the trace (" + named.get() + ") cannot be read: " + why(e));
        } catch (SwfFormatException e) {
            throw settings.invalid("workload", String.valueOf(e.getMessage()));
        }
    }

    private static String why(Exception problem) {
        return problem instanceof NoSuchFileException ? "there is no such file" : String.valueOf(problem.getMessage());
    }

    private static void nodes(SimulatedSite simulated, Settings settings, Optional<Workload> trace) {
        var count = settings.number("nodes", 0, MOST_NODES);
        count.ifPresent(simulated::nodes);
        var groups = settings.sections("node-groups");
        for (var group : groups) {
            group.allowOnly(Set.of("count", "cores", "properties", "dedicated"));
            int nodes = group.number("count", 1, MOST_NODES).orElse(1);
            int cores = group.number("cores", 1, MOST_NODES).orElse(1);
            var properties = new TreeSet<>(group.texts("properties"));
            for (var property : properties) {
                word(group, "properties", property);
            }
            if (group.flag("dedicated").orElse(false)) {
                simulated.dedicatedNodes(nodes, cores, properties);
            } else {
                simulated.nodes(nodes, cores, properties);
            }
        }
        if (count.isEmpty() && groups.isEmpty()) {
            if (trace.isPresent()) {
                simulated.nodes(trace.get().nodes());
            } else if (settings.number("bandwidth").isEmpty()) {
                throw settings.invalid("nodes", "expected a number of nodes (or node-groups, or bandwidth)");
            }
        }
    }

    private static void licences(SimulatedSite simulated, Settings features) {
        for (String feature : features.keys()) {
            int count = features.number(feature, 0, Integer.MAX_VALUE).orElse(0);
            simulated.licences(word(features, feature, feature), count);
        }
    }

    private static void workload(SimulatedSite simulated, Settings settings, Optional<Workload> trace) {
        var load = fraction(settings, "load", 10);
        settings.refuseIf(load.equals(Optional.of(0.0)), "load", "expected a number above 0");
        int machine = Math.max(1, simulated.nodes.size() - simulated.dedicated.size());
        if (settings.text("workload").equals(Optional.of("synthetic"))) {
            int jobs = settings.number("jobs", 1, MOST_JOBS).orElse(5000);
            var model = LublinFeitelson.generate(
                    machine, jobs, settings.number("seed").orElse(1));
            simulated.workload(model.withLoad(load.orElse(0.7)));
        } else {
            trace.map(recorded -> recorded.on(machine))
                    .ifPresent(fitting ->
                            simulated.workload(load.map(fitting::withLoad).orElse(fitting)));
        }
        settings.number("workload-second", 0, Integer.MAX_VALUE).ifPresent(second -> simulated.workloadFrom(second));
        simulated.warmUp(settings.notNegativeDuration("warm-up", Duration.ofDays(3)));
        settings.number("speed", 1, 1_000_000).ifPresent(simulated::speed);
    }

    private static Optional<Double> fraction(Settings settings, String key, int most) {
        return settings.text(key).map(text -> {
            boolean isNumber = text.matches("\\d{1,3}(\\.\\d{1,9})?") && Double.parseDouble(text) <= most;
            settings.refuseIf(!isNumber, key, "expected a number from 0 to %s, not (%s)", most, text);
            return Double.valueOf(text);
        });
    }

    private static String word(Settings settings, String key, String text) {
        settings.refuseIf(
                !WORD.matcher(text).matches(),
                key,
                "expected 1 to 128 characters without blanks and commas, not (%s)",
                DisplayText.of(text));
        return text;
    }
}
