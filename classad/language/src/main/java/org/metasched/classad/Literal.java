package org.metasched.classad;

import java.util.List;

/** A constant. */
public final class Literal extends Expr {

    static final Literal UNDEFINED = new Literal(Value.UNDEFINED);
    static final Literal ERROR = new Literal(Value.ERROR);
    static final Literal TRUE = new Literal(Value.TRUE);
    static final Literal FALSE = new Literal(Value.FALSE);

    private final Value value;

    /** Written {@code relTime("...")}; the reference makes a real of it, so the value is one. */
    private final boolean relativeTime;

    /** A constant with exactly this value. For the grammar; users call {@link #of(Value)}. */
    public Literal(Value value) {
        this(value, false);
    }

    private Literal(Value value, boolean relativeTime) {
        super(0);
        this.value = value;
        this.relativeTime = relativeTime;
    }

    /** What the reference makes of {@code relTime("...")}: a real that prints as a time. */
    static Literal relativeTime(double seconds) {
        return new Literal(new Value.Real(seconds), true);
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
        return new Literal(Value.of(value));
    }

    /** The literal of a real number. */
    public static Literal of(double value) {
        return new Literal(Value.of(value));
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
        return value;
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    boolean sameAs(Expr other) {
        return other instanceof Literal literal && relativeTime == literal.relativeTime && value.equals(literal.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }
}
