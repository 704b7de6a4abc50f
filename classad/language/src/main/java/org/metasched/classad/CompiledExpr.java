package org.metasched.classad;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Times;

/**
 * A compiled expression: a tree of closures, each specialised for its operator and operands. Four ways to ask for the result
 * let truth values, numbers and text pass between nodes without objects: {@link #truth}, {@link #number}, {@link #append} and
 * {@link #value}. They agree; a node overrides the ones it can do better than by asking {@link #value}.
 *
 * <p>Public for the libraries of functions, not for users of the language. Thread-safe: the only state are lookup memories of immutable entries.
 */
public abstract class CompiledExpr {

    /** Results of {@link #truth}. Numbers count as truth values; strings, times, lists and ads are errors. */
    public static final int FALSE = 0;

    public static final int TRUE = 1;
    public static final int UNDEFINED = 2;
    public static final int ERROR = 3;

    /** Results of {@link #number}, besides {@link #UNDEFINED} and {@link #ERROR}: where the number is in the evaluation. */
    public static final int INTEGER = 0;

    public static final int REAL = 1;

    /** Kind of a result that is not a number: the value is in the evaluation. */
    public static final int OTHER = 4;

    /** The result as a value. */
    public abstract Value value(Evaluation e, Scope s);

    /** The result if it takes no evaluation, such as a constant attribute of the ad itself; else null. */
    @Nullable
    Value known(Scope s) {
        return null;
    }

    /** The result as a truth value. */
    public int truth(Evaluation e, Scope s) {
        return CompiledExpr.truthOf(value(e, s));
    }

    /** The result promoted for arithmetic and comparison: a boolean is the integer 0 or 1. */
    public int number(Evaluation e, Scope s) {
        return e.load(value(e, s));
    }

    /** Appends the result as text, or returns the UNDEFINED or ERROR that has none: what was appended then counts for nothing. */
    @Nullable
    public Value append(StringBuilder out, Evaluation e, Scope s) {
        Value value = value(e, s);
        if (value instanceof Value.Int integer) {
            out.append(integer.value());
            return null;
        }
        Value text = asText(value);
        if (text.isExceptional()) {
            return text;
        }
        out.append(((Value.Text) text).octets());
        return null;
    }

    /** A value as truth: booleans and numbers; UNDEFINED stays; all others are errors. */
    public static int truthOf(Value value) {
        if (value instanceof Value.Bool bool) {
            return bool.value() ? TRUE : FALSE;
        }
        if (value instanceof Value.Int integer) {
            return integer.value() != 0 ? TRUE : FALSE;
        }
        if (value instanceof Value.Real real) {
            return real.value() != 0.0 ? TRUE : FALSE;
        }
        return value == Value.UNDEFINED ? UNDEFINED : ERROR;
    }

    /** The value that a truth value is. */
    public static Value valueOf(int truth) {
        return switch (truth) {
            case FALSE -> Value.FALSE;
            case TRUE -> Value.TRUE;
            case UNDEFINED -> Value.UNDEFINED;
            default -> Value.ERROR;
        };
    }

    /** The value as a string: text as it is, times bare, others in the new syntax; UNDEFINED and ERROR stay. */
    public static Value asText(Value value) {
        if (value instanceof Value.Text || value.isExceptional()) {
            return value;
        }
        if (value instanceof Value.Int i) {
            return new Value.Text(Long.toString(i.value()));
        }
        if (value instanceof Value.AbsTime time) {
            return new Value.Text(Times.print(time.seconds(), time.offset()));
        }
        if (value instanceof Value.RelTime time) {
            return new Value.Text(Times.printRelative((long) time.seconds()));
        }
        return new Value.Text(LanguageServices.loaded().octets(value));
    }

    /** Nodes in this tree, about. */
    int size() {
        return 1;
    }

    /** Whether the result is a text in every place. */
    boolean isText() {
        return false;
    }

    /** A result that does not depend on the place. */
    public static final class Constant extends CompiledExpr {

        public final Value value;
        private final int truth;

        public Constant(Value value) {
            this.value = value;
            this.truth = CompiledExpr.truthOf(value);
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            return value;
        }

        @Override
        Value known(Scope s) {
            return value;
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            return truth;
        }

        @Override
        boolean isText() {
            return value instanceof Value.Text;
        }
    }

    /** A number or text that {@link Compiler.SharedCode} takes from the expression that is evaluated. */
    static final class Parameter extends CompiledExpr {

        private final int index;
        private final boolean text;

        Parameter(int index, boolean text) {
            this.index = index;
            this.text = text;
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            return e.parameters[index].value();
        }

        @Override
        public int number(Evaluation e, Scope s) {
            return e.parameters[index].number(e);
        }

        @Override
        boolean isText() {
            return text;
        }
    }

    /** Shared code with what stands for its parameters. */
    static final class Parametrised extends CompiledExpr {

        final CompiledExpr code;
        private final Literal[] literals;

        Parametrised(CompiledExpr code, Literal[] literals) {
            this.code = code;
            this.literals = literals;
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            Literal[] before = e.parameters;
            e.parameters = literals;
            Value value = code.value(e, s);
            e.parameters = before;
            return value;
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            Literal[] before = e.parameters;
            e.parameters = literals;
            int truth = code.truth(e, s);
            e.parameters = before;
            return truth;
        }

        @Override
        public int number(Evaluation e, Scope s) {
            Literal[] before = e.parameters;
            e.parameters = literals;
            int kind = code.number(e, s);
            e.parameters = before;
            return kind;
        }

        @Override
        int size() {
            return code.size();
        }
    }

    /** A node with parts. */
    public abstract static class Inner extends CompiledExpr {

        private final int size;

        protected Inner(CompiledExpr... parts) {
            int nodes = 1;
            for (CompiledExpr part : parts) {
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
    public abstract static class Truth extends Inner {

        protected Truth(CompiledExpr... parts) {
            super(parts);
        }

        @Override
        public final Value value(Evaluation e, Scope s) {
            return CompiledExpr.valueOf(truth(e, s));
        }

        @Override
        public final int number(Evaluation e, Scope s) {
            return e.load(truth(e, s));
        }

        @Override
        public abstract int truth(Evaluation e, Scope s);
    }

    /** A strict operator between two operands that may be numbers: ERROR beats UNDEFINED, and both beat the rest. */
    abstract static class Strict extends Inner {

        private final CompiledExpr left;
        private final CompiledExpr right;

        Strict(CompiledExpr left, CompiledExpr right) {
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

        /** The result where at least one operand is no number and neither is exceptional. */
        abstract int others(Evaluation e, Value a, Value b);
    }
}
