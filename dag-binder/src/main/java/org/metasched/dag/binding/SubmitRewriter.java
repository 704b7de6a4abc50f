package org.metasched.dag.binding;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metasched.submit.JobEnvironment;
import org.metasched.submit.SubmitStatement;

/**
 * Replaces the references of a submit description and leaves all else, comments too, byte for byte. The text is Latin-1, a character
 * for each byte. One rewriter serves one file, or one description inside a DAG file.
 */
final class SubmitRewriter {

    private static final Set<String> ENVIRONMENT = Set.of("env", "environment", "environment2");
    private static final Set<String> ARGUMENTS =
            Set.of("arg", "args", "args2", "arg2", "argument", "arguments", "argument2", "arguments2");
    private static final Pattern EXPRESSIONS = Pattern.compile(
            "[+].*|my\\..*|requirements|rank|preferences|periodic_.*|on_exit_.*|request_.*|require_.*|priority|prio|start|"
                    + "deferral_.*|cron_.*|max_retries|retry_until|success_exit_code|leave_in_queue|job_lease_duration|"
                    + "allowed_.*|noop_job|next_job_start_delay|concurrency_limits_expr|jobprio");

    private final ReferenceSubstitution substitution;
    private final @Nullable Map<String, String> injected;
    private final StringBuilder out = new StringBuilder();
    private final String node;
    /** The variables of the environment commands, as values. */
    final Map<String, String> environment = new LinkedHashMap<>();

    private boolean environmentDone;
    private boolean matchedDone;
    /** Whether an environment command is new or written anew. */
    boolean writesEnvironment;

    /**
     * @param injected variables to add to each environment of the DAG's own submit description; null for other descriptions
     * @param node name of the node for messages
     */
    SubmitRewriter(ReferenceSubstitution substitution, @Nullable Map<String, String> injected, String node) {
        this.substitution = substitution;
        this.injected = injected;
        this.node = node;
        this.environmentDone = injected == null;
        this.matchedDone = injected == null;
    }

    /**
     * The text with its references replaced.
     *
     * @param firstLine number of the line in the file on which the description begins
     */
    String rewrite(ParsedDescription description, int firstLine) {
        for (SubmitStatement statement : description.statements()) {
            int line = firstLine - 1 + statement.line();
            switch (statement.kind()) {
                case COMMENT -> out.append(statement.raw());
                case SETTING, HERE_DOCUMENT -> setting(statement, line);
                case QUEUE -> {
                    insertBeforeQueue();
                    substitute(statement, 0, ValueQuoting.PLAIN, line);
                }
                default -> substitute(statement, 0, ValueQuoting.PLAIN, line);
            }
        }
        insertBeforeQueue();
        return out.toString();
    }

    private void substitute(SubmitStatement statement, int valueStart, ValueQuoting quoting, int line) {
        out.append(substitution.apply(statement.raw(), valueStart, quoting, line, node));
    }

    private void setting(SubmitStatement statement, int line) {
        if (statement.sets(ENVIRONMENT)) {
            environment(statement, line);
        } else {
            ValueQuoting quoting = statement.sets(ARGUMENTS)
                    ? ValueQuoting.ARGUMENTS
                    : EXPRESSIONS
                                    .matcher(statement.name().toLowerCase(Locale.ROOT))
                                    .matches()
                            ? ValueQuoting.EXPRESSION
                            : ValueQuoting.PLAIN;
            substitute(statement, statement.valueStart(), quoting, line);
        }
    }

    /** Inserts environment and attributes before the first queue statement, or at the end of a description without one. */
    private void insertBeforeQueue() {
        if (!environmentDone && injected != null && !injected.isEmpty()) {
            insert("environment = " + JobEnvironment.of(protectedInjected()).toSubmitValue());
            writesEnvironment = true;
        }
        environmentDone = true;
        if (!matchedDone) {
            substitution
                    .values()
                    .matched()
                    .forEach((name, value) ->
                            insert("+" + name + " = " + SiteValues.latin1(ValueQuoting.protectDollars(value))));
        }
        matchedDone = true;
    }

    private Map<String, String> protectedInjected() {
        Map<String, String> variables = new LinkedHashMap<>(injected == null ? Map.of() : injected);
        variables.replaceAll((name, value) -> ValueQuoting.protectDollars(value));
        return variables;
    }

    private void insert(String line) {
        if (out.length() > 0 && out.charAt(out.length() - 1) != '\n') {
            out.append('\n');
        }
        out.append(line).append('\n');
    }

    private void environment(SubmitStatement statement, int line) {
        String raw = statement.raw();
        String value = statement.value();
        boolean isPlain = ReferenceSubstitution.references(raw).isEmpty()
                || EnvironmentLine.isPlain(value, substitution.values());
        if ((injected == null && isPlain) || lacksValue(raw)) {
            substitute(statement, statement.valueStart(), ValueQuoting.PLAIN, line);
            return;
        }
        int contentEnd = raw.stripTrailing().length();
        try {
            Map<String, String> variables = protectedInjected();
            variables.putAll(EnvironmentLine.variables(value, substitution.values(), ValueQuoting::protectDollars));
            environment.putAll(EnvironmentLine.variables(value, substitution.values(), text -> text));
            environmentDone = true;
            writesEnvironment = true;
            out.append(raw, 0, statement.valueStart())
                    .append(' ')
                    .append(JobEnvironment.of(variables).toSubmitValue())
                    .append(raw.substring(contentEnd));
        } catch (IllegalArgumentException e) {
            // The whole value stands in place of a reference in the message.
            SiteReference whole =
                    new SiteReference(SiteReference.Kind.VARIABLE, statement.valueStart(), contentEnd, "", null);
            substitution.complain(raw, whole, line, node, String.valueOf(e.getMessage()));
        }
    }

    /** Whether a reference of the line has no value, which the ordinary substitution reports. */
    private boolean lacksValue(String raw) {
        return ReferenceSubstitution.references(raw).stream()
                .anyMatch(reference -> substitution.values().answer(reference) instanceof SiteValues.Answer.Missing);
    }
}
