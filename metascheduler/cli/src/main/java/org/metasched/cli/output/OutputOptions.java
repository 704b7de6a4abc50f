package org.metasched.cli.output;

import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Mixin of the options every command has, and how it prints: results to stdout, diagnostics to stderr. */
public final class OutputOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print results only.")
    private boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Say more on stderr.")
    private boolean verbose;

    public boolean json() {
        return json;
    }

    public boolean quiet() {
        return quiet;
    }

    public boolean verbose() {
        return verbose;
    }

    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    public PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** A line of progress or narration, unless {@code --quiet}. */
    public void say(String line) {
        if (!quiet) {
            err().println(line);
            err().flush();
        }
    }

    /** A stranger's text for a terminal, which takes control characters for commands. */
    public static String plain(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /** How wide the terminal is that stdout goes to, 0 when it goes elsewhere; the launcher knows. */
    public static int columns() {
        return Integer.getInteger("metasched.columns", 0);
    }

    /** A result on stdout: one line of JSON, or what the second argument writes. */
    public void print(Object result, Consumer<PrintWriter> text) {
        if (json) {
            out().println(ResultMapper.json(result));
        } else {
            text.accept(out());
        }
        out().flush();
    }

    /** A result on stdout: one line of JSON, or this line. */
    public void print(Object result, String line) {
        print(result, out -> out.println(line));
    }

    /** One value as one line of JSON on stdout. */
    public void printJson(Object value) {
        out().println(ResultMapper.json(value));
        out().flush();
    }
}
