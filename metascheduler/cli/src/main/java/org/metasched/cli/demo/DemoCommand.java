package org.metasched.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.NumberArgument;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.cli.output.Readiness;
import org.metasched.client.AgreementFaultException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code metasched demo}: sites, server and client in one process; tells what happens, and ends by itself. */
@Command(
        name = "demo",
        description = {
            "Shows co-allocation and a bound DAG on this machine; nothing to install, nothing left behind; with --json the bound DAG stays.",
            "Simulated sites replay local workloads behind real SOAP adapters; beside them a server, and a client that",
            "reserves nodes at all of them for the same time."
        })
public final class DemoCommand extends PrintingCommand implements Callable<Integer> {

    private static final int USUAL_SITES = 3;
    private static final int MOST_SITES = 64;

    @Option(
            names = "--workload",
            paramLabel = "F.swf",
            description = "A trace in the Standard Workload Format, packed by gzip or not, for one site; repeat it.")
    private List<Path> workloads = List.of();

    @Option(names = "--sites", paramLabel = "N", description = "How many sites; 3, or one for each workload.")
    private int sites;

    @Option(names = "--keep", description = "Stay up afterwards, until Ctrl-C.")
    private boolean keep;

    @Option(names = "--port", paramLabel = "P", description = "Port of the server; any free one if not given.")
    private int port;

    @Option(names = "--tls", description = "With certificates of a throw-away authority at each end of each wire.")
    private boolean tls;

    @Override
    public Integer call() throws IOException, InterruptedException, LocalSchedulerException {
        int count = sites != 0 ? sites : workloads.isEmpty() ? USUAL_SITES : workloads.size();
        ExitCodeException.badInputIf(
                count < 1 || count > MOST_SITES, "The number of sites (%s) must be from 1 to %s.", count, MOST_SITES);
        ExitCodeException.badInputIf(
                count < workloads.size(),
                "The number of sites (%s) must not be less than that of workloads (%s).",
                count,
                workloads.size());
        try (var grid = new DemoGrid(workloads, count, NumberArgument.port(port), tls, output)) {
            var result = new DemoStory(grid, output).tell();
            if (output.json()) {
                output.printJson(result);
            }
            if (keep) {
                output.say("Staying up at " + grid.server() + " until Ctrl-C." + grid.hint());
                Readiness.atEnd(grid::close).await();
            }
            return 0;
        } catch (AgreementFaultException e) {
            throw ExitCodeException.outside("The demo did not get its agreement: " + e.getMessage());
        }
    }
}
