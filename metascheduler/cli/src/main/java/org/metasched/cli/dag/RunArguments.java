package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.metasched.dag.slurm.SlurmCommands;

/**
 * The arguments with which a DAG was last run on Slurm, a line each, so that every later command knows them. Only a file of the user's own
 * counts: it names programs.
 */
final class RunArguments {

    private static final String FILE = ".metasched-slurm/command";
    private static final String SBATCH = "--sbatch=";

    private RunArguments() {}

    static void write(Path directory, List<String> words) throws IOException {
        Files.write(directory.resolve(FILE), words);
    }

    static List<String> of(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        boolean isOwn = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(file).getName().equals(System.getProperty("user.name"));
        return isOwn ? Files.readAllLines(file) : List.of();
    }

    static SlurmCommands commands(Path directory) throws IOException {
        List<String> sbatch = of(directory).stream()
                .filter(word -> word.startsWith(SBATCH))
                .map(word -> word.substring(SBATCH.length()))
                .findFirst()
                .map(words -> List.of(words.split(",")))
                .orElse(List.of("sbatch"));
        return SlurmCommands.of(sbatch);
    }
}
