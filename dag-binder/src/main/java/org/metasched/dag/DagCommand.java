package org.metasched.dag;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the DAGMan language: a table of the form a user should have written, whether whoever runs the DAG has to know of the
 * command itself, and how the rest of its line is read. {@code -} and {@code _} are the same in keywords.
 */
enum DagCommand {
    JOB(
            "JOB <name> <submit description> [DIR <directory>] [NOOP] [DONE]",
            line -> new NodeCommands(line).node(NodeKind.JOB)),
    SUBDAG(
            "SUBDAG EXTERNAL <name> <DAG file> [DIR <directory>] [NOOP] [DONE]",
            line -> new NodeCommands(line).subdag()),
    FINAL(
            "FINAL <name> <submit description> [DIR <directory>] [NOOP]",
            line -> new NodeCommands(line).node(NodeKind.FINAL)),
    PROVISIONER(
            "PROVISIONER <name> <submit description> [DIR <directory>] [NOOP]",
            line -> new NodeCommands(line).node(NodeKind.PROVISIONER)),
    SERVICE(
            "SERVICE <name> <submit description> [DIR <directory>] [NOOP]",
            line -> new NodeCommands(line).node(NodeKind.SERVICE)),
    SPLICE("SPLICE <name> <DAG file> [DIR <directory>]", line -> new NodeCommands(line).splice()),
    SUBMIT_DESCRIPTION(
            "SUBMIT-DESCRIPTION <name> { ... }, the closing brace on a line of its own",
            line -> new NodeCommands(line).submitDescription()),
    PARENT("[WEAK] PARENT <node>... CHILD <node>...", line -> new GraphCommands(line).dependencies(false)),
    WEAK("WEAK PARENT <node>... CHILD <node>...", true, line -> new GraphCommands(line).dependencies(true)),
    SCRIPT(
            "SCRIPT [DEFER <status> <seconds>] [DEBUG <file> STDOUT|STDERR|ALL] PRE|POST|HOLD <node> <executable> [<argument>...]",
            line -> new ModifierCommands(line).script()),
    RETRY("RETRY <node> <times> [UNLESS-EXIT <code>]", line -> new ModifierCommands(line).retry()),
    ABORT_DAG_ON(
            "ABORT-DAG-ON <node> <status> [RETURN <0..255>]", true, line -> new ModifierCommands(line).abortDagOn()),
    VARS("VARS <node> [PREPEND|APPEND] <key>=\"<value>\"...", line -> new ModifierCommands(line).variables()),
    PRIORITY("PRIORITY <node> <integer>", true, line -> new ModifierCommands(line).priority()),
    PRE_SKIP("PRE_SKIP <node> <exit code>", line -> new ModifierCommands(line).preSkip()),
    TOLERANCE("TOLERANCE <node> <count>[%] [FAIL-FAST|WAIT]", true, line -> new ModifierCommands(line).tolerance()),
    DONE("DONE <node>", line -> new ModifierCommands(line).done()),
    CATEGORY("CATEGORY <node>... <category>", true, line -> new ModifierCommands(line).category()),
    MAXJOBS("MAXJOBS <category> <limit>", true, line -> new GlobalCommands(line).throttle()),
    CONFIG("CONFIG <file>", true, line -> new GlobalCommands(line).configuration()),
    INCLUDE("INCLUDE <DAG file>", line -> new GlobalCommands(line).include()),
    DOT(
            "DOT <file> [UPDATE|DONT-UPDATE] [OVERWRITE|DONT-OVERWRITE] [INCLUDE <header file>]",
            true,
            line -> new GlobalCommands(line).dot()),
    NODE_STATUS_FILE(
            "NODE_STATUS_FILE <file> [<seconds>] [ALWAYS-UPDATE]",
            true,
            line -> new GlobalCommands(line).nodeStatusFile()),
    JOBSTATE_LOG("JOBSTATE_LOG <file>", true, line -> new GlobalCommands(line).jobStateLog()),
    SAVE_POINT_FILE("SAVE_POINT_FILE <node> [<file>]", true, line -> new ModifierCommands(line).savePoint()),
    SET_JOB_ATTR("SET_JOB_ATTR <attribute> = <expression>", true, line -> new GlobalCommands(line).jobAttribute()),
    ENV("ENV GET <name>... or ENV SET <name>=<value>;...", line -> new GlobalCommands(line).environment()),
    REJECT("REJECT", line -> new GlobalCommands(line).reject()),
    CONNECT("CONNECT <splice> <splice>", line -> new GraphCommands(line).connect()),
    PIN_IN("PIN_IN <node> <number>", line -> new GraphCommands(line).pin(false)),
    PIN_OUT("PIN_OUT <node> <number>", line -> new GraphCommands(line).pin(true));

    private static final DagCommand[] ALL = values();

    private final byte[] keyword = name().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private final String syntax;

    private final boolean isRemarked;
    private final Reading reading;

    DagCommand(String syntax, Reading reading) {
        this(syntax, false, reading);
    }

    DagCommand(String syntax, boolean isRemarked, Reading reading) {
        this.syntax = syntax;
        this.isRemarked = isRemarked;
        this.reading = reading;
    }

    /** Reads what stands behind a keyword: checks it, and puts it where the graph and its nodes are collected. */
    @FunctionalInterface
    interface Reading {
        void read(CommandReader line) throws IOException, RefusedCommandException;
    }

    /** How the command is written. */
    String syntax() {
        return syntax;
    }

    /** Whether the command is a {@link DagNodes.Remark}. */
    boolean isRemarked() {
        return isRemarked;
    }

    void read(CommandReader line) throws IOException, RefusedCommandException {
        reading.read(line);
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
        return switch (upper) {
            case "DATA" -> "Maybe this DAG was written for Stork: DATA is no command any more.";
            case "NODE" -> "Maybe you meant JOB.";
            case "TASK", "EDGE" -> "Maybe this file is for pegasus-mpi-cluster, which has its own DAG format.";
            default ->
                Spelling.nearest(upper, Stream.of(ALL).map(DagCommand::name).toList())
                        .map(name -> "Maybe you meant " + name + ".")
                        .orElse("");
        };
    }
}
