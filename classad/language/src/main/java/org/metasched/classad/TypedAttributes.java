package org.metasched.classad;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an ad as Java values. Each getter evaluates an attribute in the ad on its own, like {@link ClassAd#evaluate(String)},
 * and converts its value. For an attribute that is missing or UNDEFINED, a getter with a default returns the default, and one without
 * throws {@link IllegalArgumentException}. A value of another type is that exception, too; it names attribute, value and type.
 */
public abstract sealed class TypedAttributes permits ClassAd {

    TypedAttributes() {}

    /** The value of an attribute of this ad on its own; UNDEFINED if it has none of that name. */
    public abstract Value evaluate(String name);

    /** The value of an integer attribute, which must fit 32 bits. */
    public final int getInt(String name) {
        return typed(name, "an integer of 32 bits", null, TypedAttributes::asInt);
    }

    /** The value of an integer attribute, which must fit 32 bits, or the default. */
    public final int getInt(String name, int byDefault) {
        return typed(name, "an integer of 32 bits", byDefault, TypedAttributes::asInt);
    }

    /** The value of an integer attribute. */
    public final long getLong(String name) {
        return typed(name, "an integer", null, TypedAttributes::asLong);
    }

    /** The value of an integer attribute, or the default. */
    public final long getLong(String name, long byDefault) {
        return typed(name, "an integer", byDefault, TypedAttributes::asLong);
    }

    /** The value of a real or integer attribute as a double. */
    public final double getDouble(String name) {
        return typed(name, "a number", null, TypedAttributes::asDouble);
    }

    /** The value of a real or integer attribute as a double, or the default. */
    public final double getDouble(String name, double byDefault) {
        return typed(name, "a number", byDefault, TypedAttributes::asDouble);
    }

    /** The value of a string attribute, its bytes read as UTF-8. */
    public final String getString(String name) {
        return typed(name, "a string", null, TypedAttributes::asString);
    }

    /** The value of a string attribute, its bytes read as UTF-8, or the default. */
    public final String getString(String name, String byDefault) {
        return typed(name, "a string", byDefault, TypedAttributes::asString);
    }

    /** The value of a string attribute, its bytes read as UTF-8; empty for a value of any other type. */
    public final Optional<String> findString(String name) {
        return Optional.ofNullable(asString(evaluate(name)));
    }

    /** The value of a boolean attribute; a number is no boolean. */
    public final boolean getBoolean(String name) {
        return typed(name, "a boolean", null, TypedAttributes::asBoolean);
    }

    /** The value of a boolean attribute, or the default; a number is no boolean. */
    public final boolean getBoolean(String name, boolean byDefault) {
        return typed(name, "a boolean", byDefault, TypedAttributes::asBoolean);
    }

    /** The values of the elements of a list attribute. */
    public final List<Value> getList(String name) {
        return typed(name, "a list", null, TypedAttributes::asList);
    }

    /** The values of the elements of a list attribute, or the default. */
    public final List<Value> getList(String name, List<Value> byDefault) {
        return typed(name, "a list", byDefault, TypedAttributes::asList);
    }

    /** The value of an attribute that is an ad, without the ads around it. */
    public final ClassAd getAd(String name) {
        return typed(name, "an ad", null, TypedAttributes::asAd);
    }

    /** The value of an attribute that is an ad, without the ads around it, or the default. */
    public final ClassAd getAd(String name, ClassAd byDefault) {
        return typed(name, "an ad", byDefault, TypedAttributes::asAd);
    }

    /**
     * The values of all attributes by name, in the order of the ad: {@code Boolean}, {@code Long}, {@code Double}, {@code String},
     * {@code OffsetDateTime} ({@link Value.AbsTime} beyond its range), {@code Duration} in whole milliseconds, {@code List} and
     * {@code Map}; null for UNDEFINED. {@link Value#ERROR} stands for ERROR, for values nested deeper than 100 levels, and for those beyond
     * the limits of one evaluation or the millionth. Unmodifiable.
     */
    public final Map<String, @Nullable Object> toMap() {
        return LanguageServices.loaded().toMap((ClassAd) this);
    }

    /** The converted value of an attribute; {@code expected} is the type in an error message, and {@code as} returns null for others. */
    private <T> T typed(String name, String expected, @Nullable T byDefault, Function<Value, @Nullable T> as) {
        Value value = evaluate(name);
        T typed = value.isUndefined() ? byDefault : as.apply(value);
        if (typed == null) {
            throw new IllegalArgumentException(
                    "The attribute %s is %s, expected %s.".formatted(name, shortened(value.print()), expected));
        }
        return typed;
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 79) + "…";
    }

    private static @Nullable Integer asInt(Value value) {
        return value instanceof Value.Int i && i.value() == (int) i.value() ? (Integer) (int) i.value() : null;
    }

    private static @Nullable Long asLong(Value value) {
        return value instanceof Value.Int i ? (Long) i.value() : null;
    }

    private static @Nullable Double asDouble(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real ? (Double) value.rank() : null;
    }

    private static @Nullable String asString(Value value) {
        return value instanceof Value.Text text ? text.text() : null;
    }

    private static @Nullable Boolean asBoolean(Value value) {
        return value instanceof Value.Bool bool ? (Boolean) bool.value() : null;
    }

    private static @Nullable List<Value> asList(Value value) {
        return value instanceof Value.ListOf list
                ? list.elements().stream()
                        .map(element -> element.evaluate(list.scope()))
                        .toList()
                : null;
    }

    private static @Nullable ClassAd asAd(Value value) {
        return value instanceof Value.Record ad ? ad.ad() : null;
    }
}
