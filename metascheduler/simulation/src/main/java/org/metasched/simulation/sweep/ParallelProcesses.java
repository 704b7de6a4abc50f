package org.metasched.simulation.sweep;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs command lines in parallel on this machine, at most a given number at once. The output of each goes to its log. For one use, by one thread. */
public final class ParallelProcesses {

    /** Characters of a failed process's output that are reported. */
    private static final int LONGEST_TAIL = 2000;

    private final int most;
    private final Map<Path, Process> running = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    public ParallelProcesses(int most) {
        this.most = most;
    }

    /**
     * A command line to run.
     *
     * @param log file for the output, another one for each order; deleted when the process succeeds
     */
    public record Order(List<String> command, Path log) {}

    /**
     * Runs all processes, also after one has failed. An interrupt ends those that run.
     *
     * @param progress receives the number of processes that have ended so far
     * @return for each process that failed: its log, exit code and the end of its output
     */
    public List<String> run(List<Order> orders, Consumer<Integer> progress) throws IOException, InterruptedException {
        var waiting = new ArrayDeque<>(orders);
        int ended = 0;
        try {
            while (!waiting.isEmpty() || !running.isEmpty()) {
                while (running.size() < most && !waiting.isEmpty()) {
                    var order = waiting.remove();
                    running.put(
                            order.log(),
                            new ProcessBuilder(order.command())
                                    .redirectErrorStream(true)
                                    .redirectOutput(order.log().toFile())
                                    .start());
                }
                waitForOne();
                progress.accept(++ended);
            }
            return failures;
        } finally {
            running.values().forEach(Process::destroy);
        }
    }

    private void waitForOne() throws IOException, InterruptedException {
        while (true) {
            for (var entry : running.entrySet()) {
                if (entry.getValue().waitFor(50, TimeUnit.MILLISECONDS)) {
                    running.remove(entry.getKey());
                    recordEnd(entry.getKey(), entry.getValue().exitValue());
                    return;
                }
            }
        }
    }

    private void recordEnd(Path log, int exit) throws IOException {
        if (exit == 0) {
            Files.deleteIfExists(log);
            return;
        }
        // The output may be in the encoding of the locale: what is not UTF-8 is replaced.
        String output = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip();
        failures.add(log + " (exit " + exit + "): "
                + (output.length() > LONGEST_TAIL ? output.substring(output.length() - LONGEST_TAIL) : output));
    }
}
