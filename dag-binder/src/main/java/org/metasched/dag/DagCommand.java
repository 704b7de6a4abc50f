package org.metasched.dag;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.text.NearestKey;

/**
 * The commands of the DAGMan language, each with its form, and whether the program that runs the DAG has to know of the command
 * itself. {@code -} and {@code _} are the same in keywords.
 */
enum DagCommand {
    JOB("JOB <name> <submit description> [DIR <directory>] [NOOP] [DONE]"),
    SUBDAG("SUBDAG EXTERNAL <name> <DAG file> [DIR <directory>] [NOOP] [DONE]"),
    FINAL("FINAL <name> <submit description> [DIR <directory>] [NOOP]"),
    PROVISIONER("PROVISIONER <name> <submit description> [DIR <directory>] [NOOP]"),
    SERVICE("SERVICE <name> <submit description> [DIR <directory>] [NOOP]"),
    SPLICE("SPLICE <name> <DAG file> [DIR <directory>]"),
    SUBMIT_DESCRIPTION("SUBMIT-DESCRIPTION <name> { ... }, the closing brace on a line of its own"),
    PARENT("[WEAK] PARENT <node>... CHILD <node>..."),
    WEAK("WEAK PARENT <node>... CHILD <node>...", true),
    SCRIPT(
            "SCRIPT [DEFER <status> <seconds>] [DEBUG <file> STDOUT|STDERR|ALL] PRE|POST|HOLD <node> <executable> [<argument>...]"),
    RETRY("RETRY <node> <times> [UNLESS-EXIT <code>]"),
    ABORT_DAG_ON("ABORT-DAG-ON <node> <status> [RETURN <0..255>]", true),
    VARS("VARS <node> [PREPEND|APPEND] <key>=\"<value>\"..."),
    PRIORITY("PRIORITY <node> <integer>", true),
    PRE_SKIP("PRE_SKIP <node> <exit code>"),
    TOLERANCE("TOLERANCE <node> <count>[%] [FAIL-FAST|WAIT]", true),
    DONE("DONE <node>"),
    CATEGORY("CATEGORY <node>... <category>", true),
    MAXJOBS("MAXJOBS <category> <limit>", true),
    CONFIG("CONFIG <file>", true),
    INCLUDE("INCLUDE <DAG file>"),
    DOT("DOT <file> [UPDATE|DONT-UPDATE] [OVERWRITE|DONT-OVERWRITE] [INCLUDE <header file>]", true),
    NODE_STATUS_FILE("NODE_STATUS_FILE <file> [<seconds>] [ALWAYS-UPDATE]", true),
    JOBSTATE_LOG("JOBSTATE_LOG <file>", true),
    SAVE_POINT_FILE("SAVE_POINT_FILE <node> [<file>]", true),
    SET_JOB_ATTR("SET_JOB_ATTR <attribute> = <expression>", true),
    ENV("ENV GET <name>... or ENV SET <name>=<value>;..."),
    REJECT("REJECT"),
    CONNECT("CONNECT <splice> <splice>"),
    PIN_IN("PIN_IN <node> <number>"),
    PIN_OUT("PIN_OUT <node> <number>");

    private static final DagCommand[] ALL = values();

    private final String keyword = name().replace('_', '-');
    /** The form of the command, for messages. */
    final String syntax;
    /** Whether the command is kept for the runner, as a {@link DagNodes.RunnerCommand}. */
    final boolean isForRunner;

    DagCommand(String syntax) {
        this(syntax, false);
    }

    DagCommand(String syntax, boolean isForRunner) {
        this.syntax = syntax;
        this.isForRunner = isForRunner;
    }

    /** The command whose keyword stands in {@code bytes[from, to)}, ignoring case, with {@code -} or {@code _}; null if there is none. */
    static @Nullable DagCommand of(byte[] bytes, int from, int to) {
        for (DagCommand command : ALL) {
            if (DagLexer.isKeyword(bytes, from, to, command.keyword)) {
                return command;
            }
        }
        return null;
    }

    /** A sentence about the command that the user may have meant by an unknown word; may be empty. */
    static String hint(String word) {
        String upper = word.toUpperCase(Locale.ROOT).replace('-', '_');
        if (word.startsWith("\ufeff")) {
            return "Maybe the file begins with a byte order mark; condor does not skip it. Save it without.";
        }
        return switch (upper) {
            case "DATA" -> "Maybe this DAG was written for Stork: DATA is no command any more.";
            case "NODE" -> "Maybe you meant JOB.";
            case "TASK", "EDGE" -> "Maybe this file is for pegasus-mpi-cluster, which has its own DAG format.";
            default ->
                NearestKey.of(upper, Stream.of(ALL).map(DagCommand::name).toList())
                        .map(name -> "Maybe you meant " + name + ".")
                        .orElse("");
        };
    }
}
