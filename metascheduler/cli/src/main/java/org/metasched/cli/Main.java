package org.metasched.cli;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import org.metasched.cli.output.CommandLineProgram;
import org.metasched.cli.output.NumberArgument;
import org.metasched.cli.server.ServerAddress;
import org.metasched.cli.time.DurationArgument;
import org.metasched.cli.time.TimeArgument;
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
        var out = new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8));
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        return execute(out, err, arguments);
    }

    /** Runs one command; returns its exit code. */
    public static int execute(Writer out, PrintWriter err, String... arguments) {
        return commandLine(out, err, arguments).execute(arguments);
    }

    /**
     * The program with the commands that these arguments need; without arguments with all. Sets the locale of the process to the root one, as
     * all messages are in English.
     */
    public static CommandLine commandLine(Writer out, PrintWriter err, String... arguments) {
        // The JDK's XML parsers have messages in several languages.
        Locale.setDefault(Locale.ROOT);
        return new CommandLineProgram(
                        new MetaschedCommand(), program -> CommandTree.addTo(program, arguments), out, err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, DurationArgument::read)
                .registerConverter(TimeArgument.class, text -> TimeArgument.read(text, Clock.systemDefaultZone()))
                .registerConverter(int.class, NumberArgument::whole)
                .registerConverter(Integer.class, NumberArgument::whole)
                .registerConverter(double.class, NumberArgument::decimal)
                .registerConverter(Double.class, NumberArgument::decimal)
                .registerConverter(URI.class, ServerAddress::read);
    }
}
