package org.metasched.classad;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Regex;

/**
 * The rest of an evaluation's limits: steps, memory, and looks of regular expressions. An evaluation that takes more has failed,
 * and its value is ERROR. A class above {@link Evaluation} and no part of it: each node that is evaluated counts.
 */
public abstract sealed class EvaluationBudget permits Evaluation {

    /** So many bytes are scanned or copied, and so many looks of a regular expression taken, in about the time of one step. */
    private static final int BYTES_OF_A_STEP = 16;

    private static final int LOOKS_OF_A_STEP = 3;
    private static final int BYTES_OF_AN_ELEMENT = 64;

    /** A short string in a collection: the value, its text, its place. */
    private static final int BYTES_OF_AN_ITEM = 100;

    private static final int REFERENCE_STEPS = 100_000;

    /** Shorter texts cost less than the node that asks for them. */
    private static final int SHORT_TEXT = 64;

    /** So many searches of an evaluation that cannot take long are not counted. */
    private static final int FREE_SEARCHES = 256;

    /** The search for a regular expression that this thread made last. */
    private Regex.@Nullable Search search;

    private Limits limits = Limits.DEFAULT;
    private int bytes;
    private int uncounted;
    int steps;
    boolean failed;

    /** Levels of nested expressions that are being evaluated. */
    int level;

    EvaluationBudget() {}

    /** All of the limits, for an evaluation that begins. */
    final void renew(Limits allowed) {
        limits = allowed;
        renew(allowed.evaluationSteps(), allowed.evaluationBytes());
    }

    final void renew(int mostSteps, int mostBytes) {
        steps = mostSteps;
        bytes = mostBytes;
        uncounted = FREE_SEARCHES;
        failed = false;
    }

    /** Budget that several evaluations share: a trace evaluates each part by itself. */
    static final class EvaluationTotal {
        int steps;
        int bytes;

        EvaluationTotal(int steps, int bytes) {
            this.steps = steps;
            this.bytes = bytes;
        }

        boolean isSpent() {
            return steps == 0 || bytes == 0;
        }
    }

    final void takeOff(EvaluationTotal total) {
        total.steps = Math.max(0, steps);
        total.bytes = Math.max(0, bytes);
    }

    /** How deep and how long this evaluation may be. */
    public final Limits limits() {
        return limits;
    }

    /** Whether a pattern is found in a target; throws {@link Regex.TooMuchWork} beyond the limit. */
    public final boolean finds(Regex regex, String target) {
        if (regex.cannotMatch(target)) {
            return false;
        }
        boolean countable = --uncounted < 0;
        Regex.Search last = search;
        if (last == null || !last.isFor(regex)) {
            last = regex.search();
        }
        // An evaluation inside this one must not use it meanwhile; a search that failed is not used again.
        search = null;
        boolean matches;
        try {
            matches = last.finds(target, limits.regexSteps(), countable);
        } finally {
            spend(last.looks() >> LOOKS_OF_A_STEP);
        }
        search = last;
        return matches;
    }

    /** Ends the evaluation with ERROR, whatever the operators around make of it. */
    public final Value fail() {
        failed = true;
        return Value.ERROR;
    }

    /** Counts all of a value being looked at; false if there was too much. */
    public final boolean looksAt(Value value) {
        if (value instanceof Value.Text text) {
            int length = text.octets().length();
            return length < SHORT_TEXT || spend(length / BYTES_OF_A_STEP);
        }
        if (value instanceof Value.ListOf list) {
            return spend(list.size());
        }
        return !(value instanceof Value.Record record) || spend(record.ad().size());
    }

    /** A value that was made here, its memory counted: ERROR if there was too much. */
    public final Value made(Value value) {
        int size = value instanceof Value.Text text
                ? text.octets().length()
                : value instanceof Value.ListOf list ? list.size() * BYTES_OF_AN_ELEMENT : 0;
        return size < SHORT_TEXT || takes(size) ? value : Value.ERROR;
    }

    /** Counts memory that is taken, and the time it takes to fill it; false if there was too much. */
    public final boolean takes(int size) {
        bytes -= size;
        if (bytes < 0) {
            failed = true;
        }
        return spend(size / BYTES_OF_A_STEP);
    }

    /** Counts a short string that a function keeps; false if there was too much. */
    public final boolean keepsItem() {
        bytes -= BYTES_OF_AN_ITEM;
        failed |= bytes < 0;
        return !failed;
    }

    /** The value as text, as {@link CompiledExpr#asText} makes it, what is printed for it counted. */
    public final Value text(Value value) {
        if (value instanceof Value.Text || value.isExceptional()) {
            return value;
        }
        return made(CompiledExpr.asText(value));
    }

    /** The references of an expression in an ad; the walk counts. */
    public final References references(Expr expr, ClassAd ad, LookupMode mode) {
        spend(REFERENCE_STEPS);
        return expr.references(ad, mode);
    }

    /** Counts work that is not a node of a tree; false if there was too much. */
    public final boolean spend(int work) {
        steps -= work;
        if (steps < 0) {
            failed = true;
        }
        return !failed;
    }
}
