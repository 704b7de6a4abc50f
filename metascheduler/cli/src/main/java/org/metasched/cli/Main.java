package org.metasched.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.metasched.cli.output.Failure;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;

/** Entry point: parses arguments, runs one command, maps its end to an exit code. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        var out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int exit = commandLine(out, err, arguments).execute(arguments);
        out.flush();
        return exit;
    }

    /** The program with those of its commands that these arguments can reach; without arguments with all. */
    public static CommandLine commandLine(PrintWriter out, PrintWriter err, String... arguments) {
        var program = new CommandLine(new MetaschedCommand());
        Commands.addTo(program, arguments);
        return program.setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Failure::report);
    }
}
