package org.metasched.cli.site;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Syntax;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.classad.DialectOption;
import org.metasched.cli.server.AskingCommand;
import org.metasched.cli.server.CollectorCalls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the ads of a collector, or of a file, in the manner of condor_status. */
@Command(name = "status", description = "Shows the ads in a server's collector, or in files.")
public final class StatusCommand extends AskingCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ADS", arity = "0..*", description = "Files of ads, instead of a server.")
    private List<Path> files = List.of();

    @Option(names = "--constraint", paramLabel = "EXPR", description = "Only ads for which it is true.")
    private @Nullable String constraint;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only ads of this type.")
    private @Nullable String type;

    @Option(
            names = "--format",
            paramLabel = "FMT",
            description =
                    "A line for each ad: {EXPR} stands for the value of a ClassAd expression, \\n and \\t as usual.")
    private @Nullable String format;

    @Option(names = "--long", description = "Every attribute, one a line.")
    private boolean whole;

    @Option(names = "--xml", description = "As ClassAd XML.")
    private boolean xml;

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Override
    public Integer call() {
        List<ClassAd> ads = ads();
        if (output.json()) {
            output.out().println("[" + joined(ads, Syntax.JSON, ",\n") + "]");
        } else if (xml) {
            output.out().println("<classads>\n" + joined(ads, Syntax.XML, "\n") + "\n</classads>");
        } else if (whole) {
            ads.forEach(ad -> output.out().println(ad.print(Syntax.OLD).stripTrailing() + "\n"));
        } else if (format != null) {
            var line = AdFormat.parse(format);
            ads.forEach(ad -> output.out().print(line.of(ad)));
        } else {
            StatusTable.print(output.out(), ads);
        }
        output.out().flush();
        return 0;
    }

    private List<ClassAd> ads() {
        CollectorQuery typed = type == null ? CollectorQuery.all() : CollectorQuery.ofType(type);
        CollectorQuery query = constraint == null ? typed : typed.where(dialect.expression("--constraint", constraint));
        if (files.isEmpty()) {
            return CollectorCalls.on(server, remote -> remote.query(query));
        }
        return files.stream()
                .flatMap(file -> AdFiles.all(file, dialect.chosen()).stream())
                .filter(ad -> type == null || StatusTable.typeOf(ad).equalsIgnoreCase(type))
                .filter(query::accepts)
                .toList();
    }

    private static String joined(List<ClassAd> ads, Syntax syntax, String separator) {
        return ads.stream().map(ad -> ad.print(syntax).strip()).collect(Collectors.joining(separator));
    }
}
