package org.metasched.dag.binding;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.metasched.dag.DagNode;
import org.metasched.submit.SubmitStatement;
import org.metasched.submit.SubmitStatement.Kind;

/**
 * Finds the variables of a node that decide which files its description reads, or whether condor_submit accepts it. A variable does not
 * if its value is a plain word and it is used only in arguments, environment or names of outputs. In doubt a variable decides. Not
 * thread-safe.
 */
final class FileVariables {

    private static final Set<String> UNRELATED = Set.of("arguments", "environment", "output", "error", "log");
    private static final Set<String> COMMANDS = Set.of("cmd", "in", "universe", "transfer_executable");
    private static final Pattern PLAIN = Pattern.compile("[\\w./+-]+");
    /** A macro or a macro function with a macro in its name or arguments. */
    private static final Pattern COMPUTED_NAME = Pattern.compile("\\$\\w*\\([^)]*\\$");
    /** Any macro function, or a macro whose name has a macro in it. */
    private static final Pattern COMPUTED = Pattern.compile("\\$(?!\\$?\\(|ENV\\()|\\$\\([^)]*\\$");

    private final String related;
    private final String unrelated;
    private final boolean allDecide;
    private final Map<String, Boolean> cached = new HashMap<>();

    FileVariables(ParsedDescription text) {
        related = joined(text, true);
        unrelated = joined(text, false);
        allDecide = text.statements().stream().anyMatch(statement -> statement.kind() == Kind.KEYWORD)
                || COMPUTED_NAME.matcher(related).find()
                || UNRELATED.stream().anyMatch(name -> related.contains("$(" + name));
    }

    private static String joined(ParsedDescription text, boolean wanted) {
        return text.statements().stream()
                .filter(statement -> statement.kind() != Kind.COMMENT && isRelated(statement) == wanted)
                .map(SubmitStatement::raw)
                .collect(Collectors.joining("\n"))
                .toLowerCase(Locale.ROOT);
    }

    private static boolean isRelated(SubmitStatement statement) {
        return statement.kind() != Kind.SETTING
                || !statement.sets(UNRELATED)
                || COMPUTED.matcher(statement.raw()).find();
    }

    /** The values that two nodes must have in common to read the same files. */
    Map<String, String> of(DagNode node) {
        boolean refers =
                node.variables().stream().anyMatch(variable -> variable.value().contains("$("));
        Map<String, String> values = new HashMap<>(Map.of("job", node.name()));
        node.variables()
                .forEach(variable -> values.put(
                        variable.name().toLowerCase(Locale.ROOT) + (variable.append() ? "+" : ""), variable.value()));
        if (!refers && !allDecide) {
            values.replaceAll((name, value) ->
                    PLAIN.matcher(value).matches() && cached.computeIfAbsent(name, this::isUnrelated) ? "" : value);
        }
        return values;
    }

    private boolean isUnrelated(String name) {
        var word = Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "(?![\\w.])");
        boolean isUsed = name.equals("job") || word.matcher(unrelated).find();
        return isUsed
                && !word.matcher(related).find()
                && !COMMANDS.contains(name)
                && !StagedFiles.INPUTS.contains(name)
                && !StagedFiles.FOLDERS.contains(name);
    }
}
