package org.metasched.classad.index;

import java.util.Locale;
import org.metasched.classad.Value;

/** The values that an index compares. */
public final class Comparisons {

    private Comparisons() {}

    /** Whether an index compares the value; lists and ads are left to the evaluator. */
    public static boolean isScalar(Value value) {
        return !(value instanceof Value.ListOf || value instanceof Value.Record);
    }

    /** Whether comparisons treat the value as a number; truth values count as 0 and 1. */
    public static boolean isNumeric(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.Bool;
    }

    /** A key that is equal for all values that {@code ==} or {@code is} may find equal, and perhaps for others. */
    static Object hashKey(Value value) {
        if (value instanceof Value.Text text) {
            return text.octets().toLowerCase(Locale.ROOT);
        }
        if (isNumeric(value)) {
            return value.rank() + 0.0;
        }
        if (value instanceof Value.AbsTime time) {
            return time.seconds();
        }
        return value;
    }
}
