package org.metasched.cli.dag;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.life.DagStatus;
import org.metasched.dag.slurm.SlurmException;
import org.metasched.dag.slurm.SlurmProcesses;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched dag resume}: resumes a DAG by the program that ran it. */
@Command(
        name = "resume",
        description = {
            "Goes on with a DAG that was interrupted, stopped or cancelled: in the way and with the options with which it was run.",
            "A match that was released is acquired again; exits with 1 if the site has none. A DAG that was never run is run."
        })
final class DagResumeCommand extends PrintingCommand implements Callable<Integer> {

    @Option(names = "--wait", description = "Wait until the DAG has ended.")
    private boolean wait;

    @Parameters(paramLabel = "DIR", completionCandidates = Completions.Dags.class, description = "A bound DAG.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        SiteChoice.recover(directory);
        DagStatus status = DagOverview.of(directory).status();
        if (status.progress() == DagProgress.FINISHED) {
            throw ExitCodeException.no("The DAG in (" + directory + ") has run to its end already.");
        }
        if (status.way() != DagStatus.Way.CONDOR) {
            return runAgain(directory, output, output.out(), wait ? List.of("--wait") : List.of());
        }
        if (status.progress() == DagProgress.RUNNING) {
            throw ExitCodeException.no("A condor_dagman runs the DAG in (" + directory + "): it has its lock.");
        }
        takeMatch(directory);
        try {
            String answer = new SlurmProcesses()
                    .run(List.of(
                            "condor_submit_dag",
                            "-usedagdir",
                            "-update_submit",
                            status.file().toString()));
            output.out().print(OutputOptions.plain(answer.strip()) + "\n");
            output.out().flush();
        } catch (SlurmException e) {
            throw ExitCodeException.outside(String.valueOf(e.getMessage()));
        }
        return wait ? DagWaitCommand.await(directory, DagWaitCommand.USUAL_POLL, output) : 0;
    }

    /**
     * Acquires the match of a DAG again if it was released.
     *
     * @throws ExitCodeException if the site has none to give
     */
    static void takeMatch(Path directory) throws IOException {
        boolean isTaken;
        try {
            isTaken = LeasingBinder.retake(directory, SiteChoice.LEASES);
        } catch (IllegalStateException e) {
            throw ExitCodeException.no(String.valueOf(e.getMessage()));
        }
        if (!isTaken) {
            throw ExitCodeException.no(
                    "The DAG in (" + directory + ") has given its match back, and its site has none to give now."
                            + "\nMaybe later, or at another site: dag rebind.");
        }
    }

    /** Runs {@code dag run} with the options of the last run, and more. */
    static int runAgain(Path directory, OutputOptions output, PrintWriter out, List<String> more) throws IOException {
        var words = new ArrayList<>(RunArguments.of(directory));
        // An option may stand there once only.
        words.removeAll(more);
        words.addAll(more);
        if (output.json()) {
            words.add("--json");
        }
        if (output.quiet()) {
            words.add("--quiet");
        }
        words.add(directory.toString());
        var run = new DagRunCommand();
        new CommandLine(run).setOut(out).setErr(output.err()).parseArgs(words.toArray(String[]::new));
        return run.call();
    }
}
