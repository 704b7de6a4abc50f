package org.metasched.classad;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Times;

/**
 * A compiled expression: a tree of closures, each specialised for its operator and operands. It has four methods for the same result,
 * {@link #value}, {@link #truth}, {@link #number} and {@link #append}, so that truth values, numbers and text pass between nodes without
 * objects. A node overrides those that it can compute faster than by {@link #value}.
 *
 * <p>Public for the libraries of functions, not for users. Thread-safe: the only state is where a name was found last.
 */
public abstract class CompiledExpr {

    /** The result of {@link #truth} for false and 0. */
    public static final int FALSE = 0;

    /** The result of {@link #truth} for true and numbers other than 0. */
    public static final int TRUE = 1;

    /** The result of {@link #truth} and {@link #number} for UNDEFINED. */
    public static final int UNDEFINED = 2;

    /** The result of {@link #truth} and {@link #number} for ERROR; of {@link #truth} also for strings, times, lists and ads. */
    public static final int ERROR = 3;

    /** The result of {@link #number} for an integer or boolean, which is in the evaluation's integer register. */
    public static final int INTEGER = 0;

    /** The result of {@link #number} for a real, which is in the evaluation's real register. */
    public static final int REAL = 1;

    /** The result of {@link #number} for any other value, which is in the evaluation's register for these. */
    public static final int OTHER = 4;

    /** The number of nodes in this tree, about: the steps that an evaluation takes. */
    final int size;

    /** The code of a node with parts. */
    protected CompiledExpr(CompiledExpr... parts) {
        int nodes = 1;
        for (CompiledExpr part : parts) {
            nodes += part.size;
        }
        size = nodes;
    }

    private CompiledExpr(int size) {
        this.size = size;
    }

    /** The value of the expression in a scope, as a part of an evaluation. */
    public abstract Value value(Evaluation e, Scope s);

    /** The value if it is known without an evaluation, such as a literal attribute of the scope's ad; else null. */
    @Nullable
    Value known(Scope s) {
        return null;
    }

    /** The value as a truth value: {@link #FALSE}, {@link #TRUE}, {@link #UNDEFINED} or {@link #ERROR}. */
    public int truth(Evaluation e, Scope s) {
        return CompiledExpr.truthOf(value(e, s));
    }

    /** Puts the value into a register, a boolean as the integer 0 or 1; returns its kind, such as {@link #INTEGER}. */
    public int number(Evaluation e, Scope s) {
        return e.load(value(e, s));
    }

    /** Appends the value as text and returns null; or returns UNDEFINED or ERROR, when the caller must discard the appended part. */
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

    /** The truth value of a value, as {@link #truth} returns it: numbers count; strings, times, lists and ads are {@link #ERROR}. */
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

    /** The value of a result of {@link #truth}. */
    public static Value valueOf(int truth) {
        return switch (truth) {
            case FALSE -> Value.FALSE;
            case TRUE -> Value.TRUE;
            case UNDEFINED -> Value.UNDEFINED;
            default -> Value.ERROR;
        };
    }

    /**
     * The value as a string: a string is itself, times are without {@code absTime("")}, others in the new syntax; UNDEFINED and
     * ERROR remain.
     */
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

    /** Whether the value is a string in every scope. */
    boolean isText() {
        return false;
    }

    /** The code of an expression with the same value in every scope. */
    public static final class Constant extends CompiledExpr {

        /** The value in every scope. */
        public final Value value;

        private final int truth;

        /** The code of a value. */
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

    /** A number or string in shared code, which takes it from the expression that is evaluated, see {@link Compiler.SharedCode}. */
    static final class Parameter extends CompiledExpr {

        private final int index;
        private final boolean isText;

        Parameter(int index, boolean isText) {
            this.index = index;
            this.isText = isText;
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            return e.store(number(e, s));
        }

        @Override
        public int number(Evaluation e, Scope s) {
            return index == 0 ? e.parameters.first(e) : e.parameters.literals[index].number(e);
        }

        @Override
        boolean isText() {
            return isText;
        }
    }

    /**
     * Shared code with the literals of one expression, which are its parameters. The first number is held in the object itself: a pool
     * of machines has millions of policies with one threshold, and each object is a cache miss.
     */
    static final class Parametrised extends CompiledExpr {

        private static final Literal[] NO_MORE = {};

        /** No parameters, before the first shared code runs. */
        static final Parametrised NONE = new Parametrised(new Constant(Value.UNDEFINED), List.of(Literal.UNDEFINED));

        final CompiledExpr code;
        private final long first;
        private final int firstKind;

        /** All parameters; empty if the only one is a number. */
        private final Literal[] literals;

        Parametrised(CompiledExpr code, List<Literal> literals) {
            super(code.size);
            this.code = code;
            Value value = literals.get(0).value();
            this.firstKind = value instanceof Value.Int ? INTEGER : value instanceof Value.Real ? REAL : OTHER;
            this.first = value instanceof Value.Int i
                    ? i.value()
                    : value instanceof Value.Real r ? Double.doubleToRawLongBits(r.value()) : 0;
            this.literals = literals.size() == 1 && firstKind != OTHER ? NO_MORE : literals.toArray(Literal[]::new);
        }

        private int first(Evaluation e) {
            if (firstKind == INTEGER) {
                e.integer = first;
            } else if (firstKind == REAL) {
                e.real = Double.longBitsToDouble(first);
            } else {
                return literals[0].number(e);
            }
            return firstKind;
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            Parametrised before = e.parameters;
            e.parameters = this;
            Value value = code.value(e, s);
            e.parameters = before;
            return value;
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            Parametrised before = e.parameters;
            e.parameters = this;
            int truth = code.truth(e, s);
            e.parameters = before;
            return truth;
        }

        @Override
        public int number(Evaluation e, Scope s) {
            Parametrised before = e.parameters;
            e.parameters = this;
            int kind = code.number(e, s);
            e.parameters = before;
            return kind;
        }
    }

    /** The code of a node whose value is a boolean, UNDEFINED or ERROR. */
    public abstract static class Truth extends CompiledExpr {

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

    /**
     * The code of a strict operator on two operands that may be numbers: ERROR if either is ERROR, else UNDEFINED if either is
     * UNDEFINED.
     */
    abstract static class Strict extends CompiledExpr {

        private final CompiledExpr left;
        private final CompiledExpr right;

        Strict(CompiledExpr left, CompiledExpr right) {
            super(left, right);
            this.left = left;
            this.right = right;
        }

        /** The kind of the value of the operator: that of {@link #integers}, {@link #reals} or {@link #others}, or UNDEFINED or ERROR. */
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
            // number() made an integer of a boolean, but operators on times tell them apart: evaluate the operand
            // again.
            Value rightOther = e.other;
            Value x = a == OTHER ? other : left.value(e, s);
            return others(e, x, b == OTHER ? rightOther : right.value(e, s));
        }

        /** The kind of the value where both operands are integers or booleans. */
        abstract int integers(Evaluation e, long a, long b);

        /** The kind of the value where both operands are numbers, at least one of them a real. */
        abstract int reals(Evaluation e, double a, double b);

        /** The kind of the value where at least one operand is no number, and none is UNDEFINED or ERROR. */
        abstract int others(Evaluation e, Value a, Value b);
    }
}
