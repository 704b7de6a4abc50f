package org.metasched.submit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.submit.MacroExpander.MacroException;

/**
 * The nested if, elif, else and endif of one submit file. A condition is a truth value, a number, {@code defined NAME} or {@code version >=
 * 8.1.6}, perhaps behind a {@code !}; nothing joins two of them.
 */
final class SubmitConditions {

    private static final Pattern VERSION = Pattern.compile(
            "version(?:\\s+|(?=!))(!=|[<>=]=?)\\s*v?(\\d+)\\.(\\d+)(?:\\.(\\d+))?", Pattern.CASE_INSENSITIVE);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_./]+");
    private static final Pattern NUMBER = Pattern.compile("-?\\d*\\.?\\d+(?:[eE][-+]?\\d+)?|-?\\d+\\.?");
    private static final Set<String> TRUE = Set.of("true", "yes", "t");
    private static final Set<String> FALSE = Set.of("false", "no", "f");
    /** The version of HTCondor whose conditions are read. */
    private static final int[] CONDOR_VERSION = {25, 14, 0};

    private static final class Level {
        /** Whether the lines of the current branch are read. */
        boolean active;
        /** Whether a branch of this condition was true already. */
        boolean taken;

        boolean elseSeen;
    }

    private final Deque<Level> levels = new ArrayDeque<>();
    private final MacroTable table;
    private final MacroExpander expander;
    private final int limit;

    SubmitConditions(MacroTable table, MacroExpander expander, int limit) {
        this.table = table;
        this.expander = expander;
        this.limit = limit;
    }

    /** Whether lines are read here: the branches around them are all true. */
    boolean active() {
        return levels.stream().allMatch(level -> level.active);
    }

    /** Leaves all conditions: condor_submit reads from one queue statement to the next, and drops the conditions around each. */
    void leaveAll() {
        levels.clear();
    }

    /** Whether any condition is open. */
    boolean inside() {
        return !levels.isEmpty();
    }

    /**
     * Follows a line if it begins with one of the four keywords.
     *
     * @return empty for any other line; else the fault of the line, or an empty text if it has none
     */
    Optional<String> follow(String line) {
        String[] words = line.split("\\s+", 2);
        String rest = words.length > 1 ? words[1].strip() : "";
        return switch (words[0].toLowerCase(Locale.ROOT)) {
            case "if" -> Optional.of(begin(rest));
            case "elif" -> Optional.of(elseIf(rest));
            case "else" -> Optional.of(otherwise());
            case "endif" -> Optional.of(levels.poll() == null ? "endif without matching if" : "");
            default -> Optional.empty();
        };
    }

    private String begin(String condition) {
        if (levels.size() >= limit) {
            return "if nesting too deep!";
        }
        Level level = new Level();
        String problem = active() ? test(condition, level, "if") : "";
        levels.push(level);
        return problem;
    }

    private String elseIf(String condition) {
        Level level = levels.peek();
        if (level == null || level.elseSeen) {
            return level == null ? "elif without matching if" : "elif is not allowed after else";
        }
        levels.pop();
        level.active = false;
        String problem = active() && !level.taken ? test(condition, level, "elif") : "";
        levels.push(level);
        return problem;
    }

    private String otherwise() {
        Level level = levels.peek();
        if (level == null || level.elseSeen) {
            return level == null ? "else without matching if" : "else is not allowed after else";
        }
        level.elseSeen = true;
        level.active = !level.taken;
        level.taken = true;
        return "";
    }

    /** Makes a branch active if its condition is true; returns the fault of the condition, or an empty text. */
    private String test(String condition, Level level, String keyword) {
        try {
            String text =
                    condition.indexOf('$') >= 0 ? expander.expand(condition).strip() : condition;
            boolean inverted = text.startsWith("!");
            String bare = inverted ? text.substring(1).strip() : text;
            // As condor has it, macros that expand to nothing are false, but a condition of nothing is a fault.
            boolean value = (condition.indexOf('$') < 0 || !bare.isEmpty()) && evaluate(bare);
            level.active = value != inverted;
            level.taken = level.active;
            return "";
        } catch (MacroException e) {
            return condition + " is not a valid " + keyword + " condition because " + e.getMessage();
        }
    }

    private boolean evaluate(String text) throws MacroException {
        if (NUMBER.matcher(text).matches()) {
            return Double.parseDouble(text) != 0;
        }
        String word = text.toLowerCase(Locale.ROOT);
        if (TRUE.contains(word) || FALSE.contains(word)) {
            return TRUE.contains(word);
        }
        Matcher version = VERSION.matcher(text);
        if (version.matches()) {
            return version(version);
        }
        if (text.regionMatches(true, 0, "defined", 0, 7) && (text.length() == 7 || text.charAt(7) <= ' ')) {
            return defined(text.substring(7).strip());
        }
        throw new MacroException(
                NAME.matcher(text).matches()
                        ? "expression is not a conditional"
                        : "complex conditionals are not supported");
    }

    private boolean defined(String name) throws MacroException {
        if (name.toLowerCase(Locale.ROOT).startsWith("use ")) {
            throw new MacroException("condor's templates are not known here");
        }
        if (name.isEmpty() || name.equalsIgnoreCase("use")) {
            return false;
        }
        if (!NAME.matcher(name).matches()) {
            throw new MacroException("complex conditionals are not supported");
        }
        // Condor calls a name defined that has a value; a number or truth value is defined by itself.
        String value = table.lookup(name);
        return value != null
                ? !value.isEmpty()
                : SubmitNumbers.truth(name).isPresent() || NUMBER.matcher(name).matches();
    }

    private static boolean version(Matcher version) throws MacroException {
        int[] wanted = {
            number(version.group(2), 0), number(version.group(3), 0), number(version.group(4), CONDOR_VERSION[2])
        };
        if (wanted[0] < 6) {
            throw new MacroException("the version literal is invalid");
        }
        int order = 0;
        for (int i = 0; i < 3 && order == 0; i++) {
            order = Integer.compare(CONDOR_VERSION[i], wanted[i]);
        }
        String operator = version.group(1);
        return operator.startsWith("!")
                ? order != 0
                : (operator.endsWith("=") && order == 0)
                        || (operator.startsWith("<") && order < 0)
                        || (operator.startsWith(">") && order > 0);
    }

    private static int number(String digits, int otherwise) {
        return digits == null ? otherwise : Integer.parseInt(digits.substring(0, Math.min(6, digits.length())));
    }
}
