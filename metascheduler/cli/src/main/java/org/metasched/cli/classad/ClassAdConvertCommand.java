package org.metasched.cli.classad;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Syntax;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched classad convert}: from one written form to another. */
@Command(name = "convert", description = "Converts ads between new syntax (NEW), long form (OLD), JSON and XML.")
final class ClassAdConvertCommand extends PrintingCommand implements Runnable {

    @Option(names = "--from", required = true, description = "Form of the input: ${COMPLETION-CANDIDATES}.")
    private Syntax from;

    @Option(names = "--to", required = true, description = "Form of the output: ${COMPLETION-CANDIDATES}.")
    private Syntax to;

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Parameters(arity = "0..1", description = "The file to read (default: standard input).")
    private Path file = Path.of("-");

    @Override
    public void run() {
        List<ClassAd> ads = AdFiles.parsed(file, AdFiles.text(file), AdFiles.reading(from, dialect.chosen()));
        PrintWriter out = output.out();
        String before = switch (to) {
            case XML -> "<?xml version=\"1.0\"?>\n<!DOCTYPE classads SYSTEM \"classads.dtd\">\n<classads>\n";
            case JSON -> ads.size() == 1 ? "" : "[\n";
            default -> "";
        };
        out.print(before);
        String between = to == Syntax.JSON ? ",\n" : "\n";
        for (int i = 0; i < ads.size(); i++) {
            out.print((i == 0 ? "" : between) + ads.get(i).print(to));
        }
        // The long form of an ad has the end of its last line itself.
        out.print(ads.isEmpty() || to == Syntax.OLD ? "" : "\n");
        out.print(to == Syntax.XML ? "</classads>\n" : to == Syntax.JSON && ads.size() != 1 ? "]\n" : "");
        out.flush();
    }
}
