package org.metasched.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code queue [count] [variables] [in|from|matching [files|dirs|any]] [slice] items}.
 *
 * @param count number of jobs for each item
 * @param mode source of the items
 * @param variables names of the variables for the parts of an item; {@code Item} if none is given
 * @param slice selection of the items
 * @param items the items on the line itself
 * @param source file with the items; {@code <} for the lines that follow; empty for none
 */
record QueueStatement(
        long count, Mode mode, List<String> variables, QueueSlice slice, List<String> items, String source) {

    private static final Pattern KEYWORD = Pattern.compile(
            "(?<![^(\\p{javaWhitespace}])(?:in|from|matching)(?=[(\\p{javaWhitespace}])", Pattern.CASE_INSENSITIVE);

    private static final Set<String> QUALIFIERS = Set.of("files", "dirs", "any");

    enum Mode {
        ONCE,
        IN,
        FROM,
        MATCHING,
        MATCHING_FILES,
        MATCHING_DIRS,
        MATCHING_ANY;

        /** Whether the items are patterns of file names. */
        boolean globs() {
            return ordinal() >= MATCHING.ordinal();
        }
    }

    /** The arguments of a queue statement; empty if the line is another one. */
    static Optional<String> arguments(String line) {
        if (!line.regionMatches(true, 0, "queue", 0, 5)) {
            return Optional.empty();
        }
        if (line.length() > 5 && !Character.isWhitespace(line.charAt(5))) {
            return Optional.empty();
        }
        return Optional.of(line.substring(5).strip());
    }

    /** Reads the arguments, whose macros are expanded already; empty if the count, the slice or a qualifier is invalid. */
    static Optional<QueueStatement> parse(String arguments) {
        return parse(arguments, QueueStatement::count);
    }

    /** Whether more items follow on the next lines, up to a closing parenthesis. */
    static boolean isOpen(String arguments) {
        return parse(arguments, count -> Optional.of(1L))
                .filter(statement -> statement.source.equals("<"))
                .isPresent();
    }

    /** The file with the items, its macros unexpanded; empty if the items are in no file. A count with macros does not matter. */
    static String file(String arguments) {
        return parse(arguments, count -> Optional.of(1L))
                .map(QueueStatement::source)
                .filter(source -> !source.equals("<") && !source.endsWith("|"))
                .orElse("");
    }

    private static Optional<QueueStatement> parse(String arguments, Function<String, Optional<Long>> counter) {
        Matcher keyword = KEYWORD.matcher(arguments);
        if (!keyword.find()) {
            return counter.apply(arguments)
                    .map(n -> new QueueStatement(n, Mode.ONCE, List.of(), QueueSlice.ALL, List.of(), ""));
        }
        Mode mode = Mode.valueOf(keyword.group().toUpperCase(Locale.ROOT));
        String rest = arguments.substring(keyword.end()).strip();
        QueueSlice slice = QueueSlice.ALL;
        boolean more = true;
        while (more) {
            String word = rest.split("[\\s(\\[]", 2)[0].toLowerCase(Locale.ROOT);
            int[] end = new int[1];
            Optional<QueueSlice> next = rest.startsWith("[") ? QueueSlice.at(rest, end) : Optional.empty();
            boolean qualifies = QUALIFIERS.contains(word) && rest.length() > word.length();
            if (rest.startsWith("[") && next.isEmpty() || qualifies && !mode.globs()) {
                return Optional.empty();
            }
            if (next.isPresent()) {
                slice = next.get();
                rest = rest.substring(end[0]).strip();
            } else if (qualifies) {
                mode = Mode.valueOf("MATCHING_" + word.toUpperCase(Locale.ROOT));
                rest = rest.substring(word.length()).strip();
            } else {
                more = false;
            }
        }
        return withItems(arguments.substring(0, keyword.start()), mode, slice, rest, counter);
    }

    private static Optional<QueueStatement> withItems(
            String before, Mode mode, QueueSlice slice, String rest, Function<String, Optional<Long>> counter) {
        List<String> items = new ArrayList<>();
        String source = "";
        if (rest.startsWith("(") && rest.endsWith(")")) {
            addItems(mode, rest.substring(1, rest.length() - 1).strip(), items);
        } else if (rest.startsWith("(")) {
            source = "<";
            addItems(mode, rest.substring(1).strip(), items);
        } else if (mode == Mode.FROM) {
            source = rest;
        } else {
            addItems(mode, rest, items);
        }
        int variablesAt = variablesStart(before);
        List<String> variables = words(before.substring(variablesAt));
        String from = source;
        return counter.apply(before.substring(0, variablesAt))
                .map(n -> new QueueStatement(
                        n, mode, variables.isEmpty() ? List.of("Item") : variables, slice, List.copyOf(items), from));
    }

    /** Adds the items of a text: its words, or with {@code from} the whole line. */
    static void addItems(Mode mode, String text, List<String> items) {
        if (mode == Mode.FROM) {
            if (!text.isEmpty()) {
                items.add(text);
            }
        } else {
            items.addAll(words(text));
        }
    }

    private static List<String> words(String text) {
        return Stream.of(text.split("[\\s,]+")).filter(word -> !word.isEmpty()).toList();
    }

    /** The start of the variables: walks back from the keyword over words that begin with a letter. */
    private static int variablesStart(String before) {
        int end = before.stripTrailing().length();
        int at = end;
        int start = end;
        while (at > 0) {
            char c = before.charAt(at - 1);
            if (Character.isDigit(c)) {
                int letter = at - 1;
                while (letter > 0 && Character.isDigit(before.charAt(letter - 1))) {
                    letter--;
                }
                char owner = letter > 0 ? before.charAt(letter - 1) : ' ';
                if (!Character.isLetter(owner) && owner != '_') {
                    return start;
                }
                at = letter;
            } else if (Character.isWhitespace(c) || Character.isLetter(c) || c == ',' || c == '_' || c == '.') {
                at--;
                start = at;
            } else {
                return start;
            }
        }
        return start;
    }

    private static Optional<Long> count(String text) {
        return text.isBlank()
                ? Optional.of(1L)
                : SubmitNumbers.integer(text).filter(n -> n >= 0 && n < Integer.MAX_VALUE);
    }
}
