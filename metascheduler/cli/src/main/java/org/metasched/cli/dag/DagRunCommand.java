package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.Dag;
import org.metasched.dag.DagParser;
import org.metasched.dag.InheritedVariables;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.life.DagStatus;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;
import org.metasched.dag.slurm.DagSlurmCommands;
import org.metasched.dag.slurm.DagmanPlan;
import org.metasched.dag.slurm.DagmanRun;
import org.metasched.dag.slurm.RunnerJob;
import org.metasched.dag.slurm.SlurmException;
import org.metasched.dag.slurm.SlurmProcesses;
import org.metasched.dag.slurm.UnsupportedFeaturesException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched dag run}: runs a bound DAG on Slurm, here or as a job of Slurm. */
@Command(
        name = "run",
        description = {
            "Runs a bound DAG on Slurm, node by node, as condor_dagman does. Its runner is a job of Slurm, or with --follow"
                    + " this process.",
            "What cannot be honoured is refused by name (exit 2) before anything is submitted. With --wait it exits"
                    + " with 1 if nodes",
            "failed; a rescue file says then what is done, and running it again goes on from there."
        })
final class DagRunCommand extends PrintingCommand implements Callable<Integer> {

    /** Time to wait for the lock: longer than a file system keeps that of a machine that is gone. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    @Mixin
    private RunArguments how = new RunArguments();

    @Option(names = "--as-runner", hidden = true, description = "The name of the runner's job that this process is.")
    private @Nullable String asRunner;

    @Option(names = "--wait", description = "Wait until the DAG has ended.")
    private boolean wait;

    @Option(names = "--dry-run", description = "Show the command that would be run; write and submit nothing.")
    private boolean dryRun;

    @Parameters(paramLabel = "DIR", completionCandidates = Completions.Dags.class, description = "A bound DAG.")
    private Path directory = Path.of("");

    @Override
    public Integer call() {
        how.check();
        try {
            return run();
        } catch (UnsupportedFeaturesException e) {
            e.problems().forEach(problem -> output.err().println(problem.toString()));
            output.err().flush();
            throw ExitCodeException.badInput("The DAG in (" + directory + ") cannot be run by Slurm as it is written."
                    + " Nothing has been submitted.");
        } catch (SlurmException e) {
            throw ExitCodeException.outside(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw ExitCodeException.badInput(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ExitCodeException.outside(
                    "The waiting was interrupted; the jobs of the DAG in (" + directory + ") go on.");
        }
    }

    private int run() throws IOException, UnsupportedFeaturesException, InterruptedException {
        Path top = directory.toAbsolutePath().normalize();
        if (!dryRun) {
            SiteChoice.recover(top);
        }
        BindingRecord record = BindingRecord.find(top)
                .orElseThrow(() -> ExitCodeException.badInput("The directory (" + directory + ") holds no bound DAG: "
                        + BindingRecord.FILE + " is not there.\nMaybe dag bind has to be run first, with --out."));
        Path dag = top.resolve(record.origin().dag());
        if (Files.exists(top.resolve(record.origin().dag() + ".lock"))) {
            throw ExitCodeException.no("A condor_dagman runs the DAG in (" + directory + "): it has its lock.");
        }
        DagSlurmCommands commands = DagSlurmCommands.of(how.sbatch);
        var job = new RunnerJob(top, new SlurmProcesses(), commands);
        Dag graph = new DagParser().parse(dag).dag();
        // Other users may read the runner's script, so it has no token.
        var inherited = InheritedVariables.usual(System.getenv())
                .and(graph.environmentPatterns())
                .and(List.of("!BEARER_TOKEN"));
        DagmanPlan plan = DagmanPlan.of(
                dag,
                inherited.with(record.environment()),
                new DagmanPlan.Demands(how.without, how.config(), record.hasApptainer()),
                Clock.systemUTC().instant());
        plan.warnings().forEach(warning -> output.say("warning: " + warning));
        DagStatus before = DagOverview.of(directory).status();
        long toRun = before.states().size() - before.count(RunState.DONE);
        if (how.follow && dryRun) {
            output.print(
                    result("planned", before, toRun, "", plan, Optional.of(List.of())),
                    toRun + " of " + before.states().size() + " nodes would be run, followed by this process");
            return 0;
        }
        if (how.follow) {
            return follow(plan, dag, job, commands);
        }
        var program = new RunnerJob.Program(
                how.launcher(),
                Path.of(System.getProperty("java.home"), "bin", "java"),
                how.words(),
                inherited.with(Map.of()),
                how.runner);
        if (dryRun) {
            String shown = String.join(" ", job.rehearse(program));
            output.print(result("planned", before, toRun, "", plan, Optional.of(List.of(shown))), shown);
            return 0;
        }
        DagResumeCommand.takeMatch(top);
        String number = submit(dag, job, program);
        output.say("Slurm's job " + number + " runs " + toRun + " of "
                + before.states().size() + " nodes.");
        if (wait) {
            return ended(DagWaitCommand.awaitEnd(directory, how.poll), toRun, number, plan);
        }
        output.print(
                result("submitted", before, toRun, number, plan, Optional.empty()),
                "submitted, the runner is job " + number);
        return 0;
    }

    private String submit(Path dag, RunnerJob job, RunnerJob.Program program) throws IOException {
        try (Closeable lock = job.folder().lock(Duration.ZERO)) {
            refuseIfUnderWay(dag, job);
            how.write(directory);
            return job.submit(program);
        }
    }

    private int follow(DagmanPlan plan, Path dag, RunnerJob job, DagSlurmCommands commands)
            throws IOException, InterruptedException {
        if (asRunner == null) {
            DagResumeCommand.takeMatch(plan.top());
        }
        try (Closeable lock = job.folder().lock(asRunner == null ? Duration.ZERO : TIMEOUT)) {
            if (asRunner == null) {
                refuseIfUnderWay(dag, job);
                job.forget();
                how.write(plan.top());
            } else if (!job.name().equals(Optional.of(asRunner))) {
                throw ExitCodeException.no("The DAG in (" + directory + ") is not for the job (" + asRunner
                        + ") to run: its run has ended, or another runner has taken over.");
            }
            // Apart from the number of jobs, the usual options.
            var options = new RunOptions(false, 0, how.maxJobs, false, false, true);
            var run = new DagmanRun(
                    plan,
                    new SlurmProcesses(),
                    commands,
                    Optional.ofNullable(how.reservation),
                    options,
                    Clock.systemUTC());
            DagRun.Ending ending = run.toTheEnd(Duration.ofSeconds(how.poll));
            output.print(
                    new Followed(ending.exit(), ending.status(), run.rescueFile(), run.states()),
                    "ended with " + ending.exit() + " (" + ending.status() + ")");
            run.rescueFile().ifPresent(file -> output.say("written: " + file));
            return ending.exit();
        }
    }

    private void refuseIfUnderWay(Path dag, RunnerJob job) throws IOException {
        String name = String.valueOf(dag.getFileName());
        if (DagProgress.of(directory, name) == DagProgress.FINISHED) {
            throw ExitCodeException.no(
                    "The DAG in (" + directory + ") has run to its end already.\nMaybe it is to run again: remove "
                            + DagProgress.FINISHED_MARK + ", " + name + ".metrics and its rescue files there.");
        }
        Optional<String> number = job.queued();
        if (number.isPresent()) {
            throw ExitCodeException.no("The DAG in (" + directory + ") is under way: its runner is Slurm's job ("
                    + number.get() + ").\nMaybe dag wait waits for it, or dag cancel ends it.");
        }
    }

    private int ended(DagOverview overview, long toRun, String number, DagmanPlan plan) {
        DagStatus status = overview.status();
        boolean isFinished = status.progress() == DagProgress.FINISHED;
        output.print(
                result(isFinished ? "finished" : "stopped", status, toRun, number, plan, Optional.empty()),
                String.join("; ", overview.lines()));
        if (isFinished) {
            return 0;
        }
        if (status.isInterrupted()) {
            throw ExitCodeException.no("The runner of the DAG in (" + directory + ") has ended before its DAG. "
                    + status.problem().orElse("") + "\nMaybe dag resume goes on with it.");
        }
        throw ExitCodeException.no(
                "Nodes have failed: " + String.join(", ", failed(status)) + ".\nMaybe their logs in ("
                        + directory.resolve(".metasched-slurm") + ") say why. Run it again to go on from there.");
    }

    /** The end of a run that this process has followed. */
    private record Followed(
            int exit,
            DagRun.Status status,
            @JsonInclude(Include.NON_ABSENT) Optional<Path> rescue,
            Map<String, RunState> nodes) {}

    /**
     * A run by a job of Slurm, as far as it is known.
     *
     * @param state {@code planned}, {@code submitted}, {@code finished} or {@code stopped}
     * @param submitted number of nodes that were to be run
     * @param jobs numbers of Slurm's jobs, by their nodes
     * @param lastJob number of the runner's job; empty if there is none
     * @param commands with {@code --dry-run}, the command that would submit the runner's job
     */
    private record Submitted(
            String state,
            Path directory,
            String site,
            int nodes,
            long submitted,
            Map<String, String> jobs,
            String lastJob,
            List<String> warnings,
            @JsonInclude(Include.NON_ABSENT) Optional<List<String>> commands,
            @JsonInclude(Include.NON_ABSENT) Optional<Long> done,
            @JsonInclude(Include.NON_ABSENT) Optional<List<String>> failed,
            @JsonInclude(Include.NON_ABSENT) Optional<Path> rescue) {}

    private static Submitted result(
            String state,
            DagStatus status,
            long toRun,
            String number,
            DagmanPlan plan,
            Optional<List<String>> commands) {
        boolean isStopped = state.equals("stopped");
        return new Submitted(
                state,
                status.directory(),
                status.binding().site(),
                status.states().size(),
                toRun,
                status.jobs(),
                number,
                plan.warnings(),
                commands,
                isStopped || state.equals("finished") ? Optional.of(status.count(RunState.DONE)) : Optional.empty(),
                isStopped ? Optional.of(failed(status)) : Optional.empty(),
                isStopped ? status.rescue() : Optional.empty());
    }

    private static List<String> failed(DagStatus status) {
        return status.states().entrySet().stream()
                .filter(node -> node.getValue() == RunState.ERROR)
                .map(Map.Entry::getKey)
                .toList();
    }
}
