package org.metasched.dag;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A node with all that DAGMan would need to run it. Immutable.
 *
 * @param name with the names of its splices before it
 * @param place where it is defined
 * @param directory in which it runs and from which its files are named, relative to the DAG's; empty for the DAG's own
 * @param description the submit description: a file as written, or the name of one that stands in the DAG file
 * @param inlineDescription the text of a description that stands in the DAG file
 * @param isNoop whether only the scripts run
 * @param isDone whether nothing runs
 * @param pre runs before the jobs
 * @param post runs after them and decides
 * @param retry what happens when it fails
 * @param preSkip the exit code of the PRE script with which the node is done
 * @param variables macros of its submit description, in the order of the file
 * @param rules what else a runner keeps to
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
        Retry retry,
        OptionalInt preSkip,
        List<Variable> variables,
        Rules rules) {

    /** Where something is said; the file as its user or the DAG names it, the line from 1. */
    public record Place(String file, int line) {
        @Override
        public String toString() {
            return file + ":" + line;
        }
    }

    /**
     * A script.
     *
     * @param words program and arguments; a macro is a word of its own
     */
    public record Script(List<String> words, Place place) {
        public Script {
            words = List.copyOf(words);
        }
    }

    /**
     * How often a failed node is tried again.
     *
     * @param times beside the first time
     * @param unlessExit the exit code after which it is not
     */
    public record Retry(int times, OptionalInt unlessExit) {
        /** A node that fails once has failed. */
        public static final Retry NONE = new Retry(0, OptionalInt.empty());
    }

    /**
     * A macro given by VARS.
     *
     * @param append whether it counts as written behind the submit description, and so wins; otherwise before it
     */
    public record Variable(String name, String value, boolean append) {}

    /**
     * What a runner keeps to beside the graph.
     *
     * @param abortOn the value with which the node ends the DAG
     * @param abortReturn the exit code of the DAG then; the node's value if absent
     * @param tolerance how many procs may fail, as written, with its words; empty if nothing is said
     * @param priority among nodes that are ready, higher first
     * @param category whose throttle counts the node; may be empty
     * @param preDefer with which exit code the PRE script is put off
     * @param postDefer the same of the POST script
     */
    public record Rules(
            OptionalInt abortOn,
            OptionalInt abortReturn,
            List<String> tolerance,
            int priority,
            String category,
            Optional<Defer> preDefer,
            Optional<Defer> postDefer) {
        /** Of a node of which nothing more is said. */
        public static final Rules NONE = new Rules(
                OptionalInt.empty(), OptionalInt.empty(), List.of(), 0, "", Optional.empty(), Optional.empty());

        public Rules {
            tolerance = List.copyOf(tolerance);
        }

        Rules withAbort(OptionalInt on, OptionalInt result) {
            return new Rules(on, result, tolerance, priority, category, preDefer, postDefer);
        }

        Rules withTolerance(List<String> words) {
            return new Rules(abortOn, abortReturn, words, priority, category, preDefer, postDefer);
        }

        Rules withPriority(int value) {
            return new Rules(abortOn, abortReturn, tolerance, value, category, preDefer, postDefer);
        }

        Rules withCategory(String name) {
            return new Rules(abortOn, abortReturn, tolerance, priority, name, preDefer, postDefer);
        }

        Rules withDefer(boolean isPre, Optional<Defer> defer) {
            Optional<Defer> pre = isPre ? defer : preDefer;
            return new Rules(abortOn, abortReturn, tolerance, priority, category, pre, isPre ? postDefer : defer);
        }
    }

    /** A script that exits with this status is run again after so many seconds. */
    public record Defer(int status, int seconds) {}

    public DagNode {
        Objects.requireNonNull(place, "place");
        variables = List.copyOf(variables);
    }
}
