package org.metasched.cli;

import java.util.ArrayList;
import java.util.List;
import org.metasched.cli.output.ExitCodeException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The command {@code bench} of an installed product: says that the benches are part of a checkout. */
@Command(name = "bench", hidden = true)
final class AbsentBench implements Runnable {

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public void run() {
        throw ExitCodeException.badInput(
                "The benches are not installed: they are part of a checkout, where ./metasched bench runs them.");
    }
}
