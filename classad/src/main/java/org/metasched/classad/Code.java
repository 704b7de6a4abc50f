package org.metasched.classad;

import org.jspecify.annotations.Nullable;

/**
 * A compiled expression: a tree of closures, each specialised for its operator and operands. Four ways to ask for the result
 * let truth values, numbers and text pass between nodes without objects: {@link #truth}, {@link #number}, {@link #append} and
 * {@link #value}. They agree; a node overrides the ones it can do better than by asking {@link #value}.
 *
 * <p>Thread-safe: the only state are lookup memories of immutable entries.
 */
abstract class Code {

    /** Results of {@link #truth}. Numbers count as truth values; strings, times, lists and ads are errors. */
    static final int FALSE = 0;

    static final int TRUE = 1;
    static final int UNDEFINED = 2;
    static final int ERROR = 3;

    /** Results of {@link #number}, besides {@link #UNDEFINED} and {@link #ERROR}: where the number is in the evaluation. */
    static final int INTEGER = 0;

    static final int REAL = 1;

    /** Not a number: the value is in the evaluation. */
    static final int OTHER = 4;

    abstract Value value(Evaluation e, Scope s);

    /** The result if it takes no evaluation, such as a constant attribute of the ad itself; else null. */
    @Nullable
    Value known(Scope s) {
        return null;
    }

    /** The result as a truth value. */
    int truth(Evaluation e, Scope s) {
        return Logic.truth(value(e, s));
    }

    /** The result promoted for arithmetic and comparison: a boolean is the integer 0 or 1. */
    int number(Evaluation e, Scope s) {
        return e.load(value(e, s));
    }

    /** Appends the result as text, or returns the UNDEFINED or ERROR that has none: what was appended then counts for nothing. */
    @Nullable
    Value append(StringBuilder out, Evaluation e, Scope s) {
        Value value = value(e, s);
        if (value instanceof Value.Int integer) {
            out.append(integer.value());
            return null;
        }
        Value text = Functions.asText(value);
        if (text.isExceptional()) {
            return text;
        }
        out.append(Functions.octets(text));
        return null;
    }

    /** Nodes in this tree, about. */
    int size() {
        return 1;
    }

    /** A result that does not depend on the place. */
    static final class Constant extends Code {

        final Value value;
        private final int truth;

        Constant(Value value) {
            this.value = value;
            this.truth = Logic.truth(value);
        }

        @Override
        Value value(Evaluation e, Scope s) {
            return value;
        }

        @Override
        Value known(Scope s) {
            return value;
        }

        @Override
        int truth(Evaluation e, Scope s) {
            return truth;
        }
    }

    /** A node with parts. */
    abstract static class Inner extends Code {

        private final int size;

        Inner(Code... parts) {
            int nodes = 1;
            for (Code part : parts) {
                nodes += part.size();
            }
            size = nodes;
        }

        @Override
        final int size() {
            return size;
        }
    }

    /** A node whose result is a truth value. */
    abstract static class Truth extends Inner {

        Truth(Code... parts) {
            super(parts);
        }

        @Override
        final Value value(Evaluation e, Scope s) {
            return Logic.value(truth(e, s));
        }

        @Override
        final int number(Evaluation e, Scope s) {
            return e.load(truth(e, s));
        }

        @Override
        abstract int truth(Evaluation e, Scope s);
    }

    /** A strict operator between two operands that may be numbers: ERROR beats UNDEFINED, and both beat the rest. */
    abstract static class Strict extends Inner {

        private final Code left;
        private final Code right;

        Strict(Code left, Code right) {
            super(left, right);
            this.left = left;
            this.right = right;
        }

        /** The result of {@link #integers}, {@link #reals} or {@link #others}, or what beats it. */
        final int combined(Evaluation e, Scope s) {
            int a = left.number(e, s);
            long integer = e.integer;
            double real = e.real;
            Value other = e.other;
            int b = right.number(e, s);
            if ((a | b) == INTEGER) {
                return integers(e, integer, e.integer);
            }
            if (a <= REAL && b <= REAL) {
                return reals(e, a == INTEGER ? integer : real, b == INTEGER ? e.integer : e.real);
            }
            if (a == ERROR || b == ERROR) {
                return ERROR;
            }
            if (a == UNDEFINED || b == UNDEFINED) {
                return UNDEFINED;
            }
            // A boolean came as an integer, but times tell them apart: look again.
            Value rightOther = e.other;
            Value x = a == OTHER ? other : left.value(e, s);
            return others(e, x, b == OTHER ? rightOther : right.value(e, s));
        }

        abstract int integers(Evaluation e, long a, long b);

        abstract int reals(Evaluation e, double a, double b);

        /** At least one is no number; neither is exceptional. */
        abstract int others(Evaluation e, Value a, Value b);
    }
}
