package org.metasched.simulation.scenario;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.metasched.adapter.Settings;
import org.metasched.adapter.policy.PolicySettings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.simulated.SwfFormatException;
import org.metasched.adapter.simulated.SwfTrace;

/** The files that a scenario names: policies, and traces, each of which is read once. Fetches nothing. Not thread-safe. */
final class ScenarioTraces {

    private final Path folder;
    private final Map<String, Path> named;
    private final Map<Path, SwfTrace> read = new HashMap<>();
    /** The files of the traces that the present scenario names, by these names; the reader clears it before it reads another scenario. */
    final Map<String, Path> used = new TreeMap<>();

    /** For each site with jobs that do not fit, a sentence about them. */
    private final Map<String, String> leftOut = new TreeMap<>();

    /**
     * @param folder folder from which relative paths count
     * @param named files of traces by the names that the scenario uses for them
     */
    ScenarioTraces(Path folder, Map<String, Path> named) {
        this.folder = folder;
        this.named = named;
    }

    /** The trace that the setting names, or whose path it is. */
    SwfTrace of(Settings settings, String key, String name) {
        var file = named.get(name);
        try {
            var path = file != null ? file : folder.resolve(name);
            used.put(name, path);
            var known = read.get(path);
            if (known == null) {
                known = SwfTrace.read(path);
                read.put(path, known);
            }
            return known;
        } catch (NoSuchFileException e) {
            throw settings.invalid(
                    key,
                    file != null
                            ? "the trace (" + file + ") does not exist"
                            : "there is no trace (" + name + ")\nMaybe give its file: --trace " + name
                                    + "=FILE.swf.gz.");
        } catch (IOException | InvalidPathException e) {
            throw settings.invalid(key, "the trace (" + name + ") cannot be read: " + e.getMessage());
        } catch (SwfFormatException e) {
            throw settings.invalid(key, String.valueOf(e.getMessage()));
        }
    }

    /** Notes the number of jobs in the workload of a site that need more nodes than it has. */
    void leaveOut(String site, int nodes, int jobs) {
        if (jobs > 0) {
            leftOut.put(
                    site,
                    "warning: The site (" + site + ") has " + nodes + " nodes; " + jobs
                            + " jobs of its workload need more and are left out.");
        }
    }

    List<String> warnings() {
        var impossible = read.values().stream()
                .filter(trace -> trace.impossibleRuns() > 0)
                .map(trace -> "warning: The trace (" + trace.name() + ") has " + trace.impossibleRuns()
                        + " jobs with a negative run time; it counts as unknown, so they are left out.")
                .sorted();
        return Stream.concat(impossible, leftOut.values().stream()).toList();
    }

    /** The rules under {@code policy:} in the file of a site that the setting names. */
    Optional<PolicySettings> policy(Settings settings) {
        return settings.text("policy").map(name -> {
            var file = YamlSettings.read(folder.resolve(name));
            return PolicySettings.withoutLedger(
                    file.section("policy").orElseThrow(() -> file.invalid("policy", "expected the rules of a site")));
        });
    }

    /** Jobs with a value in a column, written {@code queue=3}; all when the setting is missing. */
    static Optional<Predicate<SwfTrace.Job>> column(Settings settings, String key) {
        return settings.text(key).map(text -> {
            var parts = text.split("=", 2);
            if (parts.length != 2 || !parts[1].strip().matches("-?\\d{1,12}")) {
                throw settings.invalid(key, "expected a column and a number, such as queue=3, not (" + text + ")");
            }
            long value = Long.parseLong(parts[1].strip());
            return switch (parts[0].strip()) {
                case "queue" -> job -> job.queue() == value;
                case "partition" -> job -> job.partition() == value;
                case "user" -> job -> job.user() == value;
                case "status" -> job -> job.status() == value;
                default ->
                    throw settings.invalid(
                            key, "expected queue, partition, user or status before '=', not (" + parts[0] + ")");
            };
        });
    }
}
