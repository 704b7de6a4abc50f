package org.metasched.submit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.submit.MacroExpander.MacroException;

/** Reads the lines of a description into the table of settings, and calls for jobs at each queue statement. */
final class SubmitParser {

    /** Makes jobs of the settings as they stand. */
    interface Queue {
        void queue(String arguments, SubmitLines lines) throws IOException, SubmitException;
    }

    private final MacroTable table;
    private final MacroExpander expander;
    private final SubmitContext context;
    private final Queue queue;

    SubmitParser(MacroTable table, MacroExpander expander, SubmitContext context, Queue queue) {
        this.table = table;
        this.expander = expander;
        this.context = context;
        this.queue = queue;
    }

    void parse(BufferedReader in, String file, int depth) throws IOException, SubmitException {
        SubmitLines lines = new SubmitLines(in, file, context.limits().lineBytes());
        Conditions conditions = new Conditions(table, expander, context.limits().depth());
        String line = lines.next();
        while (line != null) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                if (line.startsWith(":") && (conditions.inside() || line.matches(":if(\\s.*)?"))) {
                    line = line.substring(1).strip();
                }
                Optional<String> condition = conditions.line(line);
                if (condition.isPresent()) {
                    if (!condition.get().isEmpty()) {
                        throw error(lines, condition.get());
                    }
                } else if (conditions.active() && statement(line, lines, depth)) {
                    conditions.forget();
                }
            }
            line = lines.next();
        }
    }

    /** Reads a statement, and says whether it was a queue statement. */
    private boolean statement(String line, SubmitLines lines, int depth) throws IOException, SubmitException {
        int end = 0;
        while (end < line.length() && !isOperator(line.charAt(end)) && !Character.isWhitespace(line.charAt(end))) {
            end++;
        }
        String name = line.substring(0, end);
        int at = end;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        boolean wordBefore = at < line.length() && !isOperator(line.charAt(at)) && line.charAt(at) != '@';
        int operatorAt = at;
        while (operatorAt < line.length() && !isOperator(line.charAt(operatorAt)) && line.charAt(operatorAt) != '@') {
            operatorAt++;
        }
        char operator = operatorAt < line.length() ? line.charAt(operatorAt) : '\0';
        boolean here = line.startsWith("@=", operatorAt);
        String value = operator == '\0'
                ? ""
                : line.substring(operatorAt + (here ? 2 : 1)).strip();
        if (operator == ':' && isKeyword(name, wordBefore)) {
            keyword(name, line.substring(end, operatorAt).strip(), value, lines, depth);
        } else if (wordBefore || (operator != '=' && !here) || name.equalsIgnoreCase("queue")) {
            queue(line, lines, depth);
            return true;
        } else if (here) {
            hereDocument(name, value, lines);
        } else {
            assign(name, value, lines);
        }
        return false;
    }

    private static boolean isKeyword(String name, boolean wordBefore) {
        String bare = name.startsWith("@") ? name.substring(1) : name;
        switch (bare.toLowerCase(Locale.ROOT)) {
            case "include":
            case "use":
            case "error":
            case "warning":
                return true;
            default:
                return false;
        }
    }

    private void keyword(String name, String words, String value, SubmitLines lines, int depth)
            throws IOException, SubmitException {
        String bare = name.startsWith("@") ? name.substring(1) : name;
        switch (bare.toLowerCase(Locale.ROOT)) {
            case "include":
                include(words, expand(value, lines), lines, depth);
                break;
            case "use":
                throw error(lines, "use " + words + ": does not recognise " + value);
            case "error":
                throw error(lines, expand(value, lines));
            default:
            // A warning is for whoever runs condor_submit; there is nobody here to read it.
        }
    }

    private void include(String words, String name, SubmitLines lines, int depth) throws IOException, SubmitException {
        String options = words.toLowerCase(Locale.ROOT);
        boolean mayBeMissing = options.startsWith("ifexist");
        String rest = options.replaceFirst("^ifexists?\\s*", "");
        if (rest.startsWith("command") || rest.startsWith("output") || name.endsWith("|")) {
            throw error(lines, "The file includes the output of a command (" + name + "), which is not run.");
        }
        if (!rest.isEmpty()) {
            throw error(lines, "unexpected keyword(s) '" + words + "' after include");
        }
        if (depth + 1 >= context.limits().depth()) {
            throw error(lines, "includes nested too deep");
        }
        Path path = context.directory().resolve(name);
        try (BufferedReader in = Files.newBufferedReader(path, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            parse(new Utf8Lines(in), name, depth + 1);
        } catch (NoSuchFileException e) {
            if (!mayBeMissing) {
                throw error(lines, "can't open file " + name + ": No such file or directory");
            }
        }
    }

    private void queue(String line, SubmitLines lines, int depth) throws IOException, SubmitException {
        Optional<String> arguments = QueueStatement.arguments(line);
        if (arguments.isEmpty()) {
            throw error(
                    lines,
                    "Failed to parse command file (line " + lines.line() + "): expected a setting (name = value) or"
                            + " a queue statement, not: " + MacroExpander.shortened(line));
        }
        if (depth > 0) {
            throw error(lines, "Queue statement not allowed in include file or command");
        }
        queue.queue(arguments.get(), lines);
    }

    private void hereDocument(String name, String tag, SubmitLines lines) throws IOException, SubmitException {
        StringBuilder text = new StringBuilder();
        int begin = lines.line();
        @Nullable String line = lines.next();
        while (line != null && !line.equals("@" + tag)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                text.append(text.length() > 0 ? "\n" : "").append(line);
            }
            if (text.length() > context.limits().expandedChars()) {
                throw error(lines, "The value of " + name + " is too long.");
            }
            line = lines.next();
        }
        if (line == null) {
            throw error(lines, "Found end-of-file while scanning for '@" + tag + "', opened on line " + begin);
        }
        checkName(name, lines);
        table.put(name, expander.expandSelf(text.toString(), name), begin);
    }

    private void assign(String written, String value, SubmitLines lines) throws SubmitException {
        String name = expand(written, lines);
        if (name.startsWith("+") || name.startsWith("-")) {
            String attribute = "MY." + name.substring(1);
            table.put(attribute, name.startsWith("+") ? expander.expandSelf(value, attribute) : "", lines.line());
            return;
        }
        checkName(name, lines);
        table.put(name, expander.expandSelf(value, name), lines.line());
    }

    private static void checkName(String name, SubmitLines lines) throws SubmitException {
        boolean legal = !name.isEmpty();
        for (int i = 0; i < name.length(); i++) {
            legal &= MacroScanner.isNameLetter(name.charAt(i));
        }
        if (!legal) {
            throw error(lines, "Illegal Identifier: <" + MacroExpander.shortened(name) + ">");
        }
    }

    private String expand(String text, SubmitLines lines) throws SubmitException {
        try {
            return expander.expand(text);
        } catch (MacroException e) {
            throw error(lines, String.valueOf(e.getMessage()));
        }
    }

    private static SubmitException error(SubmitLines lines, String reason) {
        return new SubmitException(lines.file(), lines.line(), reason);
    }

    private static boolean isOperator(char c) {
        return c == '=' || c == ':';
    }
}
