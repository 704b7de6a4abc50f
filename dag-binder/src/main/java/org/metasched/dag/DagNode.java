package org.metasched.dag;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A node with its properties for a runner. Immutable.
 *
 * @param name the node's name with those of its splices before it, as in {@code splice+node}
 * @param place file and line of its definition
 * @param directory working directory, to which the node's files are relative; relative to the DAG's own, for which it is empty
 * @param description the submit description: a file as written, or the name of one that stands in the DAG file
 * @param inlineDescription the text of a description that stands in the DAG file
 * @param isNoop whether only the scripts run
 * @param isDone whether the DAG file says that the node has run already, so that nothing of it runs
 * @param pre script before the jobs
 * @param post script after the jobs; its exit code is the node's
 * @param variables macros of its submit description, in the order of the file
 * @param rules retries, priority and other rules for a runner
 */
public record DagNode(
        String name,
        NodeKind kind,
        Place place,
        String directory,
        String description,
        Optional<String> inlineDescription,
        boolean isNoop,
        boolean isDone,
        Optional<Script> pre,
        Optional<Script> post,
        List<Variable> variables,
        Rules rules) {

    /** A place in a DAG file; the file as its user or the DAG names it, the line from 1. */
    public record Place(String file, int line) {
        @Override
        public String toString() {
            return file + ":" + line;
        }
    }

    /**
     * A script.
     *
     * @param words program and arguments; a macro such as {@code $JOB} is a word of its own
     * @param defer exit code that puts the script off, and for how many seconds
     */
    public record Script(List<String> words, Place place, Optional<Defer> defer) {
        public Script {
            words = List.copyOf(words);
        }
    }

    /**
     * Further tries of a failed node.
     *
     * @param times number of tries after the first
     * @param unlessExit the exit code that prevents another try
     */
    public record Retry(int times, OptionalInt unlessExit) {
        /** No further try. */
        public static final Retry NONE = new Retry(0, OptionalInt.empty());
    }

    /**
     * A macro given by VARS.
     *
     * @param append whether the macro counts as written behind the submit description, and so wins; otherwise before it
     */
    public record Variable(String name, String value, boolean append) {}

    /**
     * Rules of a node for a runner, beside the graph.
     *
     * @param retry repetitions if the node fails
     * @param preSkip the exit code of the PRE script with which the node is done
     * @param abort exit code of the node that ends the DAG, with the result of the DAG
     * @param tolerance number of procs that may fail; empty without a TOLERANCE command
     * @param priority among nodes that are ready, higher first
     * @param category name of the category whose throttle counts the node; may be empty
     */
    public record Rules(
            Retry retry,
            OptionalInt preSkip,
            Optional<Abort> abort,
            Optional<Tolerance> tolerance,
            int priority,
            String category) {}

    /**
     * The number of a node's procs that may fail (TOLERANCE).
     *
     * @param amount number of procs, or percentage of the node's procs
     * @param isWaiting whether the other procs run on after too many have failed (WAIT); otherwise they are removed
     */
    public record Tolerance(int amount, boolean isPercentage, boolean isWaiting) {
        /** The number of procs that may fail, of so many. */
        public int of(int procs) {
            return isPercentage ? (int) ((long) procs * amount / 100) : amount;
        }
    }

    /**
     * The exit code with which a node ends the DAG (ABORT-DAG-ON).
     *
     * @param on the node's exit code that ends the DAG
     * @param result the exit code of the DAG then; the node's if absent
     */
    public record Abort(int on, OptionalInt result) {
        /** The exit code of the DAG, from 0 to 255. */
        public int exit() {
            return result.orElse(on) & 255;
        }
    }

    /** The exit code with which a script is run again after some seconds. */
    public record Defer(int status, int seconds) {}

    public DagNode {
        variables = List.copyOf(variables);
    }

    /** The macros of VARS as settings of a submit description: those behind it, or those before it. */
    public List<String> settings(boolean append) {
        return variables.stream()
                .filter(variable -> variable.append() == append)
                .map(variable -> variable.name() + " = " + variable.value())
                .toList();
    }

    /** @param isPre whether the script before the jobs is meant; otherwise the one after them */
    public Optional<Script> script(boolean isPre) {
        return isPre ? pre : post;
    }
}
