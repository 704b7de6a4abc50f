package org.metasched.cli.dag;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.dag.DagParser;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.run.DagRun;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.slurm.FollowedPlan;
import org.metasched.dag.slurm.FollowedRun;
import org.metasched.dag.slurm.InheritedEnvironment;
import org.metasched.dag.slurm.SlurmCommands;
import org.metasched.dag.slurm.SlurmException;
import org.metasched.dag.slurm.SlurmPlan;
import org.metasched.dag.slurm.SlurmProcesses;
import org.metasched.dag.slurm.SlurmRun;
import org.metasched.dag.slurm.SlurmRun.Ending;
import org.metasched.dag.slurm.SlurmSubmission;
import org.metasched.dag.slurm.SlurmSubmission.Submitted;
import org.metasched.dag.slurm.UnsupportedBySlurmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched dag run}: hands a bound DAG to Slurm. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Hands a bound DAG to Slurm: a job for each node, dependent on those of its parents.",
            "What Slurm cannot honour is refused by name (exit 2) before anything is submitted. With --wait it exits"
                    + " with 1 if nodes",
            "failed; a rescue file says then what is done, and running it again goes on from there."
        })
final class DagRunCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--sbatch",
            paramLabel = "WORDS",
            split = ",",
            description = "How sbatch is called, with commas between the words, as in sbatch,--partition=x.")
    private List<String> sbatch = List.of("sbatch");

    @Option(
            names = "--reservation",
            paramLabel = "NAME",
            description = "Run in this reservation, as that of an agreement.")
    private String reservation;

    @Option(
            names = "--without",
            paramLabel = "COMMAND",
            split = ",",
            description =
                    "Leave out commands that Slurm cannot honour and that do not change the results, as in priority.")
    private Set<String> without = new TreeSet<>();

    @Option(
            names = "--follow",
            description = {
                "Stay and run the DAG node by node: with ABORT-DAG-ON, FINAL, SERVICE, categories, priorities, weak"
                        + " dependencies,",
                "TOLERANCE and DEFER, which dependencies of Slurm cannot say. Killed anywhere, the same command goes"
                        + " on.",
                "Exits as condor_dagman does."
            })
    private boolean follow;

    @Option(
            names = "--maxjobs",
            paramLabel = "N",
            description = "With --follow: nodes that may have jobs at once; 0, the default: any number.")
    private int maxJobs;

    @Option(names = "--wait", description = "Wait until the DAG has ended.")
    private boolean wait;

    @Option(names = "--poll", paramLabel = "SECONDS", description = "How often to look while waiting. Default: 2.")
    private int poll = 2;

    @Option(names = "--dry-run", description = "Show the commands that would be run; write and submit nothing.")
    private boolean dryRun;

    @Parameters(
            index = "0",
            paramLabel = "DIR",
            completionCandidates = Completions.Dags.class,
            description = "A directory made by dag bind.")
    private Path directory;

    @Override
    public Integer call() {
        if (poll < 1) {
            throw Failure.badInput("The pause between two looks (" + poll + ") must be at least 1 second.");
        }
        try {
            return run();
        } catch (UnsupportedBySlurmException e) {
            e.problems().forEach(problem -> output.err().println(problem.toString()));
            output.err().flush();
            throw Failure.badInput("The DAG in (" + directory + ") cannot be run by Slurm as it is written."
                    + " Nothing has been submitted.");
        } catch (SlurmException e) {
            throw Failure.world(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Failure.badInput(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.world("The waiting was interrupted; the jobs of the DAG in (" + directory + ") go on.");
        }
    }

    private int run() throws IOException, UnsupportedBySlurmException, InterruptedException {
        Path top = directory.toAbsolutePath().normalize();
        SiteChoice.recover(top);
        BindingRecord record = BindingRecord.find(top)
                .orElseThrow(() -> Failure.badInput("The directory (" + directory + ") holds no bound DAG: "
                        + BindingRecord.FILE + " is not there.\nMaybe dag bind has to be run first, with --out."));
        Path dag = top.resolve(record.origin().dag());
        if (Files.exists(top.resolve(record.origin().dag() + ".lock"))) {
            throw Failure.no("A condor_dagman runs the DAG in (" + directory + "): it has its lock.");
        }
        SlurmCommands commands = SlurmCommands.of(sbatch);
        Map<String, String> environment =
                InheritedEnvironment.of(new DagParser().parse(dag).dag(), System.getenv(), record.environment());
        if (follow) {
            return follow(dag, environment, commands);
        }
        if (dryRun) {
            return rehearse(
                    SlurmPlan.of(dag, environment, without, Clock.systemUTC().instant()), commands, record);
        }
        DagResumeCommand.takeMatch(top);
        SlurmProcesses client = new SlurmProcesses();
        SlurmRun run = new SlurmRun(dag, client, commands);
        SlurmPlan plan;
        Submitted submitted;
        try (Closeable lock = run.lock()) {
            if (run.endCutOffSubmission()) {
                output.say("An earlier submission was cut off; its jobs were cancelled, and none of them had run.");
            }
            refuseIfUnderWay(run);
            if (run.isFollowed()) {
                throw Failure.no("A run of the DAG in (" + directory
                        + ") that was followed has not ended.\nMaybe --follow," + " or dag resume, goes on with it.");
            }
            RunWords.write(top, words());
            run.rescueEarlierRun(Clock.systemUTC()).ifPresent(file -> output.say("written: " + file));
            plan = SlurmPlan.of(dag, environment, without, Clock.systemUTC().instant());
            told(plan);
            submitted = SlurmSubmission.submit(plan, client, commands, Optional.ofNullable(reservation));
        }
        output.say(submitted.all().size() + " Slurm jobs submitted for " + plan.running() + " of " + plan.nodeCount()
                + " nodes; the last is " + submitted.last() + ".");
        if (wait) {
            return ended(plan, record, submitted, run.await(plan, Clock.systemUTC(), () -> Thread.sleep(poll * 1000L)));
        }
        print(json(plan, record, submitted, "submitted"), "submitted, last job " + submitted.last());
        return 0;
    }

    private int follow(Path dag, Map<String, String> environment, SlurmCommands commands)
            throws IOException, UnsupportedBySlurmException, InterruptedException {
        SlurmProcesses client = new SlurmProcesses();
        Path top = dag.resolveSibling("").toAbsolutePath().normalize();
        DagResumeCommand.takeMatch(top);
        SlurmRun earlier = new SlurmRun(dag, client, commands);
        try (Closeable lock = earlier.lock()) {
            if (!earlier.isFollowed()) {
                boolean unused = earlier.endCutOffSubmission();
                refuseIfUnderWay(earlier);
            }
            RunWords.write(top, words());
            FollowedPlan plan =
                    FollowedPlan.of(dag, environment, without, Clock.systemUTC().instant());
            plan.warnings().forEach(warning -> output.say("warning: " + warning));
            var options = new RunOptions(false, 0, maxJobs, false, false, true);
            var run = new FollowedRun(
                    plan, client, commands, Optional.ofNullable(reservation), options, Clock.systemUTC());
            DagRun.Ending ending = run.toTheEnd(Duration.ofSeconds(poll));
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("exit", ending.exit());
            json.put("status", ending.status().name());
            run.rescueFile().ifPresent(file -> json.put("rescue", file.toString()));
            json.put("nodes", run.states());
            print(json, "ended with " + ending.exit() + " (" + ending.status() + ")");
            run.rescueFile().ifPresent(file -> output.say("written: " + file));
            return ending.exit();
        }
    }

    private List<String> words() {
        List<String> words = new ArrayList<>(List.of("--sbatch=" + String.join(",", sbatch), "--poll=" + poll));
        if (reservation != null) {
            words.add("--reservation=" + reservation);
        }
        if (!without.isEmpty()) {
            words.add("--without=" + String.join(",", without));
        }
        if (follow) {
            words.addAll(List.of("--follow", "--maxjobs=" + maxJobs));
        }
        return words;
    }

    private void refuseIfUnderWay(SlurmRun run) throws IOException {
        if (run.isFinished()) {
            throw Failure.no(
                    "The DAG in (" + directory + ") has run to its end already.\nMaybe it is to run again: remove "
                            + SlurmRun.MARK + " and its rescue files there.");
        }
        List<String> queued = run.queued();
        if (!queued.isEmpty()) {
            throw Failure.no("The DAG in (" + directory + ") is under way: " + queued.size()
                    + " of its jobs are in Slurm's queue, the first is (" + queued.get(0) + ").");
        }
    }

    private void told(SlurmPlan plan) {
        plan.warnings().forEach(warning -> output.say("warning: " + warning));
        plan.rescue().ifPresent(file -> output.say("goes on from " + file));
    }

    private int rehearse(SlurmPlan plan, SlurmCommands commands, BindingRecord record) throws IOException {
        told(plan);
        List<String> shown = new ArrayList<>();
        Submitted submitted = SlurmSubmission.rehearse(
                plan,
                words -> {
                    shown.add(String.join(" ", words));
                    return Integer.toString(shown.size());
                },
                commands,
                Optional.ofNullable(reservation));
        if (output.json()) {
            Map<String, Object> json = json(plan, record, submitted, "planned");
            json.put("commands", shown);
            output.printJson(json);
        } else {
            shown.forEach(line -> output.out().println(line));
            output.out().flush();
        }
        return 0;
    }

    private int ended(SlurmPlan plan, BindingRecord record, Submitted submitted, Ending ending) {
        if (ending instanceof Ending.Stopped stopped) {
            Map<String, Object> json = json(plan, record, submitted, "stopped");
            json.put("done", stopped.done().size());
            json.put("failed", stopped.failed());
            json.put("rescue", stopped.rescue().toString());
            print(json, "stopped: " + stopped.done().size() + " of " + plan.nodeCount() + " nodes done");
            throw Failure.no("Nodes have failed: " + String.join(", ", stopped.failed()) + ".\nMaybe their logs in ("
                    + plan.top().resolve(".metasched-slurm") + ") say why. Run it again to go on from "
                    + stopped.rescue().getFileName() + ".");
        }
        Map<String, Object> json = json(plan, record, submitted, "finished");
        json.put("done", plan.nodeCount());
        print(json, "finished: all " + plan.nodeCount() + " nodes done");
        return 0;
    }

    private Map<String, Object> json(SlurmPlan plan, BindingRecord record, Submitted submitted, String state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("state", state);
        json.put("directory", plan.top().toString());
        json.put("site", record.site());
        json.put("nodes", plan.nodeCount());
        json.put("submitted", plan.running());
        json.put("jobs", submitted.jobs());
        json.put("lastJob", submitted.last());
        json.put("warnings", plan.warnings());
        return json;
    }

    private void print(Map<String, Object> json, String line) {
        if (output.json()) {
            output.printJson(json);
        } else {
            output.out().println(line);
            output.out().flush();
        }
    }
}
