package org.metasched.simulation.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.Settings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.choice.Preference;
import org.metasched.negotiation.NegotiationBudget;

/**
 * Reads the scenarios of one file. Each error is an {@link org.metasched.adapter.InvalidSettingException} that begins with
 * {@code file:line:column}. Keeps the traces that it has read; not thread-safe.
 */
public final class ScenarioReader {

    private static final Set<String> KEYS =
            Set.of(("name seed begin length warm-up cut baseline policy step padding prefer lead attempts"
                            + " rounds sites streams sweep")
                    .split(" "));
    private static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");

    private final Path file;
    private final Settings settings;
    private final ScenarioTraces traces;

    private ScenarioReader(Path file, Map<String, Path> traces) {
        this.file = file;
        this.settings = YamlSettings.read(file);
        var folder = file.toAbsolutePath().getParent();
        this.traces = new ScenarioTraces(folder == null ? Path.of("") : folder, traces);
    }

    /**
     * Opens a scenario file.
     *
     * @param traces files of traces by the names that the scenario uses for them
     */
    public static ScenarioReader open(Path file, Map<String, Path> traces) {
        return new ScenarioReader(file, traces);
    }

    /** Values of a sweep by the dotted path of the setting, in the order of the file; empty when there is no sweep. */
    public Map<String, List<String>> sweep() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        settings.section("sweep").ifPresent(sweep -> {
            for (var path : sweep.keys()) {
                var texts = sweep.texts(path);
                sweep.refuseIf(texts.isEmpty(), path, "expected a list of one value or more");
                values.put(path, texts);
            }
        });
        return values;
    }

    /**
     * Reads the scenario.
     *
     * @param alterations new values by dotted path, such as {@code streams.meta.share}
     */
    public Scenario read(Map<String, String> alterations) {
        traces.used.clear();
        alterations.keySet().forEach(ScenarioReader::refuseSweep);
        var altered = alterations.isEmpty() ? settings : new AlteredSettings(settings, "", alterations);
        altered.allowOnly(KEYS);
        var length = altered.duration("length");
        var sites = sites(altered, length);
        var streams = new ArrayList<StreamScenario>();
        altered.section("streams")
                .ifPresent(section -> section.keys()
                        .forEach(name -> streams.add(new StreamReader(traces, sites)
                                .read(name, section.section(name).orElseThrow()))));
        var policy = policy(altered);
        altered.refuseIf(
                policy instanceof StartSearchPolicy.Padded && streams.stream().anyMatch(StreamScenario::chain),
                "policy",
                "padded is for parts that begin together, and a stream has the order 'chain'");
        var total = length.orElseGet(() -> lastSubmission(sites));
        var warmUp = altered.notNegativeDuration("warm-up", Duration.ZERO);
        var cut = altered.notNegativeDuration("cut", Duration.ZERO);
        if (warmUp.plus(cut).compareTo(total) >= 0) {
            throw altered.invalid(
                    Stream.of("warm-up", "cut")
                            .filter(altered.keys()::contains)
                            .findFirst()
                            .orElse("sites"),
                    "nothing is left to measure of the length (" + total + ") after warm-up (" + warmUp + ") and cut ("
                            + cut + ")");
        }
        return new Scenario(
                altered.text("name").orElse(String.valueOf(file.getFileName()).replaceAll("\\.ya?ml$", "")),
                altered.number("seed").orElse(1),
                begin(altered),
                total,
                warmUp,
                cut,
                altered.flag("baseline").orElse(true),
                policy,
                budget(altered),
                sites,
                streams,
                alterations);
    }

    private static void refuseSweep(String path) {
        if (path.equals("sweep") || path.startsWith("sweep.")) {
            throw new InvalidSettingException("--set " + path + ": the sweep is read from the file only"
                    + "\nMaybe --set PATH=VALUE was meant: a path given so is no longer swept.");
        }
    }

    /** The files of the traces in the scenario that was read last, by the names or paths that it uses for them. */
    public Map<String, Path> traceFiles() {
        return Map.copyOf(traces.used);
    }

    /** Sentences about jobs that the traces read so far have and no run can replay. */
    public List<String> warnings() {
        return traces.warnings();
    }

    private List<SiteScenario> sites(Settings altered, Optional<Duration> length) {
        var section = altered.section("sites");
        altered.refuseIf(section.isEmpty() || section.get().keys().isEmpty(), "sites", "expected one site or more");
        var sites = new ArrayList<SiteScenario>();
        for (var name : section.get().keys()) {
            var site = section.get().section(name).orElseThrow();
            sites.add(new SiteReader(traces, altered.number("seed").orElse(1)).read(name, site, length));
        }
        return sites;
    }

    private static Duration lastSubmission(List<SiteScenario> sites) {
        long last = sites.stream()
                .flatMap(site -> site.workload().jobs().stream())
                .mapToLong(LocalJob::submitSeconds)
                .max()
                .orElse(0);
        return Duration.ofSeconds(last + 1);
    }

    private static Instant begin(Settings settings) {
        var text = settings.text("begin");
        try {
            return text.map(Instant::parse).orElse(BEGIN);
        } catch (DateTimeParseException e) {
            throw settings.invalid("begin", "expected an instant such as " + BEGIN + ", not (" + text.orElse("") + ")");
        }
    }

    private static StartSearchPolicy policy(Settings settings) {
        return switch (settings.oneOf("policy", "windows", "listing1", "choice", "gang", "trial-and-error", "padded")) {
            case "windows" -> new StartSearchPolicy.Windows();
            case "listing1" -> new StartSearchPolicy.ListingOne();
            case "choice" -> new StartSearchPolicy.ChoiceInTime(preference(settings));
            case "gang" -> new StartSearchPolicy.GangFirst();
            case "trial-and-error" ->
                new StartSearchPolicy.TrialAndError(settings.duration("step")
                        .filter(step -> step.toSeconds() >= 1)
                        .orElseThrow(() -> settings.invalid(
                                "policy", "trial-and-error needs 'step', the time between two tries, of 1s or more")));
            default ->
                new StartSearchPolicy.Padded(
                        ScenarioNumbers.number(settings, "padding", 1, 1000)
                                .orElseThrow(
                                        () -> settings.invalid(
                                                "policy",
                                                "padded needs 'padding', by how much reservations are longer than the job, of 1 or more")));
        };
    }

    private static Preference preference(Settings settings) {
        return Preference.of(settings.oneOf("prefer", "start", "rank", "cost")).orElseThrow();
    }

    private static NegotiationBudget budget(Settings settings) {
        return new NegotiationBudget(
                settings.notNegativeDuration("lead", Duration.ofSeconds(10)),
                settings.number("rounds", 1, 1_000_000).orElse(100_000),
                settings.number("attempts", 1, 1_000_000).orElse(8),
                Duration.ofDays(1),
                Duration.ZERO);
    }
}
