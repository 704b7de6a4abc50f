package org.metasched.classad.function;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.Value;

/** Checks of arguments that several families of functions share. */
final class FunctionArguments {

    private FunctionArguments() {}

    static String octets(Value text) {
        return ((Value.Text) text).octets();
    }

    /** UNDEFINED if any is, else ERROR if any is, else null. */
    static @Nullable Value undefinedFirst(Value... values) {
        return exceptional(Value.UNDEFINED, values);
    }

    /** ERROR if any is, else UNDEFINED if any is, else null. */
    static @Nullable Value errorFirst(Value... values) {
        return exceptional(Value.ERROR, values);
    }

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
