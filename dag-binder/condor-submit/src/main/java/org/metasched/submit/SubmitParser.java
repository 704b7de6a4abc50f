package org.metasched.submit;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.submit.MacroExpander.MacroException;

/**
 * Reads the lines of one file of a description into the table of settings; at each queue statement, {@code queue} makes jobs.
 *
 * @param queue maker of jobs from the current settings
 * @param depth number of files around this one, each included by the one before; 0 for the description itself
 */
record SubmitParser(
        MacroTable table, MacroExpander expander, SubmitContext context, Queue queue, SubmitLines lines, int depth) {

    /** Makes jobs from the current settings. */
    interface Queue {
        void queue(String arguments, SubmitLines lines) throws IOException, SubmitException;
    }

    void parse() throws IOException, SubmitException {
        SubmitConditions conditions =
                new SubmitConditions(table, expander, context.limits().depth());
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith(":") && (conditions.inside() || line.matches(":if(\\s.*)?"))) {
                line = line.substring(1).strip();
            }
            Optional<String> condition = conditions.follow(line);
            if (condition.isPresent()) {
                if (!condition.get().isEmpty()) {
                    throw lines.error(condition.get());
                }
            } else if (conditions.active() && statement(line)) {
                conditions.leaveAll();
            }
        }
    }

    /** Carries out a statement; returns whether it was a queue statement. */
    private boolean statement(String line) throws IOException, SubmitException {
        SubmitStatement statement = SubmitStatement.of(line, "", lines.line());
        switch (statement.kind()) {
            case KEYWORD -> keyword(statement);
            case HERE_DOCUMENT -> hereDocument(statement.name(), statement.value());
            case SETTING -> assign(statement.name(), statement.value());
            default -> queue(statement);
        }
        return statement.kind() == SubmitStatement.Kind.QUEUE;
    }

    private void keyword(SubmitStatement statement) throws IOException, SubmitException {
        switch (statement.name()) {
            case "include" -> include(statement.words(), expand(statement.value(), null));
            case "use" -> throw lines.error("use " + statement.words() + ": does not recognise " + statement.value());
            case "error" -> throw lines.error(expand(statement.value(), null));
            default -> {
                // A warning is for the user of condor_submit, who is not there to read it.
            }
        }
    }

    private void include(String words, String name) throws IOException, SubmitException {
        String options = words.toLowerCase(Locale.ROOT);
        boolean mayBeMissing = options.startsWith("ifexist");
        String rest = options.replaceFirst("^ifexists?\\s*", "");
        if (rest.startsWith("command") || rest.startsWith("output") || name.endsWith("|")) {
            throw lines.error("The file includes the output of a command (" + name + "), which is not run.");
        }
        if (!rest.isEmpty()) {
            throw lines.error("unexpected keyword(s) '" + words + "' after include");
        }
        if (depth + 1 >= context.limits().depth()) {
            throw lines.error("includes nested too deep");
        }
        try {
            String text = SubmitLines.read(context.directory().resolve(name));
            SubmitLines included = new SubmitLines(text, name, context.limits().lineBytes());
            new SubmitParser(table, expander, context, queue, included, depth + 1).parse();
        } catch (NoSuchFileException e) {
            if (!mayBeMissing) {
                throw lines.error("can't open file " + name + ": No such file or directory");
            }
        }
    }

    private void queue(SubmitStatement statement) throws IOException, SubmitException {
        if (statement.kind() != SubmitStatement.Kind.QUEUE) {
            throw lines.error("Failed to parse command file (line " + lines.line()
                    + "): expected a setting (name = value) or a queue statement, not: "
                    + MacroExpander.shortened(statement.value()));
        }
        if (depth > 0) {
            throw lines.error("Queue statement not allowed in include file or command");
        }
        queue.queue(statement.value(), lines);
    }

    private void hereDocument(String name, String tag) throws SubmitException {
        StringBuilder text = new StringBuilder();
        int begin = lines.line();
        @Nullable String line = lines.next();
        while (line != null && !line.equals("@" + tag)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                text.append(text.length() > 0 ? "\n" : "").append(line);
            }
            if (text.length() > context.limits().expandedChars()) {
                throw lines.error("The value of " + name + " is too long.");
            }
            line = lines.next();
        }
        if (line == null) {
            throw lines.error("Found end-of-file while scanning for '@" + tag + "', opened on line " + begin);
        }
        put(name, text.toString(), begin);
    }

    private void assign(String written, String value) throws SubmitException {
        String name = expand(written, null);
        if (name.startsWith("+") || name.startsWith("-")) {
            String attribute = "MY." + name.substring(1);
            table.put(attribute, name.startsWith("+") ? expand(value, attribute) : "", lines.file, lines.line());
        } else {
            put(name, value, lines.line());
        }
    }

    private void put(String name, String value, int line) throws SubmitException {
        if (name.isEmpty() || !name.chars().allMatch(c -> MacroScanner.isNameLetter((char) c))) {
            throw lines.error("Illegal Identifier: <" + MacroExpander.shortened(name) + ">");
        }
        table.put(name, expand(value, name), lines.file, line);
    }

    /** @param self setting to whose former value references are expanded; null to expand all macros */
    private String expand(String text, @Nullable String self) throws SubmitException {
        try {
            return self == null ? expander.expand(text) : expander.expandSelf(text, self);
        } catch (MacroException e) {
            throw lines.error(String.valueOf(e.getMessage()));
        }
    }
}
