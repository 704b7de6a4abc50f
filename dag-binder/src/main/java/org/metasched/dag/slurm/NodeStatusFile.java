package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.classad.Value;
import org.metasched.dag.DagNodes;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunState;
import org.metasched.durable.AtomicFile;

/** The file of {@code NODE_STATUS_FILE}, in condor_dagman's format: an ad of the DAG, one of each node, one of the file. Not thread-safe. */
final class NodeStatusFile {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ROOT);

    private final Optional<Path> file;
    private final long pause;
    private final boolean isAlwaysUpdated;
    private final Path dag;
    private final ReplayedRun replayed;
    private final NodeJobs jobs;
    private final Clock clock;
    private String written = "";
    private long next;

    NodeStatusFile(DagmanPlan plan, ReplayedRun replayed, NodeJobs jobs, Clock clock) {
        Optional<DagNodes.Remark> command = plan.command("NODE_STATUS_FILE");
        String[] words = command.map(DagNodes.Remark::subject).orElse("").split("\\s+");
        this.file = command.map(unused -> plan.top().resolve(words[0].replaceAll("[\"']", "")));
        this.pause = Stream.of(words)
                .skip(1)
                .filter(word -> word.matches("\\d{1,9}"))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(60);
        this.isAlwaysUpdated =
                Stream.of(words).anyMatch(word -> word.replace('_', '-').equalsIgnoreCase("ALWAYS-UPDATE"));
        this.dag = plan.file();
        this.replayed = replayed;
        this.jobs = jobs;
        this.clock = clock;
    }

    /** Writes the file if it is time: when a node has changed since, but not sooner than its pause; at the end always. */
    void update(Optional<DagRun.Ending> ending) throws IOException {
        long now = clock.instant().getEpochSecond();
        if (file.isEmpty() || ending.isEmpty() && now < next) {
            return;
        }
        var text = new StringBuilder();
        replayed.run.nodes().values().forEach(node -> text.append(node(node, ending.isPresent())));
        if (ending.isPresent() || isAlwaysUpdated || !written.contentEquals(text)) {
            written = text.toString();
            next = now + pause;
            AtomicFile.replace(file.get(), whole(now, ending) + written + end(now, ending.isPresent() ? 0 : next));
        }
    }

    private String whole(long now, Optional<DagRun.Ending> ending) {
        String status = ending.map(end -> end.exit() == 0
                        ? "5; /* \"STATUS_DONE (success)\" */"
                        : "6; /* \"STATUS_ERROR (" + note(end.status()) + ")\" */")
                .orElse("3; /* \"STATUS_SUBMITTED ()\" */");
        var idle = replayed.pending.byNode.entrySet().stream()
                .mapToLong(entry -> idle(entry.getKey()))
                .sum();
        return "[\n  Type = \"DagStatus\";\n  DagFiles = {\n    " + quoted(dag.toString()) + "\n  };\n"
                + time("Timestamp", now) + "  DagStatus = " + status + "\n"
                + number("NodesTotal", replayed.run.nodes().size())
                + number("NodesDone", replayed.count(RunState.DONE))
                + number("NodesPre", replayed.count(RunState.PRERUN))
                + number("NodesQueued", replayed.count(RunState.SUBMITTED))
                + number("NodesPost", replayed.count(RunState.POSTRUN))
                + number("NodesReady", replayed.count(RunState.READY))
                + number("NodesUnready", replayed.count(RunState.NOT_READY))
                + number("NodesFutile", replayed.count(RunState.FUTILE))
                + number("NodesFailed", replayed.count(RunState.ERROR))
                + number("JobProcsHeld", 0) + number("JobProcsIdle", idle) + "]\n";
    }

    private static String note(DagRun.Status status) {
        return Map.of(
                        DagRun.Status.ABORT, "aborted",
                        DagRun.Status.CYCLE, "cycle",
                        DagRun.Status.REMOVED, "removed")
                .getOrDefault(status, "failed");
    }

    private String node(RunNode node, boolean isOver) {
        RunState state = node.state();
        boolean isCutOff = isOver && state.ordinal() > 1 && state.ordinal() < RunState.DONE.ordinal();
        long queued = queued(node);
        String details = isCutOff
                ? "Was STATUS_" + state
                : state == RunState.SUBMITTED ? idle(node) == queued ? "idle" : "not_idle" : "";
        RunState shown = isCutOff ? RunState.ERROR : state;
        return "[\n  Type = \"NodeStatus\";\n  Node = " + quoted(node.name()) + ";\n  NodeStatus = " + shown.ordinal()
                + "; /* \"STATUS_" + shown + "\" */\n  StatusDetails = " + quoted(details) + ";\n"
                + number("RetryCount", node.attempt()) + number("JobProcsQueued", isOver ? 0 : queued)
                + number("JobProcsHeld", 0) + "]\n";
    }

    private long queued(RunNode node) {
        PendingAction action = replayed.pending.byNode.get(node);
        return action != null && replayed.pending.isWithSlurm(node, action)
                ? action.missing().size()
                : 0;
    }

    private long idle(RunNode node) {
        return queued(node) == 0
                ? 0
                : Optional.ofNullable(replayed.pending.byNode.get(node)).stream()
                        .flatMap(action -> action.missing().stream())
                        .filter(proc -> !jobs.hasBegun(node, proc))
                        .count();
    }

    private String end(long now, long next) {
        return "[\n  Type = \"StatusEnd\";\n" + time("EndTime", now)
                + (next == 0 ? "  NextUpdate = 0; /* \"none\" */\n" : time("NextUpdate", next)) + "]\n";
    }

    private String time(String name, long seconds) {
        return "  " + name + " = " + seconds + "; /* \""
                + TIME.format(Instant.ofEpochSecond(seconds).atZone(clock.getZone())) + "\" */\n";
    }

    private static String number(String name, long value) {
        return "  " + name + " = " + value + ";\n";
    }

    private static String quoted(String text) {
        return Value.Text.of(text).print();
    }
}
