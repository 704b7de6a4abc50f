package org.metasched.adapter.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.metasched.adapter.SettableClock;

/**
 * A scheduler's command line, played by the programs under {@code test/standins}, and the clock it goes by. The adapter
 * runs its commands exactly as it would run the real ones.
 */
public final class StandIn {

    private final Path folder;
    private final int nodes;
    private final int cores;
    private final SettableClock clock;

    private StandIn(Path folder, int nodes, int cores, SettableClock clock) {
        this.folder = folder;
        this.nodes = nodes;
        this.cores = cores;
        this.clock = clock;
    }

    /** Compiles and installs it; takes seconds. */
    public static StandIn install(String kind, Path folder, int nodes, int cores, String now) throws Exception {
        Path root = Path.of(System.getProperty("metasched.root", "."));
        Path script = root.resolve("test/standins/install.sh");
        execute(List.of(
                "sh", script.toString(), kind, folder.toString(), String.valueOf(nodes), String.valueOf(cores)));
        var standIn = new StandIn(folder, nodes, cores, SettableClock.at(now));
        standIn.startAfresh(now);
        return standIn;
    }

    /** No jobs, no reservations, all nodes up. */
    public void startAfresh(String instant) throws Exception {
        Files.deleteIfExists(folder.resolve("state"));
        operate("init", String.valueOf(nodes), String.valueOf(cores));
        clock.set(Instant.parse(instant));
        operate("clock", String.valueOf(clock.instant().getEpochSecond()));
    }

    /** Plays the operator: {@code node n2 offline}, {@code job run1 2 4 600}, {@code mishap down}. */
    public void operate(String... words) throws Exception {
        var command = new ArrayList<>(List.of(folder.resolve("bin/standin").toString()));
        command.addAll(List.of(words));
        execute(command);
    }

    public void advance(Duration time) {
        clock.advance(time);
        try {
            operate("clock", String.valueOf(clock.instant().getEpochSecond()));
        } catch (Exception e) {
            throw new IllegalStateException("The clock of the stand-in cannot be set.", e);
        }
    }

    /** A {@code run:} setting that finds the stand-in's commands first. */
    public String runSetting() {
        return "run: {path: ['" + folder.resolve("bin") + "'], timeout: 60s}";
    }

    public Path folder() {
        return folder;
    }

    private static void execute(List<String> command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException(command + " failed: " + output);
        }
    }

    /** The time of the scheduler that is played. */
    public Clock clock() {
        return clock;
    }
}
