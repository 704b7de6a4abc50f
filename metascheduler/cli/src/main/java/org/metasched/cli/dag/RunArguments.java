package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.dag.slurm.DagSlurmCommands;
import picocli.CommandLine.Option;

/**
 * Mixin of the arguments with which a DAG is run on Slurm. Those of the last run are kept, a line each, so that every later command knows
 * them. Only a file of the user's own is read: it names programs to run.
 */
final class RunArguments {

    private static final String FILE = ".metasched-slurm/command";
    private static final String SBATCH = "--sbatch=";

    @Option(
            names = "--sbatch",
            paramLabel = "WORDS",
            split = ",",
            description = "How sbatch is called, with commas between the words, as in sbatch,--partition=x.")
    List<String> sbatch = List.of("sbatch");

    @Option(names = "--reservation", paramLabel = "NAME", description = "A reservation of Slurm to run in.")
    @Nullable
    String reservation;

    @Option(
            names = "--without",
            paramLabel = "COMMAND",
            split = ",",
            description =
                    "Ignore these commands, such as priority, which Slurm cannot honour and which do not change the results.")
    Set<String> without = new TreeSet<>();

    @Option(
            names = "--follow",
            description = {
                "Stay and run the DAG in this process. If it is killed, the same command continues the run.",
                "Exits as condor_dagman does."
            })
    boolean follow;

    @Option(names = "--maxjobs", paramLabel = "N", description = "Nodes that may have jobs at once. Default: any.")
    int maxJobs;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings of condor_dagman, as in DAGMAN_MAX_JOBS_IDLE = 50; they override those of CONFIG.")
    @Nullable
    Path config;

    @Option(
            names = "--runner",
            paramLabel = "WORDS",
            split = ",",
            description = "Options of sbatch for the runner's own job, with commas between, as in"
                    + " --runner=--time=2-0,--mem=1G. They come after those of --sbatch.")
    List<String> runner = List.of();

    @Option(
            names = "--launcher",
            paramLabel = "PATH",
            description = "Path of this program on the machines of the site. Default: its path here.")
    String launcher = System.getProperty("metasched.launcher", "");

    @Option(names = "--poll", paramLabel = "SECONDS", description = "Seconds between two looks at jobs. Default: 2.")
    int poll = 2;

    void check() {
        ExitCodeException.badInputIf(poll < 1, "--poll (%s) must be at least 1 second.", poll);
    }

    Optional<Path> config() {
        return Optional.ofNullable(config).map(file -> file.toAbsolutePath().normalize());
    }

    Path launcher() {
        if (launcher.isEmpty()) {
            throw ExitCodeException.badInput(
                    "The path of this program's launcher is unknown, but the runner's job must start it."
                            + "\nGive --launcher PATH, or --follow to run the DAG here.");
        }
        return Path.of(launcher).toAbsolutePath().normalize();
    }

    /** The arguments as words, without the directory and {@code --wait}. */
    List<String> words() {
        List<String> words =
                new ArrayList<>(List.of(SBATCH + String.join(",", sbatch), "--poll=" + poll, "--maxjobs=" + maxJobs));
        if (reservation != null) {
            words.add("--reservation=" + reservation);
        }
        if (!without.isEmpty()) {
            words.add("--without=" + String.join(",", without));
        }
        config().ifPresent(file -> words.add("--config=" + file));
        if (!runner.isEmpty()) {
            words.add("--runner=" + String.join(",", runner));
        }
        if (!launcher.equals(System.getProperty("metasched.launcher", ""))) {
            words.add("--launcher=" + launcher());
        }
        if (follow) {
            words.add("--follow");
        }
        return words;
    }

    /** Keeps the arguments for later commands about the DAG in this directory. */
    void write(Path directory) throws IOException {
        Files.write(directory.resolve(FILE), words());
    }

    /** The arguments of the last run; none if their file is missing, a link or another user's. */
    static List<String> of(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isOwn(file)
                ? Files.readAllLines(file)
                : List.of();
    }

    /** Whether the file is this user's; compared with a file of ours, as an account may have no name. */
    private static boolean isOwn(Path file) throws IOException {
        Path own = Files.createTempFile("metasched", "");
        try {
            return Files.getOwner(file).equals(Files.getOwner(own));
        } finally {
            Files.delete(own);
        }
    }

    /** The commands of Slurm as the last run called them; the usual ones if there was none. */
    static DagSlurmCommands commands(Path directory) throws IOException {
        String words = of(directory).stream()
                .filter(word -> word.startsWith(SBATCH))
                .map(word -> word.substring(SBATCH.length()))
                .findFirst()
                .orElse("sbatch");
        return DagSlurmCommands.of(List.of(words.split(",")));
    }
}
