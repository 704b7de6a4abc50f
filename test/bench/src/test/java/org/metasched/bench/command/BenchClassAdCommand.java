package org.metasched.bench.command;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metasched bench classad}: the door of {@link ClassAdBench}. */
@Command(
        name = "classad",
        mixinStandardHelpOptions = true,
        description = "Measures parsing, matching and evaluation of ClassAds, one thread.")
final class BenchClassAdCommand implements Runnable {

    @Mixin
    private OutputOptions output;

    @Spec
    private CommandSpec spec;

    @Option(names = "--jobs", description = "The job ads.")
    private @Nullable Path jobs;

    @Option(names = "--machines", description = "The machine ads.")
    private @Nullable Path machines;

    @Option(
            names = "--diverse",
            paramLabel = "N,M",
            split = ",",
            arity = "1",
            description = "Measure N machine ads that have nothing in common and M requests instead of files.")
    private int @Nullable [] diverse;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "How long each measurement runs after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Override
    public void run() {
        if (diverse != null) {
            measureDiverse(diverse);
        } else if (jobs == null || machines == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Missing required options: '--jobs=<jobs>' and '--machines=<machines>', or '--diverse=N,M'");
        } else {
            measure(jobs, machines);
        }
    }

    private void measureDiverse(int[] sizes) {
        if (sizes.length != 2 || sizes[0] < 1 || sizes[1] < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--diverse (%s) must be two positive numbers N,M: machine ads and requests."
                            .formatted(Arrays.toString(sizes)));
        }
        var bench = new DiverseBench(sizes[0], sizes[1]);
        print(bench.measured(), bench.checksum());
    }

    private void measure(Path jobs, Path machines) {
        var bench = new ClassAdBench(seconds);
        ClassAdBench.Texts machineTexts = ClassAdBench.texts(machines);
        print(bench.measured(machineTexts, ClassAdBench.texts(jobs)), bench.checksum());
    }

    private void print(Map<String, Object> result, long checksum) {
        FigurePrinter.print(output, result, "%-28s %s%n");
        output.say("checksum " + Long.toHexString(checksum));
    }
}
