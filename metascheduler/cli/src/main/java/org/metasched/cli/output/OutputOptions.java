package org.metasched.cli.output;

import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Mixin of the options that every command has; prints results to stdout and diagnostics to stderr. */
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

    /** Prints a line of progress or narration on stderr, unless {@code --quiet}. */
    public void say(String line) {
        if (!quiet) {
            err().println(line);
            err().flush();
        }
    }

    /** Foreign text for a terminal, without control characters, which could be commands to it. */
    public static String plain(String text) {
        return text.replaceAll("\\p{Cc}", "?");
    }

    /** The columns of the terminal that stdout goes to, as the launcher sets them; 0 if stdout goes elsewhere. */
    public static int columns() {
        return Integer.getInteger("metasched.columns", 0);
    }

    /** Prints a result on stdout: one line of JSON, or the text that {@code text} writes. */
    public void print(Object result, Consumer<PrintWriter> text) {
        if (json) {
            out().println(ResultMapper.json(result));
        } else {
            text.accept(out());
        }
        out().flush();
    }

    /** Prints a result on stdout: one line of JSON, or {@code line}. */
    public void print(Object result, String line) {
        print(result, out -> out.println(line));
    }

    /** Prints a value as one line of JSON on stdout. */
    public void printJson(Object value) {
        out().println(ResultMapper.json(value));
        out().flush();
    }
}
