package org.metasched.classad;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an ad as Java's values. Each is evaluated in the ad on its own, as {@link ClassAd#evaluate(String)} does it. A
 * getter with a default returns that for an attribute that is missing or UNDEFINED. A value of another type is an
 * {@link IllegalArgumentException} that names the attribute, its value and the type; without a default, so is a missing one.
 */
public abstract sealed class TypedAttributes permits ClassAd {

    TypedAttributes() {}

    /** The value of an attribute of this ad on its own; UNDEFINED if it has none of that name. */
    public abstract Value evaluate(String name);

    /** An integer of 32 bits. */
    public final int getInt(String name) {
        return typed(name, "an integer of 32 bits", null, TypedAttributes::asInt);
    }

    /** An integer of 32 bits, or the default. */
    public final int getInt(String name, int byDefault) {
        return typed(name, "an integer of 32 bits", byDefault, TypedAttributes::asInt);
    }

    /** An integer. */
    public final long getLong(String name) {
        return typed(name, "an integer", null, TypedAttributes::asLong);
    }

    /** An integer, or the default. */
    public final long getLong(String name, long byDefault) {
        return typed(name, "an integer", byDefault, TypedAttributes::asLong);
    }

    /** A real number, or an integer as one. */
    public final double getDouble(String name) {
        return typed(name, "a number", null, TypedAttributes::asDouble);
    }

    /** A real number, or an integer as one, or the default. */
    public final double getDouble(String name, double byDefault) {
        return typed(name, "a number", byDefault, TypedAttributes::asDouble);
    }

    /** A string, its bytes read as UTF-8. */
    public final String getString(String name) {
        return typed(name, "a string", null, TypedAttributes::asString);
    }

    /** A string, its bytes read as UTF-8, or the default. */
    public final String getString(String name, String byDefault) {
        return typed(name, "a string", byDefault, TypedAttributes::asString);
    }

    /** A truth value. */
    public final boolean getBoolean(String name) {
        return typed(name, "a boolean", null, TypedAttributes::asBoolean);
    }

    /** A truth value, or the default. */
    public final boolean getBoolean(String name, boolean byDefault) {
        return typed(name, "a boolean", byDefault, TypedAttributes::asBoolean);
    }

    /** The values of a list's elements. */
    public final List<Value> getList(String name) {
        return typed(name, "a list", null, TypedAttributes::asList);
    }

    /** The values of a list's elements, or the default. */
    public final List<Value> getList(String name, List<Value> byDefault) {
        return typed(name, "a list", byDefault, TypedAttributes::asList);
    }

    /** An ad, without the ads around it. */
    public final ClassAd getAd(String name) {
        return typed(name, "an ad", null, TypedAttributes::asAd);
    }

    /** An ad, without the ads around it, or the default. */
    public final ClassAd getAd(String name, ClassAd byDefault) {
        return typed(name, "an ad", byDefault, TypedAttributes::asAd);
    }

    /**
     * The values of all attributes, in order: {@code Boolean}, {@code Long}, {@code Double}, {@code String}, {@code OffsetDateTime},
     * {@code Duration}, {@code List} and {@code Map}; null for UNDEFINED, {@link Value#ERROR} for ERROR, for what is nested
     * deeper than 100 levels, and for what is beyond the limits of one evaluation. Unmodifiable.
     */
    public final Map<String, @Nullable Object> toMap() {
        return LanguageServices.loaded().toMap((ClassAd) this);
    }

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
