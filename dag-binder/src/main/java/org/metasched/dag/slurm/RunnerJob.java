package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.metasched.adapter.ResourceText;
import org.metasched.dag.binding.DagProgress;

/**
 * The runner of a DAG as a job of Slurm, as condor_dagman is a job of HTCondor's scheduler universe. Its name is used once. The DAG's
 * directory has the name from before the submission until the run has ended: any caller finds the job by it, and a job of another name does
 * not run the DAG. Slurm may end the job and start it again at any time: it continues from the journal.
 */
public final class RunnerJob {

    private static final Pattern NAME = Pattern.compile("metasched-dag-[0-9a-f]{8}");
    private static final String LOG = "runner.log";
    private static final int LAST_LINES = 2;

    /** Little memory, and a signal 90 seconds before the job's time is over. */
    private static final List<String> OPTIONS =
            List.of("--requeue", "--ntasks=1", "--cpus-per-task=1", "--mem=400M", "--signal=B:USR1@90");

    private static final String SCRIPT = ResourceText.of(RunnerJob.class, "runner.sh");

    /**
     * The program that the job runs.
     *
     * @param launcher path of this product's launcher on the machines of the site
     * @param java path of the Java to be used, if it is there
     * @param arguments arguments of {@code dag run}, the directory excepted
     * @param environment variables of the user who submits
     * @param options options of sbatch for this job alone
     */
    public record Program(
            Path launcher, Path java, List<String> arguments, Map<String, String> environment, List<String> options) {
        public Program {
            arguments = List.copyOf(arguments);
            environment = new LinkedHashMap<>(environment);
            options = List.copyOf(options);
        }
    }

    private final Path top;
    private final RunFolder folder;
    private final SlurmQueue queue;
    private final DagSlurmCommands commands;

    public RunnerJob(Path top, SlurmClient client, DagSlurmCommands commands) {
        this.top = top;
        this.folder = new RunFolder(top);
        this.queue = new SlurmQueue(client, commands);
        this.commands = commands;
    }

    public RunFolder folder() {
        return folder;
    }

    /**
     * Submits the job. To be called under the lock of the folder, for which the runner waits.
     *
     * @return the job's number
     * @throws SlurmException if Slurm does not take it
     */
    public String submit(Program program) throws IOException {
        String name = newName();
        Files.deleteIfExists(folder.path.resolve(DagmanRun.CANCEL));
        Files.writeString(folder.path.resolve("runner.sh"), script(name, program));
        Files.deleteIfExists(folder.path.resolve(LOG));
        Files.writeString(nameFile(), name);
        try {
            return queue.submit(submission(name, program));
        } catch (SlurmException e) {
            if (queue.find(name).isEmpty()) {
                forget();
            }
            throw e;
        }
    }

    /** The command that would submit the job. */
    public List<String> rehearse(Program program) {
        return submission(newName(), program);
    }

    private static String newName() {
        return "metasched-dag-" + UUID.randomUUID().toString().substring(0, 8);
    }

    private List<String> submission(String name, Program program) {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(program.options());
        return queue.submission(name, top, folder.path.resolve(LOG), options, folder.path.resolve("runner.sh"));
    }

    private String script(String name, Program program) {
        List<String> words = new ArrayList<>(program.arguments());
        words.addAll(List.of("--as-runner=" + name, top.toString()));
        Map<String, String> environment = new LinkedHashMap<>(program.environment());
        environment.putAll(SlurmProcesses.configuration(System.getenv()));
        return "#!/bin/sh\n# Runs the bound DAG of this directory to its end.\nset -u\n"
                + "launcher=" + ShellText.quote(program.launcher().toString()) + "\n"
                + "java=" + ShellText.quote(program.java().toString()) + "\n"
                + "run() { exec " + ShellText.started(environment) + " \"$@\"; }\n"
                + "slurm() { exec " + ShellText.words(commands.program("scontrol")) + " \"$@\"; }\n"
                + "set -- " + ShellText.words(words) + "\n"
                + SCRIPT;
    }

    private Path nameFile() {
        return top.resolve(DagProgress.SLURM_RUNNER);
    }

    /** The name of the job that is to run the DAG; none if its run has ended, or a process that is no job does it. */
    public Optional<String> name() throws IOException {
        if (!Files.isRegularFile(nameFile())) {
            return Optional.empty();
        }
        return Optional.of(Files.readString(nameFile()).strip())
                .filter(name -> NAME.matcher(name).matches());
    }

    /** Whether the last run of the DAG was, or is to be, that of a job. */
    public boolean wasUsed() {
        return Files.exists(nameFile()) || Files.exists(ended());
    }

    private Path ended() {
        return top.resolve(DagProgress.SLURM_RUNNER + ".ended");
    }

    /** The job's number, while it is in the queue. */
    public Optional<String> queued() throws IOException {
        return job().map(SlurmQueue.Job::number);
    }

    /** Whether the job waits in the queue: for its first start, or for the next one. */
    public boolean isPending() throws IOException {
        return job().filter(SlurmQueue.Job::isPending).isPresent();
    }

    private Optional<SlurmQueue.Job> job() throws IOException {
        Optional<String> name = name();
        return name.isPresent() ? queue.find(name.get()) : Optional.empty();
    }

    /** Takes the job out of the queue; the DAG's other jobs stay. */
    public void cancel() throws IOException {
        Optional<String> name = name();
        if (name.isPresent()) {
            queue.cancel(name.get());
        }
    }

    /** Notes that the run of a directory's DAG has ended, and with it that of its job, if it had one. */
    static void end(Path top) throws IOException {
        Path name = top.resolve(DagProgress.SLURM_RUNNER);
        if (Files.exists(name)) {
            Files.move(name, top.resolve(DagProgress.SLURM_RUNNER + ".ended"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Removes the job's name from the DAG's directory: from now on no job is to run the DAG. */
    public void forget() throws IOException {
        Files.deleteIfExists(nameFile());
        Files.deleteIfExists(ended());
    }

    /** The last lines of the job's log. */
    public Optional<String> lastOutput() throws IOException {
        Path log = folder.path.resolve(LOG);
        if (!Files.isRegularFile(log)) {
            return Optional.empty();
        }
        List<String> lines =
                RunFolder.lines(log).stream().filter(line -> !line.isBlank()).toList();
        return Optional.of(String.join(" ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())))
                .filter(words -> !words.isEmpty());
    }
}
