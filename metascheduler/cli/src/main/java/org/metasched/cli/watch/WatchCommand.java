package org.metasched.cli.watch;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.agreement.AgreementState;
import org.metasched.cli.agreement.AgreementPrinting;
import org.metasched.cli.dag.DagOverview;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.AgreementPages;
import org.metasched.cli.server.AskingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched watch}: shows an agreement, a DAG or a site again and again, until it ends; redraws in place on a terminal. */
@Command(
        name = "watch",
        description = {
            "Looks at an agreement or a bound DAG until it ends, or at a site until interrupted.",
            "On a terminal the view is redrawn in place; elsewhere a line is printed for each change, with --json one object a line.",
            "Exits with 0 if the agreement or DAG is complete, or after --looks; with 1 if it was rejected, terminated or stopped."
        })
public final class WatchCommand extends AskingCommand implements Callable<Integer> {

    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Parameters(
            paramLabel = "WHAT",
            completionCandidates = Completions.Watchable.class,
            description =
                    "The folder of a bound DAG, the name of a site, or the id or name of an agreement; looked for in this order.")
    private String what = "";

    @Option(names = "--every", paramLabel = "SPAN", description = "From look to look; 2s if not given.")
    private Duration every = Duration.ofSeconds(2);

    @Option(names = "--looks", paramLabel = "N", description = "End after so many looks.")
    private int most = Integer.MAX_VALUE;

    /**
     * One look of {@code watch}.
     *
     * @param lines text for people; the first line is a summary
     * @param json  the same as a document
     * @param end   exit code, once nothing more can change
     */
    private record WatchSnapshot(List<String> lines, Object json, Optional<Integer> end) {}

    /** Queries the state of the watched agreement, DAG or site. */
    private interface Look {
        WatchSnapshot now() throws IOException, InterruptedException;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ExitCodeException.badInputIf(
                every.compareTo(SHORTEST) < 0, "--every (%s) must be at least %s.", every, SHORTEST);
        Look look = look();
        List<String> shown = List.of();
        for (int i = 1; ; i++) {
            WatchSnapshot snapshot = look.now();
            if (!snapshot.lines().equals(shown)) {
                print(snapshot, shown.size());
                shown = snapshot.lines();
            }
            if (snapshot.end().isPresent() || i >= most || output.out().checkError()) {
                return snapshot.end().orElse(0);
            }
            Thread.sleep(every.toMillis());
        }
    }

    /** Finds out what the argument names. */
    private Look look() throws IOException, InterruptedException {
        Path folder = Path.of(what);
        if (Files.isDirectory(folder)) {
            return () -> dag(folder);
        }
        if (site().isPresent()) {
            return () -> site(site());
        }
        String id = AgreementPages.idOf(server, what);
        return () -> agreement(id);
    }

    private void print(WatchSnapshot snapshot, int linesBefore) {
        if (output.json()) {
            output.printJson(snapshot.json());
        } else if (OutputOptions.columns() > 0) {
            output.out().print(linesBefore == 0 ? "" : "\u001b[" + linesBefore + "A\u001b[J");
            snapshot.lines().forEach(line -> output.out().println(cut(line)));
        } else {
            var now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
            output.out().println(now + " " + String.join("; ", snapshot.lines()));
        }
        output.out().flush();
    }

    /** The line, cut at the terminal's width: one that wraps would be redrawn in the wrong place. */
    private static String cut(String line) {
        int columns = OutputOptions.columns();
        return line.length() <= columns ? line : line.substring(0, columns - 1) + "…";
    }

    private static WatchSnapshot dag(Path folder) {
        DagOverview snapshot = DagOverview.of(folder);
        return new WatchSnapshot(snapshot.lines(), snapshot.shown(), snapshot.end());
    }

    private Optional<JsonNode> site() throws InterruptedException {
        // No site has another name, and not every mark can stand in a path of the server.
        return what.matches("[A-Za-z0-9._-]+") ? server.find("/api/v1/sites/" + what) : Optional.empty();
    }

    private WatchSnapshot site(Optional<JsonNode> entry) {
        JsonNode site =
                entry.orElseThrow(() -> ExitCodeException.no("The server no longer has the site (" + what + ")."));
        String free = site.has("freeNodes")
                ? site.path("freeNodes").asText() + " of "
                        + site.path("totalNodes").asText() + " nodes free, "
                        + site.path("runningJobs").asText() + " jobs run, "
                        + site.path("queuedJobs").asText() + " wait"
                : OutputOptions.plain(site.path("detail").asText("it does not tell its load"));
        return new WatchSnapshot(
                List.of("site " + what + " is " + site.path("state").asText(), free), site, Optional.empty());
    }

    private WatchSnapshot agreement(String id) {
        var view = AgreementCalls.on(server, client -> client.show(id));
        var state = AgreementState.named(view.state());
        Optional<Integer> end = state.filter(AgreementState::isFinal)
                .map(last -> last == AgreementState.COMPLETE ? 0 : ExitCodeException.NO);
        return new WatchSnapshot(AgreementPrinting.lines(view), view, end);
    }
}
