package org.metasched.cli.classad;

import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Dialect;
import org.metasched.classad.Expr;
import org.metasched.cli.output.ExitCodeException;
import picocli.CommandLine.Option;

/** Mixin of the commands that read ClassAds: the language of today's HTCondor, or that of the papers on ClassAds (1998 to 2003). */
public final class DialectOption {

    @Option(
            names = "--dialect",
            defaultValue = "reference",
            description =
                    "HTCondor's, or the papers' of 1998 to 2003: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Dialect dialect = Dialect.REFERENCE;

    public Dialect chosen() {
        return dialect;
    }

    /** The value of an option as an expression. */
    public Expr expression(String option, String text) {
        try {
            return Expr.parse(text, dialect);
        } catch (ClassAdSyntaxException e) {
            throw ExitCodeException.badInput(option + ": " + e.getMessage());
        }
    }
}
