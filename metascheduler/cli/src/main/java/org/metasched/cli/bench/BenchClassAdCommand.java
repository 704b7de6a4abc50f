package org.metasched.cli.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.metasched.cli.output.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched bench classad}: the door of {@link ClassAdBench}. */
@Command(
        name = "classad",
        mixinStandardHelpOptions = true,
        description = "Measures parsing, matching and evaluation of ClassAds, one thread.")
final class BenchClassAdCommand implements Runnable {

    @Mixin
    private OutputOptions output;

    @Option(names = "--jobs", required = true, description = "The job ads.")
    private Path jobs;

    @Option(names = "--machines", required = true, description = "The machine ads.")
    private Path machines;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "How long each measurement runs after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Override
    public void run() {
        var bench = new ClassAdBench(seconds);
        ClassAdBench.Texts machineTexts = ClassAdBench.texts(machines);
        Map<String, Object> result = bench.measured(machineTexts, ClassAdBench.texts(jobs));
        if (output.json()) {
            output.printJson(result);
        } else {
            result.forEach((key, value) -> output.out()
                    .printf("%-28s %s%n", key, value instanceof long[] counts ? Arrays.toString(counts) : value));
            output.out().flush();
        }
        output.say("checksum " + Long.toHexString(bench.checksum()));
    }
}
