package org.metasched.dag;

import org.metasched.dag.VarsReader.Pair;

/** The commands that say something about nodes defined elsewhere: scripts, retries, variables and so on. */
final class ModifierCommands {

    private final CommandReader reader;
    private final DagLexer lexer;

    ModifierCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    void execute(DagCommand command) {
        switch (command) {
            case SCRIPT:
                script();
                break;
            case RETRY:
                retry();
                break;
            case ABORT_DAG_ON:
                abortDagOn();
                break;
            case VARS:
                vars();
                break;
            case PRIORITY:
                single(command, "Missing priority value", "Invalid priority value '%s'");
                break;
            case PRE_SKIP:
                preSkip();
                break;
            case TOLERANCE:
                tolerance();
                break;
            case DONE:
                if (node(command) >= -1) {
                    reader.nothingLeft();
                }
                break;
            case CATEGORY:
                category();
                break;
            default:
                savePoint();
        }
    }

    /** Reads the name of a node: its number, -1 for ALL_NODES, -2 if there is none or it is wrong already. */
    private int node(DagCommand command) {
        if (!lexer.next()) {
            reader.fail("No node name specified");
            return -2;
        }
        return reference(command);
    }

    private int reference(DagCommand command) {
        if (lexer.is("ALL-NODES")) {
            if (command == DagCommand.DONE) {
                reader.fail("ALL_NODES can not be used with DONE command");
                return -2;
            }
            if (command == DagCommand.SAVE_POINT_FILE) {
                reader.fail("ALL_NODES cannot be used for save point file command");
                return -2;
            }
            remember(command, Scope.ALL_NODES);
            return -1;
        }
        int number = reader.scope.number(lexer.bytes(), lexer.from(), lexer.to());
        if (!reader.scope.isJob(number)) {
            remember(command, number);
        }
        return number;
    }

    private void remember(DagCommand command, int number) {
        reader.scope.pending.add(reader.file, reader.line(), reader.column(), command, number);
    }

    private boolean script() {
        boolean typed = false;
        while (!typed) {
            if (!lexer.next()) {
                return reader.fail("Missing script type (PRE, POST, HOLD) and optional sub-commands (DEFER, DEBUG)");
            }
            if (lexer.is("PRE") || lexer.is("POST") || lexer.is("HOLD")) {
                typed = true;
            } else if (lexer.is("DEFER")) {
                if (!number("DEFER missing status value", "Invalid DEFER status value '%s'")
                        || !number("DEFER missing time value", "Invalid DEFER time value '%s'")) {
                    return false;
                }
            } else if (lexer.is("DEBUG")) {
                if (!debug()) {
                    return false;
                }
            } else {
                return reader.fail("Missing script type (PRE, POST, HOLD) and optional sub-commands (DEFER, DEBUG)");
            }
        }
        if (node(DagCommand.SCRIPT) < -1) {
            return false;
        }
        reader.session.scripts = true;
        String script = lexer.rest();
        reader.session.helper(reader.scope.directory, script.split("\\s", 2)[0]);
        return !script.isEmpty() || reader.fail("No script specified");
    }

    private boolean debug() {
        if (!lexer.next()) {
            return reader.fail("DEBUG missing filename");
        }
        if (!lexer.next()) {
            return reader.fail("DEBUG missing output stream type (STDOUT, STDERR, ALL)");
        }
        return lexer.is("STDOUT")
                || lexer.is("STDERR")
                || lexer.is("ALL")
                || reader.fail("Unknown DEBUG output stream type '" + lexer.text() + "'");
    }

    /** Reads a number; the format of the complaint gets the token. */
    private boolean number(String missing, String invalid) {
        return number(missing, invalid, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private boolean number(String missing, String invalid, int least, int most) {
        if (!lexer.next()) {
            return reader.fail(missing);
        }
        try {
            int value = lexer.integer();
            if (value >= least && value <= most) {
                return true;
            }
        } catch (NumberFormatException e) {
            // Told below, with the same words as a number out of range.
        }
        return reader.fail(String.format(java.util.Locale.ROOT, invalid, lexer.text()));
    }

    private boolean retry() {
        if (node(DagCommand.RETRY) < -1
                || !number(
                        "Missing max retry value",
                        "Invalid max retry value '%s' (Must be positive integer)",
                        0,
                        Integer.MAX_VALUE)) {
            return false;
        }
        if (!lexer.next()) {
            return reader.nothingLeft();
        }
        if (!lexer.is("UNLESS-EXIT")) {
            return reader.unexpected();
        }
        return number("UNLESS-EXIT missing exit code", "Invalid UNLESS-EXIT code '%s' specified")
                && reader.nothingLeft();
    }

    private boolean abortDagOn() {
        if (node(DagCommand.ABORT_DAG_ON) < -1
                || !number("Missing exit status to abort on", "Invalid exit status '%s' specified")) {
            return false;
        }
        if (!lexer.next()) {
            return reader.nothingLeft();
        }
        if (!lexer.is("RETURN")) {
            return reader.unexpected();
        }
        return number("RETURN is missing value", "Invalid RETURN code '%s' (Must be between 0 and 255)", 0, 255)
                && reader.nothingLeft();
    }

    private boolean single(DagCommand command, String missing, String invalid) {
        return node(command) >= -1 && number(missing, invalid) && reader.nothingLeft();
    }

    private boolean preSkip() {
        if (node(DagCommand.PRE_SKIP) < -1 || !number("Missing exit code", "Invalid exit code '%s'")) {
            return false;
        }
        if (lexer.integer() < 0 || lexer.integer() > 255) {
            return reader.fail("PRE_SKIP exit code must be between 0 and 255", "It is '" + lexer.text() + "' here.");
        }
        if (lexer.integer() == 0) {
            reader.warn(
                    "Exit code 0 for PRE_SKIP is weird",
                    "Maybe another code was meant: the node is skipped whenever its PRE script succeeds.");
        }
        return reader.nothingLeft();
    }

    private boolean tolerance() {
        if (node(DagCommand.TOLERANCE) < -1) {
            return false;
        }
        if (!lexer.next()) {
            return reader.fail("Missing failure tolerance value");
        }
        if (lexer.bytes()[lexer.from()] == '%') {
            return reader.fail("Empty percentage specified for failure tolerance");
        }
        String text = lexer.text();
        try {
            if (lexer.integer() < 0) {
                return reader.fail("Invalid tolerance value '" + text + "'");
            }
        } catch (NumberFormatException e) {
            return reader.fail("Invalid tolerance value '" + text + "'");
        }
        while (lexer.next()) {
            if (!lexer.is("%") && !lexer.is("FAIL-FAST") && !lexer.is("WAIT")) {
                return reader.unexpected();
            }
        }
        return !lexer.unclosed() || reader.fail("");
    }

    private boolean category() {
        if (node(DagCommand.CATEGORY) < -1) {
            return false;
        }
        if (!lexer.next()) {
            return reader.fail("No category name specified");
        }
        // Before the last word, which is the category, any number of nodes may stand.
        while (true) {
            String word = lexer.text();
            if (lexer.atEnd()) {
                reader.scope.usedCategories.add(word);
                return true;
            }
            reference(DagCommand.CATEGORY);
            if (!lexer.next()) {
                return reader.fail("");
            }
        }
    }

    private boolean savePoint() {
        if (node(DagCommand.SAVE_POINT_FILE) < -1) {
            return false;
        }
        lexer.nextUnquoted();
        return reader.nothingLeft();
    }

    private boolean vars() {
        if (node(DagCommand.VARS) < -1) {
            return false;
        }
        VarsReader vars = new VarsReader(lexer, true);
        int pairs = 0;
        Pair pair = vars.next();
        while (pair != null) {
            if (!pair.problem().isEmpty()) {
                return reader.fail(pair.problem(), pair.hint());
            }
            pairs++;
            pair = vars.next();
        }
        return pairs > 0 || reader.fail("No key=value pairs specified");
    }
}
