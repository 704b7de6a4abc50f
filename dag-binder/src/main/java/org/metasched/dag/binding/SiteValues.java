package org.metasched.dag.binding;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Scope;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.classad.match.Match;
import org.metasched.dag.InheritedVariables;

/**
 * Answers {@link SiteReference}s, either those of the DAG's own job or those of its nodes. A value is Latin-1 text whose characters
 * are bytes of UTF-8, as the files are read. It is data: one with a {@code $$(}, which condor would expand again, is refused, and
 * {@link ValueQuoting} protects other macros. Not thread-safe: notes the attributes that were asked for.
 */
final class SiteValues {

    /** Answer to a reference. */
    sealed interface Answer {

        /** A value, to be quoted as its place in the file asks for. */
        record Text(String text) implements Answer {}

        /** Text of the same file, to be inserted as it stands. */
        record Source(String text) implements Answer {}

        /** The reference stays, for condor to expand. */
        enum Left implements Answer {
            LEFT
        }

        /** No answer, and the reason. */
        record Missing(String reason) implements Answer {}
    }

    private final Match match;
    final Map<String, String> variables;
    final InheritedVariables inherited;
    private final boolean keepMatchMacros;
    private final SortedMap<String, String> matched = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /**
     * @param variables values for {@code $ENV}
     * @param inherited variables for which {@code $ENV} may stay
     * @param keepMatchMacros whether {@code $$} is left to the machine that will run the job
     */
    SiteValues(Match match, Map<String, String> variables, InheritedVariables inherited, boolean keepMatchMacros) {
        this.match = match;
        this.variables = variables;
        this.inherited = inherited;
        this.keepMatchMacros = keepMatchMacros;
    }

    /** The values for the nodes of a nested DAG, to which condor_submit_dag hands on the ENV lines of those around it. */
    SiteValues with(Map<String, String> set, List<String> got) {
        var all = new HashMap<>(variables);
        all.putAll(set);
        var passed = inherited.and(got);
        return set.isEmpty() && passed.equals(inherited) ? this : new SiteValues(match, all, passed, keepMatchMacros);
    }

    /** Whether {@code $ENV} of a name means the same to other values. */
    boolean agreesOn(String name, SiteValues other) {
        return Objects.equals(variables.get(name), other.variables.get(name))
                && inherited.passes(name) == other.inherited.passes(name);
    }

    Answer answer(SiteReference reference) {
        return switch (reference.kind()) {
            case VARIABLE -> variable(reference);
            case ATTRIBUTE -> attribute(reference);
            default -> keepMatchMacros ? Answer.Left.LEFT : expression(reference);
        };
    }

    private Answer variable(SiteReference reference) {
        String name = reference.name();
        if (!isName(name)) {
            return new Answer.Missing("has a name that is known only when the job is submitted");
        }
        String value = variables.get(name);
        // As in condor, a default stands for an empty value too.
        if (value != null && (!value.isEmpty() || reference.fallback() == null)) {
            return checked(value);
        }
        return inherited.passes(name)
                ? Answer.Left.LEFT
                : fallback(reference, "is not in the environment of the DAG at this site, and has no default");
    }

    private Answer attribute(SiteReference reference) {
        String name = reference.name();
        if (keepMatchMacros || name.equalsIgnoreCase("DOLLARDOLLAR")) {
            return Answer.Left.LEFT;
        }
        if (!isName(name)) {
            return new Answer.Missing("is not the name of an attribute; $$() takes neither MY. nor TARGET.");
        }
        Optional<Expr> expr = match.offer().lookup(name);
        if (expr.isEmpty()) {
            return fallback(reference, "is not an attribute of the site's ad, and has no default");
        }
        matched.put("MATCH_" + name, expr.get().print(Syntax.OLD));
        return checked(text(expr.get()));
    }

    /** The text of the attribute's expression, not its value; a string's without quotes. */
    private static String text(Expr expr) {
        return expr.bare() instanceof Literal literal && literal.value() instanceof Value.Text text
                ? text.text()
                : expr.print(Syntax.OLD);
    }

    private Answer expression(SiteReference reference) {
        try {
            Expr expr = Expr.parse(reference.name().replace("\\\"", "\""), ReadOptions.OLD);
            Value value = expr.evaluate(Scope.matching(match.customer(), match.offer(), LookupMode.OLD));
            if (value.isExceptional()) {
                return new Answer.Missing("comes to " + value.print() + " at this site");
            }
            return checked(value instanceof Value.Text text ? text.text() : value.print());
        } catch (ClassAdSyntaxException e) {
            return new Answer.Missing("is not an expression: " + e.getMessage());
        }
    }

    /** Notes for the record whether the site's ad says that containers are started there, and returns it. */
    boolean noteContainers() {
        for (String name : List.of("HasApptainer", "HasSingularity", "HasContainer", "HasDocker")) {
            if (match.offer().evaluate(name).satisfies()) {
                matched.put("MATCH_" + name, "true");
                return true;
            }
        }
        return false;
    }

    private static Answer fallback(SiteReference reference, String otherwise) {
        return reference.fallback() == null ? new Answer.Missing(otherwise) : new Answer.Source(reference.fallback());
    }

    private static Answer checked(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029) {
                return new Answer.Missing("has a value with a line break or another control character in it");
            }
        }
        return value.contains("$$(")
                ? new Answer.Missing("has a value with a $$( in it, which condor would expand again")
                : new Answer.Text(latin1(value));
    }

    private static boolean isName(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
    }

    /** The bytes of UTF-8, a character each. */
    static String latin1(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    static String utf8(String latin1) {
        return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** {@code MATCH_A} for each attribute asked for so far, as text. */
    SortedMap<String, String> matched() {
        return Collections.unmodifiableSortedMap(matched);
    }
}
