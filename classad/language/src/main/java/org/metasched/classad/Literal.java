package org.metasched.classad;

import java.util.List;

/** A constant. A number is held in the node itself, so that to compare it loads one object, not two. */
public abstract sealed class Literal extends Expr {

    static final Literal UNDEFINED = new Other(Value.UNDEFINED);
    static final Literal ERROR = new Other(Value.ERROR);
    static final Literal TRUE = new Other(Value.TRUE);
    static final Literal FALSE = new Other(Value.FALSE);

    /** The literal of exactly this value. For the grammar; users call {@link #of(Value)}. */
    public static Literal exactly(Value value) {
        if (value instanceof Value.Int integer) {
            return new Whole(integer.value());
        }
        return value instanceof Value.Real real ? new Fraction(real.value(), false) : new Other(value);
    }

    /** The literal {@code relTime("...")} of the reference dialect: its value is a real, but it is printed as a time. */
    static Literal relativeTime(double seconds) {
        return new Fraction(seconds, true);
    }

    /** Whether this is {@link #relativeTime}, a real that is written {@code relTime("...")}. */
    boolean isRelativeTime() {
        return false;
    }

    /**
     * The literal of a value. A relative time becomes a real that is written {@code relTime("...")}, as the reference reads that
     * text.
     */
    public static Literal of(Value value) {
        if (value instanceof Value.Bool bool) {
            return bool.value() ? TRUE : FALSE;
        }
        if (value instanceof Value.RelTime time) {
            return relativeTime(time.seconds());
        }
        return value == Value.UNDEFINED ? UNDEFINED : value == Value.ERROR ? ERROR : exactly(value);
    }

    /** The literal of an integer. */
    public static Literal of(long value) {
        return new Whole(value);
    }

    /** The literal of a real number. */
    public static Literal of(double value) {
        return new Fraction(value, false);
    }

    /** The literal of a text. */
    public static Literal of(String text) {
        return new Other(Value.of(text));
    }

    /** The literal of a truth value. */
    public static Literal of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** The value that the literal always has. */
    public final Value value() {
        // Tests of three final classes rather than a virtual call: the compiler inlines them.
        if (this instanceof Whole whole) {
            return Value.of(whole.number);
        }
        return this instanceof Fraction fraction ? Value.of(fraction.number) : ((Other) this).value;
    }

    /** Whether the value is an integer or a real. */
    final boolean isNumber() {
        return !(this instanceof Other);
    }

    /** Puts the value into the registers of an evaluation; returns its kind, as {@link CompiledExpr#number} does. */
    final int number(Evaluation e) {
        if (this instanceof Whole whole) {
            e.integer = whole.number;
            return CompiledExpr.INTEGER;
        }
        if (this instanceof Fraction fraction) {
            e.real = fraction.number;
            return CompiledExpr.REAL;
        }
        return e.load(((Other) this).value);
    }

    @Override
    CompiledExpr code() {
        return new CompiledExpr.Constant(value());
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    boolean sameAs(Expr other) {
        return other instanceof Literal literal
                && isRelativeTime() == literal.isRelativeTime()
                && value().equals(literal.value());
    }

    @Override
    public int hashCode() {
        return value().hashCode();
    }

    private static final class Whole extends Literal {

        private final long number;

        Whole(long number) {
            this.number = number;
        }
    }

    private static final class Fraction extends Literal {

        private final double number;
        private final boolean relativeTime;

        Fraction(double number, boolean relativeTime) {
            this.number = number;
            this.relativeTime = relativeTime;
        }

        @Override
        boolean isRelativeTime() {
            return relativeTime;
        }
    }

    /** The literal of a value that is no number. */
    private static final class Other extends Literal {

        private final Value value;

        Other(Value value) {
            this.value = value;
        }
    }
}
