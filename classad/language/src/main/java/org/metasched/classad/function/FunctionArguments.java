package org.metasched.classad.function;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.Value;

/** Functions of arguments that several families of built-in functions share. */
final class FunctionArguments {

    private FunctionArguments() {}

    /** The byte string of a value that must be a text. */
    static String octets(Value text) {
        return ((Value.Text) text).octets();
    }

    /** UNDEFINED if any value is UNDEFINED, else ERROR if any is ERROR, else null. */
    static @Nullable Value undefinedFirst(Value... values) {
        return exceptional(Value.UNDEFINED, values);
    }

    /** ERROR if any value is ERROR, else UNDEFINED if any is UNDEFINED, else null. */
    static @Nullable Value errorFirst(Value... values) {
        return exceptional(Value.ERROR, values);
    }

    /** {@code first} if any value is that, else the last value that is UNDEFINED or ERROR, else null. */
    private static @Nullable Value exceptional(Value first, Value... values) {
        Value found = null;
        for (Value value : values) {
            if (value == first) {
                return value;
            }
            found = value == Value.UNDEFINED || value == Value.ERROR ? value : found;
        }
        return found;
    }
}
