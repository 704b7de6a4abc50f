package org.metasched.cli.install;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.server.Configuration;
import org.metasched.server.ConfigurationFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched doctor}: looks at an installation and says what to do. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Looks at an installation (Java, configuration, rights, port, database, certificates, sites and their clocks)",
            "and says what to do. Changes nothing. Exits with 1 if something is wrong."
        })
public final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The server's YAML; the built-in configuration if not given.")
    private @Nullable Path config;

    @Override
    public Integer call() throws InterruptedException {
        var machine = new MachineChecks(config);
        List<Finding> findings = new ArrayList<>(List.of(machine.java(), machine.memory()));
        try {
            Configuration read = config == null ? ConfigurationFile.usual() : ConfigurationFile.read(config);
            findings.add(Finding.good("configuration", config == null ? "the built-in one" : config + " is read"));
            findings.addAll(machine.rights(read));
            var server = new ServerChecks(read, Clock.systemUTC());
            findings.add(server.port());
            findings.add(server.database());
            findings.addAll(server.certificates());
            findings.addAll(server.sites());
        } catch (InvalidSettingException e) {
            findings.add(Finding.wrong(
                    "configuration",
                    String.valueOf(e.getMessage()),
                    "Mend it there; docs/operations.md lists the keys."));
        }
        print(findings);
        return findings.stream().anyMatch(finding -> finding.outcome() == Finding.Outcome.WRONG) ? Failure.NO : 0;
    }

    private void print(List<Finding> findings) {
        if (output.json()) {
            output.printJson(Map.of(
                    "findings",
                    findings.stream()
                            .map(finding -> Map.of(
                                    "what", finding.what(),
                                    "outcome", finding.outcome().word(),
                                    "detail", finding.detail(),
                                    "advice", finding.advice()))
                            .toList()));
            return;
        }
        for (var finding : findings) {
            output.out()
                    .printf(
                            "%-9s %-14s %s%n",
                            finding.outcome().word(), finding.what(), OutputOptions.plain(finding.detail()));
            if (!finding.advice().isEmpty()) {
                output.out().println("                         " + finding.advice());
            }
        }
        output.out().flush();
    }
}
