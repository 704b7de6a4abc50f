package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.metasched.cli.output.Completions;
import org.metasched.dag.binding.RebindTransaction;
import picocli.CommandLine.Parameters;

/** Mixin of the commands for any number of bound DAGs. */
final class BoundDags {

    @Parameters(
            paramLabel = "DIR",
            arity = "1..*",
            completionCandidates = Completions.Dags.class,
            description = "Directories of bound DAGs.")
    private List<Path> directories = List.of();

    /** Among several, as of {@code bound/*}, those that DAGs left behind when they moved are not meant. */
    List<Path> directories() throws IOException {
        List<Path> meant = new ArrayList<>();
        for (Path directory : directories) {
            if (directories.size() == 1 || !RebindTransaction.isEarlier(directory)) {
                meant.add(directory);
            }
        }
        return meant;
    }
}
