package org.metasched.simulation.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs command lines beside each other on this machine, so many at once. What one prints goes to its log. */
public final class ParallelProcesses {

    private static final int LONGEST_TAIL = 2000;

    private final int most;
    private final Map<Path, Process> running = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    public ParallelProcesses(int most) {
        this.most = most;
    }

    /** @param log is removed when the process succeeds */
    public record Order(List<String> command, Path log) {}

    /**
     * Runs all of them, also after one has failed. When it is interrupted, those that run are ended.
     *
     * @param over is told the number of those that have ended
     * @return what those that failed said
     */
    public List<String> run(List<Order> orders, Consumer<Integer> over) throws IOException, InterruptedException {
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
                ended += waitForOne();
                over.accept(ended);
            }
            return failures;
        } finally {
            running.values().forEach(Process::destroy);
        }
    }

    private int waitForOne() throws IOException, InterruptedException {
        while (true) {
            for (var entry : running.entrySet()) {
                if (entry.getValue().waitFor(50, TimeUnit.MILLISECONDS)) {
                    running.remove(entry.getKey());
                    settle(entry.getKey(), entry.getValue().exitValue());
                    return 1;
                }
            }
        }
    }

    private void settle(Path log, int exit) throws IOException {
        if (exit == 0) {
            Files.deleteIfExists(log);
            return;
        }
        String said = Files.readString(log).strip();
        failures.add(log + " (exit " + exit + "): "
                + (said.length() > LONGEST_TAIL ? said.substring(said.length() - LONGEST_TAIL) : said));
    }
}
