package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.metasched.classad.text.Bytes;

/**
 * The value of an expression. UNDEFINED and ERROR are values like others. Immutable, except that a list or record from a {@link
 * MatchContext} belongs to a scope of the context, and shows other ads once the context has others.
 */
public sealed interface Value extends ValueQueries {

    /** The value UNDEFINED. */
    Value UNDEFINED = Undefined.INSTANCE;
    /** The value ERROR. */
    Value ERROR = Error.INSTANCE;

    /** The value true. */
    Bool TRUE = new Bool(true);
    /** The value false. */
    Bool FALSE = new Bool(false);

    /** A truth value. */
    static Bool of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** An integer. */
    static Int of(long value) {
        return Int.of(value);
    }

    /** A real number. */
    static Real of(double value) {
        return new Real(value);
    }

    /** A string of the language: the UTF-8 bytes of a Java text. */
    static Text of(String text) {
        return Text.of(text);
    }

    /** The value of a missing attribute, and of most operators with such an operand. */
    enum Undefined implements Value {
        INSTANCE;

        @Override
        public String toString() {
            return "undefined";
        }
    }

    /** The value of an operator or function with operands of a wrong type, and of an evaluation that failed. */
    enum Error implements Value {
        INSTANCE;

        @Override
        public String toString() {
            return "error";
        }
    }

    /** A truth value. */
    record Bool(boolean value) implements Value {
        @Override
        public boolean satisfies() {
            return value;
        }

        @Override
        public double rank() {
            return value ? 1.0 : 0.0;
        }

        @Override
        public String toString() {
            return print();
        }
    }

    /** A signed integer of 64 bits. */
    record Int(long value) implements Value {

        /** The integers from -128 to 1151, which many ads have. */
        private static final Int[] SMALL = small();

        /** The integer as a value; small ones are shared objects. */
        public static Int of(long value) {
            return value >= -128 && value < SMALL.length - 128 ? SMALL[(int) value + 128] : new Int(value);
        }

        private static Int[] small() {
            var small = new Int[1280];
            for (int i = 0; i < small.length; i++) {
                small[i] = new Int(i - 128);
            }
            return small;
        }

        @Override
        public boolean satisfies() {
            return value != 0;
        }

        @Override
        public double rank() {
            return value;
        }

        @Override
        public String toString() {
            return print();
        }
    }

    /** An IEEE double. */
    record Real(double value) implements Value {
        @Override
        public boolean satisfies() {
            return value != 0.0;
        }

        @Override
        public double rank() {
            return value;
        }

        @Override
        public String toString() {
            return print();
        }
    }

    /**
     * A string, which is a sequence of bytes.
     *
     * @param octets a byte string: one char (0 to 255) for each byte; use {@link #text()} for Java text
     */
    record Text(String octets) implements Value {

        static final Text EMPTY = new Text("");

        /** The string of the UTF-8 bytes of a Java text. */
        public static Text of(String text) {
            return new Text(Bytes.encode(Objects.requireNonNull(text, "The text of a string is null.")));
        }

        /** The Java text of the bytes, read as UTF-8; bytes that are not UTF-8 become U+FFFD. */
        public String text() {
            return Bytes.decode(octets);
        }

        @Override
        public String toString() {
            return print();
        }
    }

    /**
     * An instant.
     *
     * @param seconds since 1970-01-01T00:00:00Z
     * @param offset the zone that it is shown in, in seconds east of Greenwich
     */
    record AbsTime(long seconds, int offset) implements Value {
        @Override
        public String toString() {
            return print();
        }
    }

    /**
     * A span of time.
     *
     * @param seconds its length, which may be negative
     */
    record RelTime(double seconds) implements Value {
        @Override
        public String toString() {
            return print();
        }
    }

    /**
     * A list, which is lazy: it has expressions as elements, and their scope. Equal lists have equal elements and the same scope.
     *
     * @param elements the elements, unevaluated
     * @param scope the scope in which the elements are evaluated
     */
    record ListOf(List<Expr> elements, Scope scope) implements Value {

        public ListOf {
            elements = List.copyOf(elements);
        }

        /** A list of values. */
        public static ListOf of(List<? extends Value> values) {
            var elements = new ArrayList<Expr>(values.size());
            for (Value value : values) {
                elements.add(Literal.of(value));
            }
            return new ListOf(elements, Scope.NOWHERE);
        }

        /** The number of elements, none of which is evaluated. */
        public int size() {
            return elements.size();
        }

        /** The value of the element at an index from 0, evaluated on each call. */
        public Value get(int index) {
            return elements.get(index).evaluate(scope);
        }

        @Override
        public String toString() {
            return print();
        }
    }

    /**
     * An ad as a value, which is lazy: its attributes are evaluated when they are asked for.
     *
     * @param scope the scope of the ad, by which its attributes see the ads around it
     */
    record Record(Scope scope) implements Value {

        /** The ad, its attributes unevaluated. */
        public ClassAd ad() {
            return scope.ad();
        }

        /** The value of an attribute of this ad, evaluated on each call; empty if this ad lacks it, even if an ad around it has it. */
        public Optional<Value> get(String attribute) {
            return ad().lookup(attribute).map(expr -> expr.evaluate(scope));
        }

        @Override
        public String toString() {
            return print();
        }
    }
}
