package org.metasched.cli;

import java.util.ArrayList;
import java.util.List;
import org.metasched.cli.output.ExitCodeException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Answer of an installed product to {@code bench}: benches are part of a checkout. */
@Command(name = "bench", hidden = true)
final class AbsentBench implements Runnable {

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public void run() {
        throw ExitCodeException.badInput(
                "The benches are part of a checkout, not of what is installed: ./metasched bench there runs them.");
    }
}
