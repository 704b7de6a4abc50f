package org.metasched.cli.dag;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.cli.output.TextTable;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.run.RunState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code metasched dag list}: all bound DAGs of a folder. */
@Command(
        name = "list",
        description = {
            "Lists the bound DAGs in folders and how far each is, however it is run.",
            "A DAG that cannot be read has the state 'unknown' and a reason on stderr; the exit code is then that of the worst failure."
        })
final class DagListCommand extends PrintingCommand implements Callable<Integer> {

    private static final int DEEPEST = 6;

    @Parameters(paramLabel = "FOLDER", description = "Where to look, six levels deep; the current one if not given.")
    private List<Path> folders = List.of(Path.of(""));

    @Override
    public Integer call() {
        int exit = 0;
        var table = new TextTable("DIRECTORY", "SITE", "STATE", "DONE", "FAILED", "NODES", "MATCH", "END");
        for (Path directory : boundDags()) {
            try {
                DagOverview overview = DagOverview.of(directory);
                var status = overview.status();
                if (output.json()) {
                    output.printJson(overview.summary());
                }
                table.row(
                        directory,
                        status.binding().site(),
                        status.word(),
                        status.count(RunState.DONE),
                        status.count(RunState.ERROR),
                        status.states().size(),
                        overview.holdsMatch() ? "held" : "-",
                        status.expectedEnd()
                                .map(end -> end.toString().substring(0, 16) + "Z")
                                .orElse("-"));
            } catch (ExitCodeException e) {
                output.err().println(directory + ": " + e.getMessage());
                output.err().flush();
                table.row(directory, "-", "unknown", "-", "-", "-", "-", "-");
                exit = Math.max(exit, e.exitCode());
            }
        }
        if (!output.json()) {
            table.print(output.out());
        }
        return exit;
    }

    private Iterable<Path> boundDags() {
        var bound = new TreeSet<Path>();
        for (Path folder : folders) {
            ExitCodeException.badInputIf(!Files.isDirectory(folder), "There is no folder (%s).", folder);
            find(folder, 1, bound);
        }
        return BoundDags.withoutEarlier(bound);
    }

    /** Adds the bound DAGs below a folder; a folder that cannot be read has none. */
    private static void find(Path folder, int depth, Set<Path> bound) {
        String[] names = folder.toAbsolutePath().toFile().list();
        for (String name : names == null ? new String[0] : names) {
            Path entry = folder.resolve(name);
            if (name.equals(BindingRecord.FILE)) {
                bound.add(folder);
            } else if (depth < DEEPEST
                    && !name.startsWith(".")
                    && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                find(entry, depth + 1, bound);
            }
        }
    }
}
