package org.metasched.cli.site;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.testkit.AdapterKit;
import org.metasched.adapter.testkit.AdapterRule;
import org.metasched.adapter.testkit.KitSettings;
import org.metasched.adapter.testkit.RuleReport;
import org.metasched.adapter.testkit.RuleReport.Outcome;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched adapter check}: runs the numbered rules against a site and prints the outcome of each. */
@Command(
        name = "check",
        description = {
            "Runs the adapter rules against a local scheduler; exit code 1 when one fails.",
            "Makes small reservations in the near future and cancels each of them."
        })
final class AdapterCheckCommand extends PrintingCommand implements Callable<Integer> {

    @Mixin
    private SiteOptions site;

    @Option(names = "--nodes", defaultValue = "1", description = "Nodes to ask for (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--cores", defaultValue = "1", description = "Cores on each node (default: ${DEFAULT-VALUE}).")
    private int cores;

    @Option(names = "--property", description = "What each node must have; may be repeated.")
    private List<String> properties = new ArrayList<>();

    @Option(names = "--bandwidth", description = "Ask for so many Mbit/s of a link instead of nodes.")
    private @Nullable Integer bandwidth;

    @Option(names = "--licence", description = "Ask for one licence of this feature instead of nodes.")
    private @Nullable String licence;

    @Option(names = "--duration", description = "Length of the reservations (default: ${DEFAULT-VALUE}).")
    private Duration duration = Duration.ofMinutes(10);

    @Option(names = "--lead", description = "From now to the first start asked for (default: ${DEFAULT-VALUE}).")
    private Duration lead = Duration.ofMinutes(30);

    @Option(names = "--requester", description = "Certificate subject for whom is reserved.")
    private @Nullable String requester;

    @Option(
            names = {"--only", "--rule"},
            split = ",",
            description = "Only these rules, such as A2,R4; may be repeated.")
    private List<AdapterRule> only = new ArrayList<>();

    @Option(
            names = "--others",
            paramLabel = "PROGRAM",
            description = "Plays other users and the operator for O1 and O2: holdings, hold NAME, out NODE, leave.")
    private @Nullable Path others;

    @Option(names = "--report", paramLabel = "OUT", description = "Also write a page of HTML that can be sent.")
    private @Nullable Path report;

    @Override
    public Integer call() throws InterruptedException, IOException {
        var request = new ResourceRequest(
                need(), duration, Optional.ofNullable(requester).map(Requester::new));
        var settings = new KitSettings(
                request,
                lead,
                Clock.systemUTC(),
                Optional.empty(),
                Optional.of(CommandRunner::started),
                Optional.ofNullable(others).map(OthersScript::new));
        try (var open = site.open(output)) {
            if (only.isEmpty()) {
                lookFirst(open.scheduler(), request);
            }
            List<String> remarks = remarks(open.scheduler());
            var kit = new AdapterKit(open.scheduler(), settings);
            var reports = new ArrayList<RuleReport>();
            for (var rule : only.isEmpty() ? List.of(AdapterRule.values()) : only) {
                reports.add(kit.run(rule));
                if (!output.json()) {
                    print(reports.get(reports.size() - 1));
                }
            }
            var checked = new Checked(reports.stream().map(Ruled::of).toList(), remarks);
            output.print(checked, out -> {
                remarks.forEach(output::say);
                output.say(count(reports, Outcome.PASSED) + " passed, " + count(reports, Outcome.FAILED) + " failed, "
                        + count(reports, Outcome.SKIPPED) + " skipped.");
            });
            if (report != null) {
                String name = open.scheduler().site().value();
                CheckReport.write(report, name, Clock.systemUTC().instant(), reports, remarks);
            }
            return count(reports, Outcome.FAILED) == 0 ? 0 : ExitCodeException.NO;
        }
    }

    /** Ends the check if the site has no answer or no room: every rule would report that, some after half a minute. */
    private void lookFirst(LocalScheduler scheduler, ResourceRequest request) {
        var from = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS).plus(lead);
        try {
            if (scheduler.earliestStart(request, from).isEmpty()) {
                throw ExitCodeException.no("No rule was tried: the site has no start for "
                        + request.need().words() + " for " + duration + " between " + from
                        + " and the end of its look-ahead ("
                        + scheduler.previewWindow().lookAhead()
                        + ").\nMaybe it is full, or --nodes, --cores or --duration is more than it has.");
            }
        } catch (LocalSchedulerException.Refused e) {
            throw ExitCodeException.no("No rule was tried: the site refuses what is asked.\n" + e.getMessage());
        } catch (LocalSchedulerException e) {
            throw ExitCodeException.outside("No rule was tried: the site could not be asked.\n" + e.getMessage());
        }
    }

    /** Remarks about odd things at the site, which break no rule, but which its admin should know. */
    private static List<String> remarks(LocalScheduler scheduler) {
        var reporting = scheduler.loadReporting();
        if (reporting.isEmpty()) {
            return List.of();
        }
        try {
            return reporting.get().load().remarks();
        } catch (LocalSchedulerException e) {
            return List.of("The site does not tell its load: " + e.getMessage());
        }
    }

    private Need need() {
        if (bandwidth != null) {
            return new Need.Bandwidth(bandwidth);
        }
        return licence != null
                ? new Need.Licences(licence, 1)
                : new Need.Nodes(nodes, cores, new TreeSet<>(properties));
    }

    private record Checked(List<Ruled> rules, List<String> remarks) {}

    private record Ruled(String id, String title, String outcome, String detail) {

        static Ruled of(RuleReport report) {
            return new Ruled(report.rule().id(), report.rule().title(), word(report.outcome()), report.detail());
        }
    }

    private static String word(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static long count(List<RuleReport> reports, Outcome outcome) {
        return reports.stream().filter(report -> report.outcome() == outcome).count();
    }

    private void print(RuleReport report) {
        output.out()
                .printf(
                        "%-3s %-8s %s%n",
                        report.rule().id(),
                        word(report.outcome()),
                        report.rule().title());
        if (report.outcome() != Outcome.PASSED || output.verbose()) {
            report.detail().lines().forEach(line -> output.out().println("             " + line));
        }
        output.out().flush();
    }
}
