package org.metasched.classad;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A constant. A number stands in the node itself: what compares it reads one object. */
public final class Literal extends Expr {

    static final Literal UNDEFINED = new Literal(Value.UNDEFINED);
    static final Literal ERROR = new Literal(Value.ERROR);
    static final Literal TRUE = new Literal(Value.TRUE);
    static final Literal FALSE = new Literal(Value.FALSE);

    /** Null for a number. */
    private final @Nullable Value value;

    private final long bits;

    /** Kind of the {@link #number}. */
    private final byte kind;

    /** Written {@code relTime("...")}; the reference makes a real of it, so the value is one. */
    private final boolean relativeTime;

    /** A constant with exactly this value. For the grammar; users call {@link #of(Value)}. */
    public Literal(Value value) {
        this(value, false);
    }

    private Literal(Value value, boolean relativeTime) {
        super(0);
        this.relativeTime = relativeTime;
        if (value instanceof Value.Int integer) {
            this.value = null;
            this.kind = CompiledExpr.INTEGER;
            this.bits = integer.value();
        } else if (value instanceof Value.Real real) {
            this.value = null;
            this.kind = CompiledExpr.REAL;
            this.bits = Double.doubleToRawLongBits(real.value());
        } else {
            this.value = value;
            this.kind = CompiledExpr.OTHER;
            this.bits = 0;
        }
    }

    /** Value of {@code relTime("...")} in the reference: a real that prints as a time. */
    static Literal relativeTime(double seconds) {
        return new Literal(new Value.Real(seconds), true);
    }

    private Literal(byte kind, long bits) {
        super(0);
        this.value = null;
        this.relativeTime = false;
        this.kind = kind;
        this.bits = bits;
    }

    boolean isRelativeTime() {
        return relativeTime;
    }

    /** A constant. A relative time becomes what the reference makes of one that is written down: a real. */
    public static Literal of(Value value) {
        if (value instanceof Value.Bool bool) {
            return bool.value() ? TRUE : FALSE;
        }
        if (value instanceof Value.RelTime time) {
            return relativeTime(time.seconds());
        }
        return value == Value.UNDEFINED ? UNDEFINED : value == Value.ERROR ? ERROR : new Literal(value);
    }

    /** The literal of an integer. */
    public static Literal of(long value) {
        return new Literal((byte) CompiledExpr.INTEGER, value);
    }

    /** The literal of a real number. */
    public static Literal of(double value) {
        return new Literal((byte) CompiledExpr.REAL, Double.doubleToRawLongBits(value));
    }

    /** The literal of a text. */
    public static Literal of(String text) {
        return new Literal(Value.of(text));
    }

    /** The literal of a truth value. */
    public static Literal of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** The value that the literal always has. */
    public Value value() {
        Value other = value;
        return other != null
                ? other
                : kind == CompiledExpr.INTEGER ? Value.of(bits) : Value.of(Double.longBitsToDouble(bits));
    }

    boolean isNumber() {
        return kind != CompiledExpr.OTHER;
    }

    /** Puts a number into the registers. */
    int number(Evaluation e) {
        Value other = value;
        if (other != null) {
            return e.load(other);
        }
        if (kind == CompiledExpr.INTEGER) {
            e.integer = bits;
        } else {
            e.real = Double.longBitsToDouble(bits);
        }
        return kind;
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    boolean sameAs(Expr other) {
        return other instanceof Literal literal
                && relativeTime == literal.relativeTime
                && value().equals(literal.value());
    }

    @Override
    public int hashCode() {
        return value().hashCode();
    }
}
