package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.RebindPolicy;
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
final class DagRebindCommand extends RebindingCommand implements Callable<Integer> {

    @Option(
            names = "--when",
            paramLabel = "EXPR",
            description =
                    "Only DAGs for which this ClassAd expression is true. It sees BoundSeconds (since the DAG was bound),"
                            + " Progress (\"bound\", \"stopped\"), SiteAdvertised and SiteSilentSeconds, and TARGET, the site's ad."
                            + " Example: BoundSeconds > 7200 && !SiteAdvertised")
    private @Nullable String when;

    @Mixin
    private BoundDags dags = new BoundDags();

    private int notDue;

    @Override
    public Integer call() throws IOException {
        int worst = rebindAll(dags.directories(), sites.ads());
        if (notDue > 0) {
            output.say(notDue + (notDue == 1 ? " DAG stays" : " DAGs stay") + ": --when is not true.");
        }
        return worst;
    }

    @Override
    boolean isDue(Path directory, BindingRecord record, List<ClassAd> ads) throws IOException {
        try {
            boolean isDue = when == null || RebindPolicy.parse(when).isDue(directory, record, ads, Instant.now());
            notDue += isDue ? 0 : 1;
            return isDue;
        } catch (ClassAdSyntaxException e) {
            throw ExitCodeException.badInput("--when: " + e.getMessage());
        }
    }
}
