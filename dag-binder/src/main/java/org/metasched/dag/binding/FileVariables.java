package org.metasched.dag.binding;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNode.Variable;
import org.metasched.submit.SubmitStatement;
import org.metasched.submit.SubmitStatement.Kind;

/**
 * Finds the variables that make one node's use of a description differ from another's: in the files read, the directories written to, or
 * whether condor_submit accepts it. A variable makes no difference if its value is plain words and only arguments, environment or names of
 * outputs have it; what separates the words makes one. In the name of an output, a directory in the value makes a difference. In doubt, a
 * variable makes one. Not thread-safe.
 */
final class FileVariables {

    private static final Set<String> OUTPUTS = Set.of("output", "error", "log");
    private static final Set<String> UNRELATED = Set.of("arguments", "environment", "output", "error", "log");
    /** Commands that decide which files are read: a variable of such a name sets the command. */
    private static final Set<String> COMMANDS =
            Set.of("cmd", "in", "universe", "transfer_executable", "initialdir", "initial_dir", "iwd");

    private static final Pattern PLAIN = Pattern.compile("[\\w./+,@% -]+");
    private static final Pattern WORD = Pattern.compile("[\\w./+-]+");
    /** A macro or a macro function with a macro in its name or arguments. */
    private static final Pattern COMPUTED_NAME = Pattern.compile("\\$\\w*\\([^)]*\\$");
    /** Any macro function, or a macro whose name has a macro in it. */
    private static final Pattern COMPUTED = Pattern.compile("\\$(?!\\$?\\(|ENV\\()|\\$\\([^)]*\\$");
    /** A macro that is part of a directory's name. */
    private static final Pattern IN_FOLDER = Pattern.compile("\\$.*/");
    /** A macro before another: a directory that the second one brings may begin in the first. */
    private static final Pattern JOINED = Pattern.compile("\\$.*\\$\\(");

    /** The statements, in lower case, in which each variable makes a difference. */
    private final String related;

    private final String unrelated;
    private final String outputs;
    /** Whether the name of an output has a macro before another. */
    private final boolean joinsOutputs;
    /** Whether it cannot be told which variables make no difference. */
    private final boolean allDecide;

    private final Map<String, Boolean> cached = new HashMap<>();

    FileVariables(ParsedDescription text) {
        related = joined(text, FileVariables::isRelated);
        unrelated = joined(text, statement -> !isRelated(statement));
        outputs = joined(text, statement -> statement.sets(OUTPUTS));
        joinsOutputs = text.statements().stream()
                .anyMatch(statement -> statement.sets(OUTPUTS)
                        && JOINED.matcher(statement.value()).find());
        allDecide = text.statements().stream().anyMatch(statement -> statement.kind() == Kind.KEYWORD)
                || COMPUTED_NAME.matcher(related).find()
                || UNRELATED.stream().anyMatch(name -> related.contains("$(" + name));
    }

    private static String joined(ParsedDescription text, Predicate<SubmitStatement> wanted) {
        return text.statements().stream()
                .filter(statement -> statement.kind() != Kind.COMMENT && wanted.test(statement))
                .map(SubmitStatement::raw)
                .collect(Collectors.joining("\n"))
                .toLowerCase(Locale.ROOT);
    }

    private static boolean isRelated(SubmitStatement statement) {
        return statement.kind() != Kind.SETTING
                || !statement.sets(UNRELATED)
                || statement.sets(OUTPUTS)
                        && IN_FOLDER.matcher(statement.value()).find()
                || COMPUTED.matcher(statement.raw()).find();
    }

    /** The values that two nodes must have in common to read the same files. */
    Map<String, String> of(DagNode node) {
        Map<String, String> values = new HashMap<>();
        values.put("job", node.name());
        boolean refers = false;
        for (Variable variable : node.variables()) {
            String name = variable.name().toLowerCase(Locale.ROOT);
            // A node may have a variable of one name both before and behind the description.
            values.merge(variable.append() ? name + "+" : name, variable.value(), (former, own) -> own + " " + former);
            refers |= variable.value().contains("$(");
        }
        boolean joins = joinsOutputs
                && values.entrySet().stream()
                        .anyMatch(entry ->
                                !folder(entry.getKey(), entry.getValue()).isEmpty());
        if (!refers && !allDecide && !joins) {
            values.replaceAll(
                    (name, value) -> PLAIN.matcher(value).matches() && cached.computeIfAbsent(name, this::isUnrelated)
                            ? folder(name, value) + WORD.matcher(value).replaceAll("w")
                            : value);
        }
        return values;
    }

    /** The directory that a value brings to the name of an output. */
    private String folder(String name, String value) {
        int end = value.lastIndexOf('/') + 1;
        return end > 0 && isIn(outputs, name) ? value.substring(0, end) : "";
    }

    private boolean isUnrelated(String name) {
        return (name.equals("job") || isIn(unrelated, name))
                && !isIn(related, name)
                && !COMMANDS.contains(name)
                && !StagedFiles.INPUT_COMMANDS.contains(name);
    }

    private static boolean isIn(String text, String name) {
        return Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "(?![\\w.])")
                .matcher(text)
                .find();
    }
}
