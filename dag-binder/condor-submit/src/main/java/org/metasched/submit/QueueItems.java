package org.metasched.submit;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the items of a queue statement: in the description, in a file, or by file name patterns.
 *
 * @param lines the lines of the description; the next one is that behind the queue statement
 */
record QueueItems(SubmitContext context, SubmitLines lines) {

    private static final Pattern LEADING_BLANKS = Pattern.compile("^[ \t]+");

    /** All items before slicing; one empty item for a queue statement without items. */
    List<String> load(QueueStatement queue) throws IOException, SubmitException {
        if (queue.mode() == QueueStatement.Mode.ONCE) {
            return List.of("");
        }
        List<String> items = new ArrayList<>(queue.items());
        if (queue.source().equals("<")) {
            readInline(queue, items);
        } else if (!queue.source().isEmpty()) {
            readFile(queue.source(), items);
        }
        return queue.mode().globs() ? glob(queue.mode(), items) : items;
    }

    private void readInline(QueueStatement queue, List<String> items) throws SubmitException {
        int begin = lines.line();
        String line = lines.next();
        while (line != null && !line.startsWith(")")) {
            if (!line.startsWith("#")) {
                QueueStatement.addItems(queue.mode(), line, items);
            }
            check(items);
            line = lines.next();
        }
        if (line == null) {
            throw lines.error(
                    "Reached end of file without finding closing brace ')' for Queue command on line " + begin);
        }
    }

    private void readFile(String name, List<String> items) throws IOException, SubmitException {
        if (name.endsWith("|")) {
            throw lines.error("The items of a queue come from a command (" + name + "), which is not run.");
        }
        try {
            String text = SubmitLines.read(context.directory().resolve(name));
            SubmitLines source = new SubmitLines(text, name, context.limits().lineBytes());
            for (String line = source.next(); line != null; line = source.next()) {
                items.add(line);
                check(items);
            }
        } catch (NoSuchFileException e) {
            throw lines.error("can't open file " + name + ": No such file or directory");
        }
    }

    private void check(List<String> items) throws SubmitException {
        if (items.size() > context.limits().jobs()) {
            throw lines.error("The queue has more than " + context.limits().jobs() + " items.");
        }
    }

    private List<String> glob(QueueStatement.Mode mode, List<String> patterns) throws IOException {
        PathPatterns files = new PathPatterns(context.directory());
        Set<String> names = new LinkedHashSet<>();
        for (String pattern : patterns) {
            names.addAll(files.matches(pattern));
        }
        return names.stream().filter(name -> isWanted(mode, name.endsWith("/"))).toList();
    }

    private static boolean isWanted(QueueStatement.Mode mode, boolean isDirectory) {
        return switch (mode) {
            case MATCHING_FILES -> !isDirectory;
            case MATCHING_DIRS -> isDirectory;
            default -> true;
        };
    }

    /**
     * The parts of an item for so many variables: each ends at a comma or blank, but the last is the rest. If there are fewer parts than
     * variables, the other variables keep their former values, as in condor.
     */
    static List<String> split(String item, int variables) {
        if (variables == 0 || item.isBlank() && variables > 1) {
            return List.of();
        }
        // With an ASCII unit separator in it, an item is divided there only.
        if (item.indexOf('\u001f') >= 0) {
            return Stream.of(item.split("\u001f", variables)).map(String::strip).toList();
        }
        return List.of(LEADING_BLANKS.matcher(item).replaceFirst("").split("[, \t][ \t]*", variables));
    }
}
