package org.metasched.classad.index;

import java.util.Locale;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/** Which comparisons an index answers: by their operators and by the kinds of their values. */
public final class Comparisons {

    private Comparisons() {}

    /** Whether an operator compares its operands; {@code is} and {@code isnt} do so too. */
    public static boolean isComparison(BinaryOperator operator) {
        return operator.isComparison() || operator == BinaryOperator.IS || operator == BinaryOperator.ISNT;
    }

    /** Whether an index compares the value; lists and ads are left to the evaluator. */
    public static boolean isScalar(Value value) {
        return !(value instanceof Value.ListOf || value instanceof Value.Record);
    }

    /** Whether comparisons treat the value as a number; truth values count as 0 and 1. */
    public static boolean isNumeric(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.Bool;
    }

    /** A key that is equal for all values that {@code ==} or {@code is} may find equal, and perhaps for unequal ones. */
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
        return value instanceof Value.RelTime span ? Double.valueOf(span.seconds() + 0.0) : value;
    }
}
