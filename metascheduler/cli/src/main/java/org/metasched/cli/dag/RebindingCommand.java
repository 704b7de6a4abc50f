package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.UnboundReferenceException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Base of the commands that bind DAGs anew. */
abstract class RebindingCommand extends PrintingCommand {

    @Mixin
    SiteChoice sites = new SiteChoice();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Variable for $ENV() of the DAG's submit file.")
    private Map<String, String> environment = new LinkedHashMap<>();

    /** Rebinds the DAGs that are due; returns the greatest exit code. */
    int rebindAll(List<Path> directories, List<ClassAd> ads) throws IOException {
        Map<String, String> variables = BindingOptions.variables(environment);
        LeasingBinder binder = sites.leasing(new DagBinder(DagBinder.Options.of(variables)));
        var batch = new DagBatch(output, directories);
        return batch.each(directory -> {
            try {
                SiteChoice.recover(directory);
                BindingRecord record = BindingRecord.find(directory)
                        .orElseThrow(() -> ExitCodeException.badInput("The directory (" + directory
                                + ") is not a bound DAG: it has no " + BindingRecord.FILE + "."));
                return isDue(directory, record, ads)
                        ? tell(batch, directory, record, binder.rebind(directory, record, variables, ads))
                        : 0;
            } catch (UnboundReferenceException e) {
                throw ExitCodeException.badInput(String.valueOf(e.getMessage()));
            }
        });
    }

    /** Whether a DAG is to move. */
    abstract boolean isDue(Path directory, BindingRecord record, List<ClassAd> ads) throws IOException;

    /** The former site of a DAG and the present one; rank and nodes are of a new binding. */
    private record Rebound(
            Path directory,
            String from,
            String site,
            @JsonInclude(Include.NON_ABSENT) Optional<Double> rank,
            @JsonInclude(Include.NON_ABSENT) Optional<Long> nodes) {}

    /** Prints what became of a DAG; returns its exit code. */
    private int tell(DagBatch batch, Path directory, BindingRecord before, Optional<BoundDag> moved) {
        Optional<BindingRecord> now = moved.map(BoundDag::record);
        String site = now.map(BindingRecord::site).orElse(before.site());
        String end = now.isPresent()
                ? "moved from " + before.site() + " to " + site
                : "not moved from " + site + ": no other site matches and has room.";
        boolean counts = batch.count(end);
        if (output.json()) {
            output.printJson(new Rebound(
                    directory, before.site(), site, now.map(BindingRecord::rank), now.map(BindingRecord::nodes)));
        } else if (!counts && now.isPresent()) {
            output.out().println(directory + " " + end);
        }
        if (!counts && now.isEmpty()) {
            output.say(directory + " " + end);
        }
        return now.isPresent() ? 0 : ExitCodeException.NO;
    }
}
