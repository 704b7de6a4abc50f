package org.metasched.cli.dag;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.life.DagStatus;
import org.metasched.dag.slurm.DagmanRun;
import org.metasched.dag.slurm.RunnerJob;
import org.metasched.dag.slurm.SlurmProcesses;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched dag cancel}: ends the running jobs of a DAG, and releases its match once no job runs. */
@Command(
        name = "cancel",
        description = {
            "Ends the running jobs of DAGs, leaves rescue files, and releases their matches once no job is in the queue any more.",
            "Exits with 1 if a DAG had already ended, 3 if something still runs: then its match stays taken."
        })
final class DagCancelCommand extends PrintingCommand implements Callable<Integer> {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Pattern SUBMITTED = Pattern.compile("(?m)^000 \\((\\d+)\\.");

    @Option(names = "--patience", paramLabel = "SECONDS", description = "How long to wait for the end. Default: 120.")
    private int patience = 120;

    @Mixin
    private BoundDags dags = new BoundDags();

    @Override
    public Integer call() throws IOException {
        return new DagBatch(output, dags.directories())
                .each(directory -> cancel(directory.toAbsolutePath().normalize()));
    }

    private record Cancelled(Path directory, String state, boolean released) {}

    private int cancel(Path top) throws IOException {
        SiteChoice.recover(top);
        DagStatus status = DagOverview.of(top).status();
        if (status.progress() == DagProgress.FINISHED) {
            throw ExitCodeException.no("The DAG in (" + top + ") has run to its end already.");
        }
        switch (status.way()) {
            case CONDOR -> condorRm(status);
            case FOLLOWED, SLURM -> cancelRun(status);
            case NONE -> {
                // It was never run.
            }
        }
        boolean released = LeasingBinder.release(top, SiteChoice.LEASES);
        String returned =
                released ? "; its match went back to " + status.binding().site() : "";
        output.print(
                new Cancelled(top, DagOverview.of(top).status().word(), released),
                top + " is cancelled" + returned + ".");
        return 0;
    }

    /** Ends the run by the process that runs the DAG; if there is none, this process resumes the run and ends it. */
    private void cancelRun(DagStatus status) throws IOException {
        if (status.progress() != DagProgress.RUNNING) {
            return;
        }
        Path top = status.directory();
        var job = new RunnerJob(top, new SlurmProcesses(), RunArguments.commands(top));
        boolean isPending = job.isPending();
        if (!isPending && !status.isInterrupted()) {
            DagmanRun.askToCancel(top);
            await(status, () -> DagOverview.of(top).status().progress() != DagProgress.RUNNING);
            return;
        }
        job.cancel();
        await(status, () -> job.queued().isEmpty());
        if (!Files.exists(top.resolve(DagProgress.SLURM_JOURNAL))) {
            job.forget();
            return;
        }
        DagmanRun.askToCancel(top);
        List<String> more = new ArrayList<>(List.of("--follow"));
        job.name().ifPresent(name -> more.add("--as-runner=" + name));
        int unused = DagResumeCommand.runAgain(top, output, new PrintWriter(Writer.nullWriter()), more);
    }

    private void condorRm(DagStatus status) throws IOException {
        if (status.progress() != DagProgress.RUNNING) {
            return;
        }
        Path log = status.file().resolveSibling(status.file().getFileName() + ".dagman.log");
        String job = Files.isRegularFile(log)
                ? SUBMITTED
                        .matcher(Files.readString(log))
                        .results()
                        .map(found -> found.group(1))
                        .reduce("", (a, b) -> b)
                : "";
        if (job.isEmpty()) {
            throw ExitCodeException.outside("The job of condor_dagman is not known: its log (" + log
                    + ") names none.\nMaybe condor_q shows it, and condor_rm ends it.");
        }
        new SlurmProcesses().run(List.of("condor_rm", job));
        Path lock = status.file().resolveSibling(status.file().getFileName() + ".lock");
        await(status, () -> !Files.exists(lock));
    }

    /** A test that is repeated until it is true. */
    private interface Question {
        boolean isOver() throws IOException;
    }

    private void await(DagStatus status, Question question) throws IOException {
        // One look a second.
        for (int look = 0; !question.isOver(); look++) {
            if (look >= patience) {
                throw ExitCodeException.outside("The DAG in (" + status.directory() + ") has not ended within "
                        + patience + " s; it keeps its match.\nRepeat the command later.");
            }
            DagOverview.pause(PAUSE);
        }
    }
}
