package org.metasched.cli;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.metasched.adapter.text.NearestKey;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code metasched explain}: the meaning of fault codes. */
@Command(name = "explain", description = "Says what a fault code means and what to do; without a code all of them.")
final class ExplainCommand extends PrintingCommand implements Callable<Integer> {

    @Parameters(paramLabel = "CODE", arity = "0..1", description = "Such as NO_COMMON_SLOT.")
    private String code = "";

    private record Fault(String code, String meaning, String advice) {}

    private record Explained(List<Fault> faults) {}

    @Override
    public Integer call() throws IOException {
        String wanted = code.toUpperCase(Locale.ROOT).replace('-', '_');
        var all = HelpSections.lines("fault-codes.txt").stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| "))
                .map(parts -> new Fault(parts[0], parts[1], parts[2]))
                .toList();
        var shown = all.stream()
                .filter(fault -> wanted.isEmpty() || fault.code().equals(wanted))
                .toList();
        if (shown.isEmpty()) {
            var codes = all.stream().map(Fault::code).toList();
            throw ExitCodeException.badInput("There is no fault code (" + code + "); there are "
                    + String.join(", ", codes) + "." + NearestKey.hint(wanted, codes));
        }
        output.print(
                new Explained(shown),
                out -> shown.forEach(fault -> Arrays.asList(fault.code(), "  " + fault.meaning(), "  " + fault.advice())
                        .forEach(out::println)));
        return 0;
    }
}
