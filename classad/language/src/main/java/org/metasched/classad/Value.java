package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.metasched.classad.text.Bytes;

/**
 * The value of an expression. UNDEFINED and ERROR are values like others. Immutable, except that a list or record from a {@link
 * MatchContext} stands in its ads and shows others once the context moves on.
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

    /** A missing attribute, and what most operators make of one. */
    enum Undefined implements Value {
        INSTANCE;

        @Override
        public String toString() {
            return "undefined";
        }
    }

    /** A wrong type, a wrong argument, or a failed evaluation. */
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

        private static final Int[] SMALL = small();

        /** The integer; small ones are shared objects. */
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
     * A string of bytes.
     *
     * @param octets one char (0 to 255) for each byte
     */
    record Text(String octets) implements Value {

        static final Text EMPTY = new Text("");

        /** The text, kept as its bytes in UTF-8. */
        public static Text of(String text) {
            return new Text(Bytes.encode(Objects.requireNonNull(text, "The text of a string is null.")));
        }

        /** The text, read as UTF-8. */
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
     * @param offset of the zone it is shown in, in seconds east of Greenwich
     */
    record AbsTime(long seconds, int offset) implements Value {
        @Override
        public String toString() {
            return print();
        }
    }

    /** A span of time, in seconds. */
    record RelTime(double seconds) implements Value {
        @Override
        public String toString() {
            return print();
        }
    }

    /**
     * A list, lazy: its elements are expressions, and the place they stand in. Equal lists have equal elements in the same place.
     *
     * @param scope where the elements are evaluated
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

        /** How many elements the list has; none of them is evaluated. */
        public int size() {
            return elements.size();
        }

        /** The value of one element, evaluated on each call. */
        public Value get(int index) {
            return elements.get(index).evaluate(scope);
        }

        @Override
        public String toString() {
            return print();
        }
    }

    /** An ad as a value, lazy: with the place it stands in, so that its attributes see the ads around it. */
    record Record(Scope scope) implements Value {

        /** The ad, its attributes unevaluated. */
        public ClassAd ad() {
            return scope.ad();
        }

        /** The value of an attribute of this ad itself, evaluated in its place; empty if the ad lacks it. */
        public Optional<Value> get(String attribute) {
            return ad().lookup(attribute).map(expr -> expr.evaluate(scope));
        }

        @Override
        public String toString() {
            return print();
        }
    }
}
