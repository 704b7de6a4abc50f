package org.metasched.cli.dag;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
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

    /** The directories; of several, as {@code bound/*} names them, without those that DAGs have left by a rebinding. */
    List<Path> directories() {
        return directories.size() == 1 ? directories : withoutEarlier(directories);
    }

    /** The directories without those that DAGs have left by a rebinding; a DAG that is on its way is named by its place. */
    static List<Path> withoutEarlier(Collection<Path> directories) {
        return directories.stream()
                .map(directory ->
                        RebindTransaction.isEarlier(directory) && Files.notExists(RebindTransaction.laterOf(directory))
                                ? RebindTransaction.laterOf(directory)
                                : directory)
                .filter(directory -> !RebindTransaction.isEarlier(directory))
                .distinct()
                .toList();
    }
}
