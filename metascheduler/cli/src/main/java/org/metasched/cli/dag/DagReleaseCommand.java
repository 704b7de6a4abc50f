package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.MatchNote;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code metasched dag release}: gives the match of a bound DAG back to its site. */
@Command(
        name = "release",
        description = {
            "Gives the matches of bound DAGs back to their sites; the directories stay.",
            "Exits with 1 if one of them holds no match."
        })
final class DagReleaseCommand extends PrintingCommand implements Callable<Integer> {

    @Mixin
    private BoundDags dags = new BoundDags();

    private record Released(Path directory, boolean released, String site) {}

    @Override
    public Integer call() throws IOException {
        return new DagBatch(output, dags.directories()).each(this::release);
    }

    private int release(Path directory) throws IOException {
        SiteChoice.recover(directory);
        ExitCodeException.badInputIf(!Files.isDirectory(directory), "There is no folder (%s).", directory);
        Optional<MatchNote> note = MatchNote.find(directory);
        boolean released = LeasingBinder.release(directory, SiteChoice.LEASES);
        String site = note.map(MatchNote::site).orElse("");
        if (released || output.json()) {
            output.print(new Released(directory, released, site), directory + " gave its match back to " + site);
        } else {
            output.say(directory + " holds no match.");
        }
        return released ? 0 : ExitCodeException.NO;
    }
}
