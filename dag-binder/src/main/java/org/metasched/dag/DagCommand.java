package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands of the DAGMan language, each with the form a user should have written. {@code -} and {@code _} are the same in them. */
enum DagCommand {
    JOB("JOB <name> <submit description> [DIR <directory>] [NOOP] [DONE]"),
    SUBDAG("SUBDAG EXTERNAL <name> <DAG file> [DIR <directory>] [NOOP] [DONE]"),
    FINAL("FINAL <name> <submit description> [DIR <directory>] [NOOP]"),
    PROVISIONER("PROVISIONER <name> <submit description> [DIR <directory>] [NOOP]"),
    SERVICE("SERVICE <name> <submit description> [DIR <directory>] [NOOP]"),
    SPLICE("SPLICE <name> <DAG file> [DIR <directory>]"),
    SUBMIT_DESCRIPTION("SUBMIT-DESCRIPTION <name> { ... }, the closing brace on a line of its own"),
    PARENT("[WEAK] PARENT <node>... CHILD <node>..."),
    WEAK("WEAK PARENT <node>... CHILD <node>..."),
    SCRIPT(
            "SCRIPT [DEFER <status> <seconds>] [DEBUG <file> STDOUT|STDERR|ALL] PRE|POST|HOLD <node> <executable> [<argument>...]"),
    RETRY("RETRY <node> <times> [UNLESS-EXIT <code>]"),
    ABORT_DAG_ON("ABORT-DAG-ON <node> <status> [RETURN <0..255>]"),
    VARS("VARS <node> [PREPEND|APPEND] <key>=\"<value>\"..."),
    PRIORITY("PRIORITY <node> <integer>"),
    PRE_SKIP("PRE_SKIP <node> <exit code>"),
    TOLERANCE("TOLERANCE <node> <count>[%] [FAIL-FAST|WAIT]"),
    DONE("DONE <node>"),
    CATEGORY("CATEGORY <node>... <category>"),
    MAXJOBS("MAXJOBS <category> <limit>"),
    CONFIG("CONFIG <file>"),
    INCLUDE("INCLUDE <DAG file>"),
    DOT("DOT <file> [UPDATE|DONT-UPDATE] [OVERWRITE|DONT-OVERWRITE] [INCLUDE <header file>]"),
    NODE_STATUS_FILE("NODE_STATUS_FILE <file> [<seconds>] [ALWAYS-UPDATE]"),
    JOBSTATE_LOG("JOBSTATE_LOG <file>"),
    SAVE_POINT_FILE("SAVE_POINT_FILE <node> [<file>]"),
    SET_JOB_ATTR("SET_JOB_ATTR <attribute> = <expression>"),
    ENV("ENV GET <name>... or ENV SET <name>=<value>;..."),
    REJECT("REJECT"),
    CONNECT("CONNECT <splice> <splice>"),
    PIN_IN("PIN_IN <node> <number>"),
    PIN_OUT("PIN_OUT <node> <number>");

    private static final DagCommand[] ALL = values();

    private final byte[] keyword = name().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private final String syntax;

    DagCommand(String syntax) {
        this.syntax = syntax;
    }

    /** How the command is written. */
    String syntax() {
        return syntax;
    }

    boolean definesNode() {
        return ordinal() <= SERVICE.ordinal();
    }

    /** The command whose keyword stands in {@code bytes[from, to)}, in any case, with either dash; null if there is none. */
    static @Nullable DagCommand of(byte[] bytes, int from, int to) {
        for (DagCommand command : ALL) {
            if (command.keyword.length == to - from && command.isAt(bytes, from)) {
                return command;
            }
        }
        return null;
    }

    private boolean isAt(byte[] bytes, int from) {
        for (int i = 0; i < keyword.length; i++) {
            int c = bytes[from + i];
            int upper = c >= 'a' && c <= 'z' ? c - 32 : c == '-' ? '_' : c;
            if (upper != keyword[i]) {
                return false;
            }
        }
        return true;
    }

    /** What the user may have meant by a word that is no command. */
    static String hint(String word) {
        String upper = word.toUpperCase(Locale.ROOT).replace('-', '_');
        if (word.startsWith("\ufeff")) {
            return "Maybe the file begins with a byte order mark; condor does not skip it. Save it without.";
        }
        switch (upper) {
            case "DATA":
                return "Maybe this DAG was written for Stork: DATA is no command any more.";
            case "NODE":
                return "Maybe you meant JOB.";
            case "TASK":
            case "EDGE":
                return "Maybe this file is for pegasus-mpi-cluster, which has its own DAG format.";
            default:
                List<String> names = new ArrayList<>();
                for (DagCommand command : ALL) {
                    names.add(command.name());
                }
                return Spelling.nearest(upper, names)
                        .map(name -> "Maybe you meant " + name + ".")
                        .orElse("");
        }
    }
}
