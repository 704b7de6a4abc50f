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

    /** Carries out a statement, and says whether it was a queue statement. */
    private boolean statement(String line, SubmitLines lines, int depth) throws IOException, SubmitException {
        SubmitStatement statement = SubmitStatement.of(line, "", lines.line());
        switch (statement.kind()) {
            case KEYWORD -> keyword(statement, lines, depth);
            case HERE_DOCUMENT -> hereDocument(statement.name(), statement.value(), lines);
            case SETTING -> assign(statement.name(), statement.value(), lines);
            default -> queue(statement, lines, depth);
        }
        return statement.kind() == SubmitStatement.Kind.QUEUE;
    }

    private void keyword(SubmitStatement statement, SubmitLines lines, int depth) throws IOException, SubmitException {
        switch (statement.name()) {
            case "include" -> include(statement.words(), expand(statement.value(), lines), lines, depth);
            case "use" -> throw error(lines, "use " + statement.words() + ": does not recognise " + statement.value());
            case "error" -> throw error(lines, expand(statement.value(), lines));
            default -> {
                // A warning is for the user of condor_submit, who is not there to read it.
            }
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

    private void queue(SubmitStatement statement, SubmitLines lines, int depth) throws IOException, SubmitException {
        if (statement.kind() != SubmitStatement.Kind.QUEUE) {
            throw error(
                    lines,
                    "Failed to parse command file (line " + lines.line() + "): expected a setting (name = value) or"
                            + " a queue statement, not: " + MacroExpander.shortened(statement.value()));
        }
        if (depth > 0) {
            throw error(lines, "Queue statement not allowed in include file or command");
        }
        queue.queue(statement.value(), lines);
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
}
