package org.metasched.cli.gang;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.metasched.classad.gang.RootExplanation;
import org.metasched.cli.classad.MatchReport;
import org.metasched.cli.output.OutputOptions;

/** Prints explanations of roots without gang for people. */
final class GangReport {

    private GangReport() {}

    static void print(String root, RootExplanation explanation, PrintWriter out) {
        out.println(OutputOptions.plain(root) + " got no gang:");
        explanation.reasons().forEach(reason -> out.println("  " + OutputOptions.plain(reason)));
        for (RootExplanation.PortFinding port : explanation.ports()) {
            out.printf(
                    "  Port %s: %d offers, %d meet its constraint, %d accept the root there, %d do both, %d still to be"
                            + " had%n",
                    port.label(),
                    port.verdict().offers(),
                    port.verdict().meetingConstraint(),
                    port.verdict().acceptingCustomer(),
                    port.verdict().matching(),
                    port.available());
            MatchReport.printClauses(port.verdict(), "    ", out);
        }
        for (RootExplanation.DeadEnd end : explanation.deadEnds()) {
            out.printf(
                    "  Port %s once %s:%n", OutputOptions.plain(end.port()), OutputOptions.plain(bound(end.given())));
            MatchReport.printClauses(end.verdict(), "    ", out);
        }
    }

    private static String bound(List<RootExplanation.Bound> given) {
        return given.isEmpty()
                ? "all other ports have their ads"
                : given.stream()
                        .map(bound -> bound.port() + " is " + bound.ad())
                        .collect(Collectors.joining(" and "));
    }
}
