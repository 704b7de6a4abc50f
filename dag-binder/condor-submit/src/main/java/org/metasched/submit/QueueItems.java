package org.metasched.submit;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the items of a queue statement: in the description, in a file, or by file name patterns. */
final class QueueItems {

    private final SubmitContext context;
    private final SubmitLines lines;

    /** @param lines behind the queue statement */
    QueueItems(SubmitContext context, SubmitLines lines) {
        this.context = context;
        this.lines = lines;
    }

    /** All items before slicing; just one empty item for a queue without any. */
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
        Set<String> found = new LinkedHashSet<>();
        for (String pattern : patterns) {
            for (String name : files.matches(pattern)) {
                if (isWanted(mode, name.endsWith("/"))) {
                    found.add(name);
                }
            }
        }
        return List.copyOf(found);
    }

    private static boolean isWanted(QueueStatement.Mode mode, boolean isDirectory) {
        return switch (mode) {
            case MATCHING_FILES -> !isDirectory;
            case MATCHING_DIRS -> isDirectory;
            default -> true;
        };
    }

    /**
     * Gives each variable its part of an item: the first ones up to a comma or blank, the last one the rest. An item that runs out
     * of parts leaves the other variables out, so that they keep their former values, as condor does.
     */
    static List<String> split(String item, int variables) {
        List<String> parts = new ArrayList<>();
        if (item.isBlank() && variables > 1) {
            return parts;
        }
        if (item.indexOf('\u001f') >= 0) {
            for (String part : item.split("\u001f", variables)) {
                parts.add(part.strip());
            }
            return parts;
        }
        int at = 0;
        while (at < item.length() && isBlank(item.charAt(at))) {
            at++;
        }
        while (parts.size() < variables - 1 && at < item.length()) {
            int end = at;
            while (end < item.length() && item.charAt(end) != ',' && !isBlank(item.charAt(end))) {
                end++;
            }
            parts.add(item.substring(at, end));
            boolean more = end < item.length();
            at = Math.min(end + 1, item.length());
            while (at < item.length() && isBlank(item.charAt(at))) {
                at++;
            }
            if (!more) {
                return parts;
            }
        }
        if (parts.size() < variables) {
            parts.add(item.substring(at));
        }
        return parts;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
