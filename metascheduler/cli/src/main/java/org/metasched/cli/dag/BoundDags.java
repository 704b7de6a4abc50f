package org.metasched.cli.dag;

import java.nio.file.Path;
import java.util.List;
import org.metasched.cli.output.Completions;
import picocli.CommandLine.Parameters;

/** Mixin of the commands for any number of bound DAGs. */
final class BoundDags {

    @Parameters(
            paramLabel = "DIR",
            arity = "1..*",
            completionCandidates = Completions.Dags.class,
            description = "Directories of bound DAGs.")
    private List<Path> directories = List.of();

    List<Path> directories() {
        return directories;
    }
}
