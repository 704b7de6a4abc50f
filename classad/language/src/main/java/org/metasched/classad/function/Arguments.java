package org.metasched.classad.function;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.Value;

/** What several families of functions ask of their arguments. */
final class Arguments {

    private Arguments() {}

    static String octets(Value text) {
        return ((Value.Text) text).octets();
    }

    /** UNDEFINED if any is, else ERROR if any is, else null. */
    static @Nullable Value undefinedFirst(Value... values) {
        Value found = null;
        for (Value value : values) {
            if (value == Value.UNDEFINED) {
                return value;
            }
            found = value == Value.ERROR ? value : found;
        }
        return found;
    }

    /** ERROR if any is, else UNDEFINED if any is, else null. */
    static @Nullable Value errorFirst(Value... values) {
        Value found = null;
        for (Value value : values) {
            if (value == Value.ERROR) {
                return value;
            }
            found = value == Value.UNDEFINED ? value : found;
        }
        return found;
    }
}
