package org.metasched.it.live;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Settings;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;

/**
 * A scheduler that one of the scripts under {@code test/live} has started: its folder, its {@code site.yaml}, and its own
 * commands, run as an administrator would run them.
 */
final class LiveSite {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();

    private final String name;
    private final Path folder;
    private final AdapterCatalog catalog = AdapterCatalog.ofClassPath();

    private LiveSite(String name, Path folder) {
        this.name = name;
        this.folder = folder;
    }

    /**
     * Skips the test, aloud, when the scheduler has not been started: METASCHED_LIVE_SCHEDULERS names those that have, with
     * commas between them, and METASCHED_LIVE the folder given to the scripts, if it is not the usual one.
     */
    static LiveSite named(String name) {
        String started =
                Optional.ofNullable(System.getenv("METASCHED_LIVE_SCHEDULERS")).orElse("");
        String how = "no live " + name + " here; test/live/start-" + name
                + ".sh starts it, and METASCHED_LIVE_SCHEDULERS has to name it";
        boolean told = List.of(started.split(",")).contains(name);
        if (!told) {
            System.err.println("SKIPPED: " + how);
        }
        assumeTrue(told, how);
        String root = Optional.ofNullable(System.getenv("METASCHED_LIVE")).orElse("/tmp/metasched-live");
        return new LiveSite(name, Path.of(root, name));
    }

    /** One of a test's own, which is not started yet, in a folder that its daemons can see. */
    static LiveSite ownIn(Path root, String name) {
        return new LiveSite(name, root.resolve(name));
    }

    /** @param settings of the script that starts it, in the environment */
    void start(Map<String, String> settings) throws IOException, InterruptedException {
        script("start", settings);
    }

    void stop() throws IOException, InterruptedException {
        script("stop", Map.of());
    }

    /** A daemon that it starts does not keep the output open. */
    private void script(String what, Map<String, String> settings) throws IOException, InterruptedException {
        Path said = Files.createTempFile("live", ".out");
        try {
            Path start = ROOT.resolve("test/live/start-" + name + ".sh");
            var script = new ProcessBuilder(start.toString(), what).redirectErrorStream(true);
            script.environment().put("METASCHED_LIVE", folder.getParent().toString());
            script.environment().putAll(settings);
            Process process = script.redirectOutput(said.toFile()).start();
            if (!process.waitFor(6, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(script.command() + ": " + Files.readString(said));
            }
        } finally {
            Files.deleteIfExists(said);
        }
    }

    Path folder() {
        return folder;
    }

    LocalScheduler open() throws IOException {
        return open(UnaryOperator.identity());
    }

    /** Its {@code site.yaml} as an entry of a server's list of sites. */
    String asListed() throws IOException {
        return "  -"
                + Files.readString(folder.resolve("site.yaml"))
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> "    " + line)
                        .reduce("", (one, other) -> one + other + "\n")
                        .substring(3);
    }

    /** Opens the site with its {@code site.yaml} changed. */
    LocalScheduler open(UnaryOperator<String> change) throws IOException {
        String yaml = change.apply(Files.readString(folder.resolve("site.yaml")));
        var configuration = SiteConfiguration.from(YamlSettings.parse(name + ".yaml", yaml));
        return configuration.open(catalog, Clock.systemUTC());
    }

    /** What an administrator's command prints, both streams; with the environment of {@code site.yaml}, in UTC. */
    String command(String... words) throws IOException, InterruptedException {
        return command(List.of(words));
    }

    String command(List<String> words) throws IOException, InterruptedException {
        Path out = Files.createTempFile("live", ".out");
        try {
            var builder = new ProcessBuilder(new ArrayList<>(words))
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment().putAll(environment());
            List<String> path = path();
            builder.environment().put("PATH", String.join(":", path));
            path.stream()
                    .map(directory -> Path.of(directory, words.get(0)))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .ifPresent(program -> builder.command().set(0, program.toString()));
            builder.directory(new File("/"));
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(words + " did not end within a minute");
            }
            return Files.readString(out);
        } finally {
            Files.deleteIfExists(out);
        }
    }

    /** Directories of its commands. */
    private List<String> path() throws IOException {
        var all = new ArrayList<String>();
        YamlSettings.parse("site.yaml", Files.readString(folder.resolve("site.yaml")))
                .section("run")
                .ifPresent(run -> all.addAll(run.texts("path")));
        all.addAll(List.of(System.getenv("PATH").split(":")));
        return all;
    }

    /** What {@code site.yaml} sets for the commands of the site, and how they are to speak. */
    Map<String, String> environment() throws IOException {
        var all = new HashMap<>(Map.of("TZ", "UTC", "LC_ALL", "C"));
        YamlSettings file = YamlSettings.parse("site.yaml", Files.readString(folder.resolve("site.yaml")));
        file.section("run").flatMap(run -> run.section("environment")).ifPresent(variables -> copy(variables, all));
        return all;
    }

    private static void copy(Settings variables, Map<String, String> into) {
        variables.keys().forEach(key -> into.put(key, variables.requiredText(key)));
    }

    /** Stops one of its daemons in its tracks, or lets it go on. */
    void signal(String daemon, String signal) throws IOException, InterruptedException {
        String pid = Files.readString(folder.resolve("pids").resolve(daemon)).split(" ", 2)[0];
        command("kill", "-" + signal, pid);
    }
}
