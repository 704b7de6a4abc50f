package org.metasched.classad;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Regex;

/**
 * The rest of an evaluation's limits: steps, memory, and looks of regular expressions at characters. An evaluation that takes more has
 * failed, and its value is ERROR. The superclass of {@link Evaluation} rather than a field, for speed: each node counts its steps here.
 */
public abstract sealed class EvaluationBudget permits Evaluation {

    /** Bytes that are scanned or copied in about the time of one step. */
    private static final int BYTES_OF_A_STEP = 16;

    /** Looks of a regular expression at characters in about the time of one step. */
    private static final int LOOKS_OF_A_STEP = 8;

    /** Bytes of memory that an element of a list takes, about. */
    private static final int BYTES_OF_AN_ELEMENT = 64;

    /** Bytes of memory that a short string in a collection takes, about: the value, its text, the reference to it. */
    private static final int BYTES_OF_AN_ITEM = 100;

    /** The steps that finding the references of an expression counts for. */
    private static final int REFERENCE_STEPS = 100_000;

    /** Bytes of a text from which its memory and time are counted: shorter texts cost less than the node that uses them. */
    private static final int SHORT_TEXT = 64;

    /** The number of searches of an evaluation whose looks need not be counted if they cannot take long. */
    private static final int FREE_SEARCHES = 256;

    /** The search that was used last, which is reused for the same regular expression; null while it is in use. */
    private Regex.@Nullable Search search;

    private Limits limits = Limits.DEFAULT;

    /** The bytes of memory, the free searches, and the steps that are left; negative once a limit is exceeded. */
    private int bytes;

    private int freeSearches;
    int steps;

    /** Whether a limit was exceeded or {@link #fail} called: the value of the whole evaluation is ERROR. */
    boolean failed;

    /** The depth of nested expressions that are being evaluated. */
    int level;

    EvaluationBudget() {}

    /** Restores all of the limits, for an evaluation that begins. */
    final void renew(Limits allowed) {
        limits = allowed;
        renew(allowed.evaluationSteps(), allowed.evaluationBytes());
    }

    /** Begins a new budget of {@code mostSteps} steps and {@code mostBytes} bytes of memory. */
    final void renew(int mostSteps, int mostBytes) {
        steps = mostSteps;
        bytes = mostBytes;
        freeSearches = FREE_SEARCHES;
        failed = false;
    }

    /** The budget that several evaluations share, one after the other: a trace evaluates each part by itself. */
    static final class SharedBudget {
        int steps;
        int bytes;

        SharedBudget(int steps, int bytes) {
            this.steps = steps;
            this.bytes = bytes;
        }

        /** Whether no steps or no memory is left. */
        boolean isSpent() {
            return steps == 0 || bytes == 0;
        }
    }

    /** Leaves the rest of this evaluation's budget to the next evaluations that share it. */
    final void leaveRestTo(SharedBudget budget) {
        budget.steps = Math.max(0, steps);
        budget.bytes = Math.max(0, bytes);
    }

    /** The limits with which this evaluation began. */
    public final Limits limits() {
        return limits;
    }

    /** Whether a pattern is found in a target; counts its looks. Throws {@link Regex.TooMuchWork} beyond the limit of one search. */
    public final boolean finds(Regex regex, String target) {
        if (regex.cannotMatch(target)) {
            return false;
        }
        boolean countable = --freeSearches < 0;
        Regex.Search last = search;
        if (last == null || !last.isFor(regex)) {
            last = regex.search();
        }
        // An evaluation inside this one must not use the search at the same time; a search that throws is not used
        // again.
        search = null;
        boolean matches;
        try {
            matches = last.finds(target, limits.regexSteps(), countable);
        } finally {
            spend(last.looks() / LOOKS_OF_A_STEP);
        }
        search = last;
        return matches;
    }

    /** Makes ERROR the value of the whole evaluation, even where an operator would ignore an ERROR; returns ERROR. */
    public final Value fail() {
        failed = true;
        return Value.ERROR;
    }

    /** Counts the work of reading all of a value; false if the budget is exceeded. */
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

    /** Counts the memory of a new value; returns the value, or ERROR if the budget is exceeded. */
    public final Value made(Value value) {
        int size = value instanceof Value.Text text
                ? text.octets().length()
                : value instanceof Value.ListOf list ? list.size() * BYTES_OF_AN_ELEMENT : 0;
        return size < SHORT_TEXT || takes(size) ? value : Value.ERROR;
    }

    /** Counts bytes of new memory and the work of filling it; false if the budget is exceeded. */
    public final boolean takes(int size) {
        bytes -= size;
        if (bytes < 0) {
            failed = true;
        }
        return spend(size / BYTES_OF_A_STEP);
    }

    /** Counts the memory of a short string in a collection; false if the budget is exceeded. */
    public final boolean keepsItem() {
        bytes -= BYTES_OF_AN_ITEM;
        failed |= bytes < 0;
        return !failed;
    }

    /** The value as text by {@link CompiledExpr#asText}; counts the memory of the text. */
    public final Value text(Value value) {
        if (value instanceof Value.Text || value.isExceptional()) {
            return value;
        }
        return made(CompiledExpr.asText(value));
    }

    /** The references of an expression in an ad; counts the work of finding them. */
    public final References references(Expr expr, ClassAd ad, LookupMode mode) {
        spend(REFERENCE_STEPS);
        return expr.references(ad, mode);
    }

    /** Counts work in steps, one of which is about the evaluation of a node; false if the budget is exceeded. */
    public final boolean spend(int work) {
        steps -= work;
        if (steps < 0) {
            failed = true;
        }
        return !failed;
    }
}
