package org.metasched.dag;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.metasched.dag.DagNode.Defer;
import org.metasched.dag.DagNode.Rules;

/** Reads what a runner keeps to. Relies on the parser's reading: what is no number there does not come here. */
final class RuleReader {

    final List<DagNodes.Family> families = new ArrayList<>();
    final Map<String, Integer> throttles = new LinkedHashMap<>();

    static List<String> words(DagLexer lexer) {
        List<String> words = new ArrayList<>();
        while (lexer.next()) {
            words.add(lexer.text());
        }
        return words;
    }

    void family(String prefix, DagLexer lexer, boolean isWeak) {
        List<String> parents = new ArrayList<>();
        List<String> children = new ArrayList<>();
        List<String> now = parents;
        for (String word : words(lexer)) {
            if (word.equalsIgnoreCase("CHILD")) {
                now = children;
            } else {
                now.add(prefix + word);
            }
        }
        families.add(new DagNodes.Family(parents, children, isWeak));
    }

    /** What a command changes in the rules of which node; that of ALL_NODES is empty. */
    Map<String, UnaryOperator<Rules>> rule(DagCommand command, List<String> words) {
        Map<String, UnaryOperator<Rules>> changes = new LinkedHashMap<>();
        if (command == DagCommand.MAXJOBS) {
            if (words.size() > 1) {
                throttles.put(words.get(0), number(words.get(1)).orElse(0));
            }
        } else if (command == DagCommand.CATEGORY) {
            String category = words.get(words.size() - 1);
            words.subList(0, words.size() - 1)
                    .forEach(node -> changes.put(named(node), rules -> with(rules, rules.priority(), category)));
        } else if (words.size() > 1) {
            changes.put(named(words.get(0)), rules -> changed(command, rules, words));
        }
        return changes;
    }

    private static Rules changed(DagCommand command, Rules rules, List<String> words) {
        return switch (command) {
            case PRIORITY -> with(rules, number(words.get(1)).orElse(0), rules.category());
            case TOLERANCE ->
                new Rules(
                        rules.abortOn(),
                        rules.abortReturn(),
                        words.subList(1, words.size()),
                        rules.priority(),
                        rules.category(),
                        rules.preDefer(),
                        rules.postDefer());
            default ->
                new Rules(
                        number(words.get(1)),
                        words.size() > 3 ? number(words.get(3)) : OptionalInt.empty(),
                        rules.tolerance(),
                        rules.priority(),
                        rules.category(),
                        rules.preDefer(),
                        rules.postDefer());
        };
    }

    private static Rules with(Rules rules, int priority, String category) {
        return new Rules(
                rules.abortOn(),
                rules.abortReturn(),
                rules.tolerance(),
                priority,
                category,
                rules.preDefer(),
                rules.postDefer());
    }

    static Optional<Defer> defer(String status, String seconds) {
        OptionalInt code = number(status);
        return code.isPresent()
                ? Optional.of(new Defer(code.getAsInt(), number(seconds).orElse(0)))
                : Optional.empty();
    }

    static Optional<UnaryOperator<Rules>> deferred(String phase, Optional<Defer> defer) {
        if (defer.isEmpty() || !(phase.equals("PRE") || phase.equals("POST"))) {
            return Optional.empty();
        }
        return Optional.of(rules -> new Rules(
                rules.abortOn(),
                rules.abortReturn(),
                rules.tolerance(),
                rules.priority(),
                rules.category(),
                phase.equals("PRE") ? defer : rules.preDefer(),
                phase.equals("POST") ? defer : rules.postDefer()));
    }

    private static String named(String node) {
        return node.equalsIgnoreCase("ALL_NODES") || node.equalsIgnoreCase("ALL-NODES") ? "" : node;
    }

    private static OptionalInt number(String text) {
        try {
            return OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
