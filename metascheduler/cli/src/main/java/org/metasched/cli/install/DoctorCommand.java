package org.metasched.cli.install;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.cli.install.ConfigurationChecks.Finding;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.server.ConfigurationFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code metasched doctor}: looks at an installation and says what to do. */
@Command(
        name = "doctor",
        description = {
            "Checks an installation (Java, configuration, rights, port, database, certificate, sites and their clocks)",
            "and says what to do. Changes nothing without --try. Exits with 1 if something is wrong."
        })
public final class DoctorCommand extends PrintingCommand implements Callable<Integer> {

    @Option(names = "--config", paramLabel = "FILE", description = "The server's YAML; if not given the built-in one.")
    private @Nullable Path config;

    @Option(
            names = "--try",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "SUBJECT",
            description =
                    "Also run a one-second job at each site that runs programs, for this certificate subject if given.")
    private @Nullable String trial;

    private record Found(List<Finding> findings) {}

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> findings = findings();
        output.print(new Found(findings), out -> findings.forEach(finding -> print(finding, out)));
        return findings.stream().anyMatch(finding -> finding.outcome().equals("wrong")) ? ExitCodeException.NO : 0;
    }

    private List<Finding> findings() throws InterruptedException {
        try {
            var settings = ConfigurationFile.settings(Optional.ofNullable(config));
            return new ConfigurationChecks(settings, config, trial, Clock.systemUTC()).all();
        } catch (InvalidSettingException e) {
            return List.of(new Finding("configuration", "wrong", String.valueOf(e.getMessage()), "Correct the file."));
        }
    }

    private static void print(Finding finding, PrintWriter out) {
        String detail = OutputOptions.plain(finding.detail().replace('\n', ' '));
        out.printf("%-9s %-14s %s%n", finding.outcome(), finding.what(), detail);
        if (!finding.advice().isEmpty()) {
            out.printf("%25s%s%n", "", finding.advice());
        }
    }
}
