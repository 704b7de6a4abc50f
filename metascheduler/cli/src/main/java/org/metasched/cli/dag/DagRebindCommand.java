package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.ClaimingBinder;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.RebindPolicy;
import org.metasched.dag.binding.UnboundReferenceException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched dag rebind}: takes the decision for a site back and makes another one. */
@Command(
        name = "rebind",
        description = {
            "Binds unfinished DAGs to other sites, in their own directories; rescue files, logs and results go along.",
            "The old binding is kept beside it as DIR.at-SITE. Exits with 1 if a DAG that should move stays where it is."
        })
final class DagRebindCommand extends PrintingCommand implements Callable<Integer> {

    @Mixin
    private SiteChoice sites = new SiteChoice();

    @Option(
            names = "--when",
            paramLabel = "EXPR",
            description =
                    "Only DAGs for which this ClassAd expression is true. It sees BoundSeconds (since the DAG was bound),"
                            + " Progress (\"bound\", \"stopped\"), SiteAdvertised and SiteSilentSeconds, and TARGET, the site's ad."
                            + " Example: BoundSeconds > 7200 && !SiteAdvertised")
    private @Nullable String when;

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable for $ENV() in the DAG's own description.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Mixin
    private BoundDags dags = new BoundDags();

    private int notDue;

    @Override
    public Integer call() throws IOException {
        int worst = 0;
        List<Path> directories = dags.directories();
        for (Path directory : directories) {
            try {
                worst = Math.max(worst, rebind(directory));
            } catch (IllegalStateException e) {
                output.err().println("metasched: " + e.getMessage());
                worst = Math.max(worst, ExitCodeException.NO);
            } catch (ExitCodeException e) {
                if (directories.size() == 1) {
                    throw e;
                }
                // One that cannot be moved holds up none of the others.
                output.err().println("metasched: " + directory + ": " + e.getMessage());
                worst = Math.max(worst, e.exitCode());
            }
        }
        if (notDue > 0) {
            output.say(notDue + (notDue == 1 ? " DAG stays" : " DAGs stay") + ": --when is not true.");
        }
        return worst;
    }

    private int rebind(Path directory) throws IOException {
        try {
            return rebound(directory);
        } catch (UnboundReferenceException | IllegalArgumentException e) {
            throw ExitCodeException.badInput(String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            throw ExitCodeException.world(ErrorMessages.of(e));
        }
    }

    private int rebound(Path directory) throws IOException, UnboundReferenceException {
        SiteChoice.recover(directory);
        BindingRecord record = BindingRecord.find(directory)
                .orElseThrow(() -> ExitCodeException.badInput(
                        "The directory (" + directory + ") is not a bound DAG: it has no " + BindingRecord.FILE + "."));
        List<ClassAd> ads = sites.ads();
        if (!isDue(directory, record, ads)) {
            notDue++;
            return 0;
        }
        Map<String, String> variables = BindingOptions.processVariables();
        variables.putAll(environment);
        ClaimingBinder binder = sites.claiming(new DagBinder(DagBinder.Options.of(variables)));
        Optional<BoundDag> bound = binder.rebind(directory, record, variables, ads);
        return bound.map(moved -> moved(directory, record, moved)).orElseGet(() -> stays(directory, record));
    }

    /** Where a DAG was and is; rank and nodes are of a new binding. */
    private record Rebound(
            Path directory,
            String from,
            String site,
            @JsonInclude(Include.NON_ABSENT) Optional<Double> rank,
            @JsonInclude(Include.NON_ABSENT) Optional<Long> nodes) {}

    private int moved(Path directory, BindingRecord before, BoundDag after) {
        var now = after.record();
        output.print(
                new Rebound(directory, before.site(), now.site(), Optional.of(now.rank()), Optional.of(now.nodes())),
                directory + " moved from " + before.site() + " to " + now.site());
        return 0;
    }

    private int stays(Path directory, BindingRecord record) {
        if (output.json()) {
            output.printJson(new Rebound(directory, record.site(), record.site(), Optional.empty(), Optional.empty()));
        }
        output.say(directory + " stays at " + record.site() + ": no other site matches and has room.");
        return ExitCodeException.NO;
    }

    private boolean isDue(Path directory, BindingRecord record, List<ClassAd> ads) throws IOException {
        try {
            return when == null || RebindPolicy.parse(when).isDue(directory, record, ads, Instant.now());
        } catch (ClassAdSyntaxException e) {
            throw ExitCodeException.badInput("--when: " + e.getMessage());
        }
    }
}
