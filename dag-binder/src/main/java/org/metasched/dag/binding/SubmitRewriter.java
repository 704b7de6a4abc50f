package org.metasched.dag.binding;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metasched.submit.JobEnvironment;

/**
 * Settles the references of a submit description and leaves all else, comments too, byte for byte. The text is Latin-1, a letter
 * for each byte. One rewriter serves one file, or one description inside a DAG file.
 */
final class SubmitRewriter {

    /** {@code name = value}, or {@code name @=tag}. */
    private static final Pattern ASSIGNMENT = Pattern.compile("\\s*([+@]?[\\w.-]+)\\s*(@?=)(?!=)");

    private static final Pattern EXPRESSIONS = Pattern.compile(
            "[+].*|my\\..*|requirements|rank|preferences|periodic_.*|on_exit_.*|request_.*|require_.*|priority|prio|start|"
                    + "deferral_.*|cron_.*|max_retries|retry_until|success_exit_code|leave_in_queue|job_lease_duration|"
                    + "allowed_.*|noop_job|next_job_start_delay|concurrency_limits_expr|jobprio");

    private static final Pattern QUEUE = Pattern.compile("\\s*queue\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Substitution substitution;
    private final @Nullable Map<String, String> injected;
    private final StringBuilder out = new StringBuilder();
    private final String node;
    private String hereTag = "";
    private final Map<String, String> environment = new LinkedHashMap<>();
    private boolean environmentWritten;
    private boolean matchedWritten;
    private boolean hasGetenv;
    private boolean writesEnvironment;

    /**
     * @param injected variables every environment of this description gets, null if it is not that of the DAG's own job
     * @param node for complaints
     */
    SubmitRewriter(Substitution substitution, @Nullable Map<String, String> injected, String node) {
        this.substitution = substitution;
        this.injected = injected;
        this.node = node;
        this.environmentWritten = injected == null;
        this.matchedWritten = injected == null;
    }

    /** The settled text. */
    String rewrite(String text, int firstLine) {
        int at = 0;
        int line = firstLine;
        while (at < text.length()) {
            int end = Regions.end(text, at, '#');
            String region = text.substring(at, end);
            command(region, line);
            line += Regions.lines(region);
            at = end;
        }
        insertBeforeQueue();
        return out.toString();
    }

    /** Whether a command asks for the environment of the submitting process. */
    boolean hasGetenv() {
        return hasGetenv;
    }

    /** Whether an environment command is new or written anew. */
    boolean writesEnvironment() {
        return writesEnvironment;
    }

    /** The variables of the environment commands, as values. */
    Map<String, String> environment() {
        return environment;
    }

    private void command(String region, int line) {
        if (!hereTag.isEmpty()) {
            hereTag = region.strip().startsWith("@" + hereTag) ? "" : hereTag;
            out.append(substitution.apply(region, 0, Quoting.PLAIN, line, node));
            return;
        }
        if (region.stripLeading().startsWith("#")) {
            out.append(region);
            return;
        }
        Matcher assignment = ASSIGNMENT.matcher(region);
        if (!assignment.lookingAt()) {
            other(region, line);
            return;
        }
        String name = assignment.group(1).toLowerCase(Locale.ROOT);
        int start = assignment.end();
        if (assignment.group(2).equals("@=")) {
            hereTag = region.substring(start).strip();
        }
        hasGetenv |= name.equals("getenv");
        if (name.matches("env(ironment2?)?")) {
            environment(region, start, line);
        } else {
            Quoting quoting = name.matches("arg(ument)?s2?")
                    ? Quoting.ARGUMENTS
                    : EXPRESSIONS.matcher(name).matches() ? Quoting.EXPRESSION : Quoting.PLAIN;
            out.append(substitution.apply(region, start, quoting, line, node));
        }
    }

    private void other(String region, int line) {
        if (QUEUE.matcher(region).matches()) {
            insertBeforeQueue();
        }
        out.append(substitution.apply(region, 0, Quoting.PLAIN, line, node));
    }

    /** What the first queue statement must find, or the end of a description without one. */
    private void insertBeforeQueue() {
        if (!environmentWritten && injected != null && !injected.isEmpty()) {
            Map<String, String> variables = new LinkedHashMap<>();
            injected.forEach((name, value) -> variables.put(name, Quoting.protectDollars(value)));
            insert("environment = " + text(variables));
            writesEnvironment = true;
        }
        environmentWritten = true;
        if (!matchedWritten) {
            substitution
                    .values()
                    .matched()
                    .forEach((name, value) ->
                            insert("+" + name + " = " + SiteValues.latin1(Quoting.protectDollars(value))));
        }
        matchedWritten = true;
    }

    private void insert(String line) {
        if (out.length() > 0 && out.charAt(out.length() - 1) != '\n') {
            out.append('\n');
        }
        out.append(line).append('\n');
    }

    private void environment(String region, int start, int line) {
        String value = Regions.joined(region.substring(start));
        Reference first = Substitution.first(region);
        boolean isPlain = first == null || EnvironmentLine.isPlain(value, substitution.values());
        if (injected == null && isPlain) {
            out.append(substitution.apply(region, start, Quoting.PLAIN, line, node));
            return;
        }
        if (isUnsettled(region, start, line)) {
            return;
        }
        try {
            Map<String, String> variables = new LinkedHashMap<>();
            if (injected != null) {
                injected.forEach((name, text) -> variables.put(name, Quoting.protectDollars(text)));
            }
            variables.putAll(EnvironmentLine.variables(value, substitution.values(), Quoting::protectDollars));
            environment.putAll(EnvironmentLine.variables(value, substitution.values(), text -> text));
            environmentWritten = true;
            writesEnvironment = true;
            int content = region.stripTrailing().length();
            out.append(region, 0, start).append(' ').append(text(variables)).append(region.substring(content));
        } catch (IllegalArgumentException e) {
            Reference whole = new Reference(
                    Reference.Kind.VARIABLE, start, region.stripTrailing().length(), "", null);
            substitution.complain(region, whole, line, node, String.valueOf(e.getMessage()));
        }
    }

    /** Complains about what the line asks in vain; the ordinary substitution knows how. */
    private boolean isUnsettled(String region, int start, int line) {
        Reference reference = Substitution.first(region);
        boolean missing = false;
        while (reference != null) {
            missing |= substitution.values().answer(reference) instanceof SiteValues.Answer.Missing;
            reference = Reference.next(region, reference.end());
        }
        if (missing) {
            out.append(substitution.apply(region, start, Quoting.PLAIN, line, node));
        }
        return missing;
    }

    private static String text(Map<String, String> variables) {
        return JobEnvironment.of(variables).toSubmitValue();
    }
}
