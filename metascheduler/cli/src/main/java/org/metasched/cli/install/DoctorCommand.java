package org.metasched.cli.install;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.cli.install.Checks.Finding;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.server.ConfigurationFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched doctor}: looks at an installation and says what to do. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Looks at an installation (Java, configuration, rights, port, database, certificate, sites and their clocks)",
            "and says what to do. Changes nothing. Exits with 1 if something is wrong."
        })
public final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--config", paramLabel = "FILE", description = "The server's YAML; if not given the built-in one.")
    private @Nullable Path config;

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> findings;
        try {
            var read = config == null ? ConfigurationFile.usual() : ConfigurationFile.read(config);
            findings = new Checks(read, config, Clock.systemUTC()).all();
        } catch (InvalidSettingException e) {
            findings = List.of(new Finding("configuration", "wrong", String.valueOf(e.getMessage()), "Mend it there."));
        }
        if (output.json()) {
            output.printJson(Map.of("findings", findings));
        } else {
            for (var finding : findings) {
                String detail = OutputOptions.plain(finding.detail());
                output.out().printf("%-9s %-14s %s%n", finding.outcome(), finding.what(), detail);
                if (!finding.advice().isEmpty()) {
                    output.out().printf("%25s%s%n", "", finding.advice());
                }
            }
            output.out().flush();
        }
        return findings.stream().anyMatch(finding -> finding.outcome().equals("wrong")) ? Failure.NO : 0;
    }
}
