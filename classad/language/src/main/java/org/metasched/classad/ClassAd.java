package org.metasched.classad;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/**
 * A ClassAd: attribute names, each with an expression. Names are case-insensitive and keep their first spelling. Immutable.
 *
 * <p>To save memory, equal expressions that were parsed are usually one object, and ads with the same names share these.
 */
public final class ClassAd extends TypedAttributes {

    /** The ad without attributes. */
    public static final ClassAd EMPTY = new ClassAd(Shape.EMPTY, new Expr[0]);

    /** The most attributes an ad can have. */
    public static final int MOST_ATTRIBUTES = Shape.MOST_NAMES;

    private final Shape shape;

    /** The names of the shape: {@link #hasAt} compares one without loading the shape. */
    private final Name[] names;

    /** The expression of each name, at the same index. */
    private final Expr[] slots;

    private ClassAd(Shape shape, Expr[] slots) {
        this.shape = shape;
        this.names = shape.names();
        this.slots = slots;
    }

    /** Parses one ad of the new syntax, {@code [ a = 1; ... ]}, in the reference dialect. */
    public static ClassAd parse(String text) throws ClassAdSyntaxException {
        return LanguageServices.loaded().read(text, ReadOptions.NEW);
    }

    /** Parses one ad of the new syntax in a dialect. */
    public static ClassAd parse(String text, Dialect dialect) throws ClassAdSyntaxException {
        return LanguageServices.loaded().read(text, ReadOptions.NEW.with(dialect));
    }

    /** Parses one ad in the long form, one {@code Name = expr} a line. */
    public static ClassAd parseOld(String text) throws ClassAdSyntaxException {
        return LanguageServices.loaded().read(text, ReadOptions.OLD);
    }

    /** Parses one ad, which must be all of the text. The other {@code parse} methods demand the same. */
    public static ClassAd parse(String text, ReadOptions reading) throws ClassAdSyntaxException {
        return LanguageServices.loaded().read(text, reading);
    }

    /**
     * Parses any number of ads. In the new syntax they stand side by side, perhaps with commas between them or as one list; in
     * the long form a blank line ends an ad; JSON has an array or objects side by side; XML has a {@code classads} element.
     */
    public static List<ClassAd> parseAll(String text, ReadOptions reading) throws ClassAdSyntaxException {
        return LanguageServices.loaded().readAll(text, reading);
    }

    /** The ad of names and their expressions, two lists of one length; of a repeated name, the last expression counts. */
    public static ClassAd of(List<String> names, List<? extends Expr> expressions) {
        var builder = new Builder();
        for (int i = 0; i < names.size(); i++) {
            builder.set(names.get(i), expressions.get(i));
        }
        return builder.build();
    }

    /**
     * The ad of a map from names to strings, numbers, booleans, times, durations, collections, maps, expressions, values or ads; null
     * is UNDEFINED.
     *
     * @throws IllegalArgumentException for a value of another type, or an empty name
     */
    public static ClassAd fromMap(Map<String, ? extends @Nullable Object> map) {
        return LanguageServices.loaded().fromMap(Objects.requireNonNull(map, "The map is null."));
    }

    private static Name key(String name) {
        return Name.of(Bytes.encode(Objects.requireNonNull(name, "The name of an attribute is null.")));
    }

    private static Name newKey(String name, @Nullable Object value) {
        Name key = key(name);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("The name of an attribute is empty.");
        }
        if (value == null) {
            throw new NullPointerException("The value of the attribute %s is null.".formatted(name));
        }
        return key;
    }

    /** The expression of an attribute of this ad, not of the ads around it; empty if this ad has none of that name, ignoring case. */
    public Optional<Expr> lookup(String name) {
        return Optional.ofNullable(expression(key(name)));
    }

    /** The expression of the attribute of this ad that a reference names; empty if this ad has none of that name. */
    public Optional<Expr> lookup(AttributeRef reference) {
        return Optional.ofNullable(expression(reference.key()));
    }

    /** Whether the ad has an attribute of that name, ignoring case. {@code O(1)}. */
    public boolean has(String name) {
        return shape.indexOf(key(name)) >= 0;
    }

    /** The value of an attribute of this ad on its own, in {@link LookupMode#NEW}; UNDEFINED if it has none of that name. */
    @Override
    public Value evaluate(String name) {
        return evaluate(name, Scope.of(this));
    }

    /** The value of an attribute of this ad, evaluated in a scope of this ad; UNDEFINED if it has none of that name. */
    public Value evaluate(String name, Scope scope) {
        Expr expr = expression(key(name));
        return expr == null ? Value.UNDEFINED : Evaluation.attribute(expr, scope);
    }

    /** A copy of this ad with one attribute set. A name that the ad has keeps its spelling and index. */
    public ClassAd with(String name, Expr expr) {
        Name key = newKey(name, expr);
        int index = shape.indexOf(key);
        if (index >= 0) {
            Expr[] changed = slots.clone();
            changed[index] = expr;
            return new ClassAd(shape, changed);
        }
        return new Builder(slots.length + 1).addAll(this, -1).add(key, expr).build();
    }

    /** This ad with one attribute set to a value. */
    public ClassAd with(String name, Value value) {
        return with(name, Literal.of(value));
    }

    /** This ad with one attribute set to a text. */
    public ClassAd with(String name, String text) {
        return with(name, Literal.of(text));
    }

    /** This ad with one attribute set to an integer. */
    public ClassAd with(String name, long value) {
        return with(name, Literal.of(value));
    }

    /** This ad with one attribute set to a real number. */
    public ClassAd with(String name, double value) {
        return with(name, Literal.of(value));
    }

    /** This ad with one attribute set to a truth value. */
    public ClassAd with(String name, boolean value) {
        return with(name, Literal.of(value));
    }

    /** This ad with the attributes of another one added; of a name in both, the other ad's expression counts. */
    public ClassAd with(ClassAd overrides) {
        return new Builder().addAll(this, -1).addAll(overrides, -1).build();
    }

    /** This ad without one attribute; this ad itself if it has none of that name. */
    public ClassAd without(String name) {
        int gone = shape.indexOf(key(name));
        return gone < 0 ? this : new Builder().addAll(this, gone).build();
    }

    /** How many attributes the ad has. */
    public int size() {
        return slots.length;
    }

    /** Whether the ad has no attribute. */
    public boolean isEmpty() {
        return slots.length == 0;
    }

    /** The names in the order they were set. */
    public List<String> names() {
        return indexes().mapToObj(i -> shape.name(i).text()).toList();
    }

    /** The names in the order in which the reference prints them: shorter ones first, then alphabetically, ignoring case. */
    public List<String> printedNames() {
        return Arrays.stream(shape.libraryOrder())
                .mapToObj(i -> shape.name(i).text())
                .toList();
    }

    /** The expressions in the order their names were set. */
    public List<Expr> expressions() {
        return indexes().mapToObj(i -> slots[i]).toList();
    }

    /** Calls the visitor with each attribute, in the order they were set. */
    public void forEach(BiConsumer<String, Expr> visitor) {
        indexes().forEach(i -> visitor.accept(shape.name(i).text(), slots[i]));
    }

    /** The ad in the new syntax, on one line. */
    public String print() {
        return print(Syntax.NEW);
    }

    /** The ad in one of the written forms: the long form has a line per attribute, the others are on one line. */
    public String print(Syntax syntax) {
        return LanguageServices.loaded().write(this, syntax);
    }

    /** The indexes of the attributes in the order they were set. */
    private IntStream indexes() {
        return IntStream.range(0, slots.length).map(shape::indexSetAt);
    }

    Shape shape() {
        return shape;
    }

    /** Whether the ad has an attribute at that index, and it has that name. */
    boolean hasAt(int index, Name name) {
        return index < names.length ? names[index].same(name) : shape.hasAt(index, name);
    }

    Expr slot(int index) {
        return slots[index];
    }

    @Nullable
    Expr expression(Name name) {
        int index = shape.indexOf(name);
        return index < 0 ? null : slots[index];
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof ClassAd ad && sameAttributes(ad);
    }

    private boolean sameAttributes(ClassAd that) {
        if (slots.length != that.slots.length) {
            return false;
        }
        for (int i = 0; i < slots.length; i++) {
            Expr other = that.expression(shape.name(i));
            if (other == null || !slots[i].equals(other)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return indexes()
                .map(i -> (31 + shape.name(i).hash) * (31 + slots[i].hashCode()))
                .sum();
    }

    @Override
    public String toString() {
        return print();
    }

    /** A collector of the attributes of an ad: {@code new ClassAd.Builder().set("Memory", 64).build()}. Not thread-safe. */
    public static final class Builder {

        private Name[] names;
        private Expr[] exprs;
        private int count;

        /** A builder without attributes. */
        public Builder() {
            this(16);
        }

        /** A builder with room for {@code expected} attributes, an estimate; it grows when more are set. */
        public Builder(int expected) {
            int room = Math.max(16, Math.min(expected, MOST_ATTRIBUTES));
            names = new Name[room];
            exprs = new Expr[room];
        }

        /**
         * Sets an attribute; of a repeated name the last expression counts.
         *
         * @throws IllegalArgumentException if the ad has {@link #MOST_ATTRIBUTES} attributes
         */
        public Builder set(String name, Expr expr) {
            return add(newKey(name, expr), expr);
        }

        private Builder add(Name name, Expr expr) {
            if (!put(name, expr)) {
                throw new IllegalArgumentException(
                        "The attribute %s is one more than the %d of an ad.".formatted(name, MOST_ATTRIBUTES));
            }
            return this;
        }

        /** Sets an attribute to a value. */
        public Builder set(String name, Value value) {
            return set(name, Literal.of(value));
        }

        /** Sets an attribute to a text. */
        public Builder set(String name, String text) {
            return set(name, Literal.of(text));
        }

        /** Sets an attribute to an integer. */
        public Builder set(String name, long value) {
            return set(name, Literal.of(value));
        }

        /** Sets an attribute to a real number. */
        public Builder set(String name, double value) {
            return set(name, Literal.of(value));
        }

        /** Sets an attribute to a truth value. */
        public Builder set(String name, boolean value) {
            return set(name, Literal.of(value));
        }

        /** Sets an attribute, for the readers of the written forms; false, without effect, if the ad has {@link #MOST_ATTRIBUTES} names. */
        public boolean put(Name name, Expr expr) {
            if (count == Shape.MOST_NAMES) {
                dropRepeated();
            }
            if (count == Shape.MOST_NAMES) {
                return false;
            }
            if (count == names.length) {
                names = Arrays.copyOf(names, count * 2);
                exprs = Arrays.copyOf(exprs, count * 2);
            }
            names[count] = name;
            exprs[count++] = expr;
            return true;
        }

        /** Sets all attributes of an ad except the one at an index, -1 for none. */
        private Builder addAll(ClassAd ad, int butOne) {
            ad.indexes().filter(i -> i != butOne).forEach(i -> add(ad.shape.name(i), ad.slots[i]));
            return this;
        }

        /** Removes all attributes; the builder can be used again. */
        public void clear() {
            count = 0;
        }

        /** The ad of the attributes set so far; more may be set afterwards. */
        public ClassAd build() {
            if (count == 0) {
                return EMPTY;
            }
            Shape shape = Shape.cached(names, count);
            if (shape == null) {
                dropRepeated();
                shape = Shape.of(names, count);
            }
            var slots = new Expr[count];
            for (int position = 0; position < count; position++) {
                slots[shape.indexSetAt(position)] = exprs[position];
            }
            return new ClassAd(shape, slots);
        }

        /** Merges the attributes of a repeated name: the first spelling and index remain, and the last expression. */
        private void dropRepeated() {
            var first = new java.util.HashMap<Name, Integer>(count * 2);
            int kept = 0;
            for (int i = 0; i < count; i++) {
                Integer earlier = first.putIfAbsent(names[i], kept);
                if (earlier == null) {
                    names[kept] = names[i];
                    exprs[kept++] = exprs[i];
                } else {
                    exprs[earlier] = exprs[i];
                }
            }
            count = kept;
        }
    }
}
