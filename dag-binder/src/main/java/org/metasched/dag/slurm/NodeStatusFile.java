package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.classad.Value;
import org.metasched.dag.DagNodes;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunState;
import org.metasched.durable.AtomicFile;

/**
 * The file of {@code NODE_STATUS_FILE}, in condor_dagman's format: an ad of the DAG, one of each node, one of the file. Not thread-safe.
 */
final class NodeStatusFile {

    private static final String USUAL_PAUSE = "60";
    /** The counts of nodes in the DAG's ad: the name of each and the state. */
    private static final String[] COUNTS =
            "Done:DONE Pre:PRERUN Queued:SUBMITTED Post:POSTRUN Ready:READY Unready:NOT_READY Futile:FUTILE Failed:ERROR"
                    .split(" ");

    private final Optional<Path> file;
    private final String[] words;
    private final Path dag;
    private final ReplayedRun replayed;
    private final NodeJobs jobs;
    private final Clock clock;
    private String written = "";
    /** The earliest time of the next write, in seconds since 1970. */
    private long nextWrite;
    /** The number of procs that wait in the queue, counted while the nodes' ads are made. */
    private long idle;

    NodeStatusFile(DagmanPlan plan, ReplayedRun replayed, NodeJobs jobs, Clock clock) {
        Optional<DagNodes.RunnerCommand> command = plan.command("NODE_STATUS_FILE");
        this.words = command.map(DagNodes.RunnerCommand::subject).orElse("").split("\\s+");
        this.file = command.map(asked -> plan.top().resolve(words[0].replaceAll("[\"']", "")));
        this.dag = plan.file;
        this.replayed = replayed;
        this.jobs = jobs;
        this.clock = clock;
    }

    private String option(String pattern, String usual) {
        return Stream.of(words)
                .skip(1)
                .filter(word -> word.matches(pattern))
                .findFirst()
                .orElse(usual);
    }

    /** Writes the file at the end; before, only if the pause is over, and a node has changed or ALWAYS-UPDATE is given. */
    void update(Optional<DagRun.Ending> ending) throws IOException {
        long now = clock.instant().getEpochSecond();
        if (file.isEmpty() || ending.isEmpty() && now < nextWrite) {
            return;
        }
        idle = 0;
        var text = new StringBuilder();
        replayed.run.nodes().values().forEach(node -> text.append(nodeAd(node, ending.isPresent())));
        boolean isForced =
                ending.isPresent() || !option("(?i)ALWAYS[-_]UPDATE", "").isEmpty();
        if (isForced || !written.contentEquals(text)) {
            written = text.toString();
            nextWrite = now + Long.parseLong(option("\\d{1,9}", USUAL_PAUSE));
            String end = line("EndTime", now) + line("NextUpdate", ending.isPresent() ? 0 : nextWrite);
            AtomicFile.replace(file.get(), dagAd(now, ending) + written + ad("StatusEnd", end));
        }
    }

    private String dagAd(long now, Optional<DagRun.Ending> ending) {
        var text = new StringBuilder("  DagFiles = {\n    " + quoted(dag.toString()) + "\n  };\n");
        text.append(line("Timestamp", now)).append("  DagStatus = ");
        text.append(ending.map(NodeStatusFile::status).orElse("3; /* \"STATUS_SUBMITTED ()\" */"));
        text.append('\n').append(line("NodesTotal", replayed.run.nodes().size()));
        for (String count : COUNTS) {
            String[] names = count.split(":");
            text.append(line("Nodes" + names[0], replayed.run.count(RunState.valueOf(names[1]))));
        }
        return ad("DagStatus", text + line("JobProcsHeld", 0) + line("JobProcsIdle", idle));
    }

    private static String status(DagRun.Ending ending) {
        if (ending.exit() == 0) {
            return "5; /* \"STATUS_DONE (success)\" */";
        }
        String note = ending.status().name().toLowerCase(java.util.Locale.ROOT);
        return "6; /* \"STATUS_ERROR ("
                + (note.matches("cycle|removed") ? note : note.equals("abort") ? "aborted" : "failed") + ")\" */";
    }

    private String nodeAd(RunNode node, boolean isOver) {
        RunState state = node.state();
        boolean isCutOff =
                isOver && (state == RunState.PRERUN || state == RunState.SUBMITTED || state == RunState.POSTRUN);
        RunState shown = isCutOff ? RunState.ERROR : state;
        PendingAction action = replayed.pending.byNode.get(node);
        var queued = !isOver && action != null && replayed.pending.isWithSlurm(node, action)
                ? action.missing()
                : List.<Integer>of();
        long waiting =
                queued.stream().filter(proc -> !jobs.hasBegun(node, proc)).count();
        idle += waiting;
        String details = isCutOff
                ? "Was STATUS_" + state
                : state != RunState.SUBMITTED ? "" : waiting == queued.size() ? "idle" : "not_idle";
        return ad(
                "NodeStatus",
                "  Node = " + quoted(node.name()) + ";\n  NodeStatus = " + shown.ordinal() + "; /* \"STATUS_" + shown
                        + "\" */\n  StatusDetails = " + quoted(details) + ";\n" + line("RetryCount", node.attempt())
                        + line("JobProcsQueued", queued.size()) + line("JobProcsHeld", 0));
    }

    private static String ad(String type, String lines) {
        return "[\n  Type = " + quoted(type) + ";\n" + lines + "]\n";
    }

    private static String line(String name, long value) {
        return "  " + name + " = " + value + ";\n";
    }

    private static String quoted(String text) {
        return Value.Text.of(text).print();
    }
}
