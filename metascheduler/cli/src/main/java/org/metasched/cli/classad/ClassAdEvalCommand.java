package org.metasched.cli.classad;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Scope;
import org.metasched.classad.Trace;
import org.metasched.classad.Value;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code metasched classad eval}: one expression, or conformance cases from standard input. */
@Command(name = "eval", description = "Evaluates an expression and prints its value in ClassAd syntax.")
final class ClassAdEvalCommand extends PrintingCommand implements Runnable {

    /** Cases that are answered between two looks whether answers can be written. */
    private static final int CASES_TO_LOOK = 1_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--ad", description = "The ad the expression is evaluated in.")
    private @Nullable Path ad;

    @Option(names = "--target", description = "The ad opposite: TARGET and other.")
    private @Nullable Path target;

    @Option(names = "--mode", description = "Look-up of names: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private LookupMode mode = LookupMode.OLD;

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Option(names = "--trace", description = "Also print each sub-expression, and why it is UNDEFINED or ERROR.")
    private boolean trace;

    @Option(names = "--jsonl", description = "Read cases from standard input, one JSON object a line, and answer each.")
    private boolean jsonl;

    @Parameters(index = "0", arity = "0..1", description = "The expression; after -- if it begins with a minus.")
    private @Nullable String expression;

    @Override
    public void run() {
        if (jsonl) {
            answerCases();
        } else if (expression == null) {
            throw new ParameterException(spec.commandLine(), "An expression is missing.");
        } else {
            evaluate(expression);
        }
    }

    private void evaluate(String text) {
        ClassAd my = ad == null ? ClassAd.EMPTY : AdFiles.one(ad, dialect.chosen());
        try {
            Expr expr = Expr.parse(text, ReadOptions.NEW.with(dialect.chosen()));
            Scope scope = target == null
                    ? Scope.of(my, mode)
                    : Scope.matching(my, AdFiles.one(target, dialect.chosen()), mode);
            var traced = trace ? Optional.of(Traced.of(Trace.of(expr, scope))) : Optional.<Traced>empty();
            Value value = traced.map(Traced::value).orElseGet(() -> expr.evaluate(scope));
            output.print(
                    new Result(value, traced),
                    out -> traced.ifPresentOrElse(root -> root.print(out, ""), () -> out.println(value.print())));
        } catch (ClassAdSyntaxException e) {
            throw ExitCodeException.badInput(e.getMessage());
        }
    }

    private record Result(
            Value value, @JsonInclude(Include.NON_ABSENT) Optional<Traced> trace) {}

    private record Traced(
            Expr expression,
            Value value,
            @JsonInclude(Include.NON_EMPTY) String reason,
            List<Traced> parts) {

        static Traced of(Trace part) {
            return new Traced(
                    part.expression(),
                    part.value(),
                    part.reason(),
                    part.parts().stream().map(Traced::of).toList());
        }

        void print(PrintWriter out, String indent) {
            out.println(
                    indent + value.print() + "  <-  " + expression.print() + (reason.isEmpty() ? "" : ": " + reason));
            parts.forEach(inner -> inner.print(out, indent + "    "));
        }
    }

    private void answerCases() {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
        PrintWriter out = output.out();
        var cases = new ConformanceCases(dialect.chosen());
        try {
            int answered = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isBlank()) {
                    out.print(cases.answer(line) + "\n");
                    // Each look writes what is buffered.
                    if ((++answered % CASES_TO_LOOK == 0 || !in.ready()) && out.checkError()) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            throw ExitCodeException.outside("Cases cannot be read: " + e.getMessage());
        }
    }
}
