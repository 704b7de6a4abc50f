package org.metasched.classad.index;

import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/**
 * Whether a comparison of two values is true: the language's rules for {@code == != < <= > >= is isnt}, reduced to what a
 * constraint asks. UNDEFINED and ERROR come out as not true, like false. Total, stateless.
 */
public final class Comparisons {

    private Comparisons() {}

    static boolean understands(BinaryOperator operator) {
        return operator.isComparison() || operator == BinaryOperator.IS || operator == BinaryOperator.ISNT;
    }

    /** Values that are compared here; lists and ads are left to the evaluator. */
    public static boolean isScalar(Value value) {
        return !(value instanceof Value.ListOf || value instanceof Value.Record);
    }

    /** Whether comparisons take the value for a number; truth values count as 0 and 1. */
    public static boolean isNumeric(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.Bool;
    }

    /** Whether {@code left operator right} is true, for scalars. */
    static boolean holds(BinaryOperator operator, Value left, Value right) {
        return switch (operator) {
            case IS -> identical(left, right);
            case ISNT -> !identical(left, right);
            default -> comparable(left, right) && holds(operator, compare(left, right));
        };
    }

    private static boolean holds(BinaryOperator operator, int order) {
        if (order == UNORDERED) {
            return operator == BinaryOperator.NOT_EQUAL;
        }
        return switch (operator) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
            default -> throw new IllegalArgumentException("The operator (" + operator + ") is not a comparison.");
        };
    }

    /** The order of a value and a NaN. */
    private static final int UNORDERED = 2;

    private static boolean comparable(Value a, Value b) {
        return isNumeric(a) && isNumeric(b)
                || a instanceof Value.Text && b instanceof Value.Text
                || a instanceof Value.AbsTime && b instanceof Value.AbsTime
                || a instanceof Value.RelTime && b instanceof Value.RelTime;
    }

    private static int compare(Value a, Value b) {
        if (a instanceof Value.Text x && b instanceof Value.Text y) {
            return compareIgnoringCase(x.octets(), y.octets());
        }
        if (a instanceof Value.AbsTime x && b instanceof Value.AbsTime y) {
            return Long.compare(x.seconds(), y.seconds());
        }
        if (a instanceof Value.RelTime x && b instanceof Value.RelTime y) {
            return compare(x.seconds(), y.seconds());
        }
        return isReal(a) || isReal(b) ? compare(a.rank(), b.rank()) : Long.compare(integer(a), integer(b));
    }

    private static boolean isReal(Value value) {
        return value instanceof Value.Real;
    }

    private static long integer(Value value) {
        return value instanceof Value.Int i ? i.value() : (long) value.rank();
    }

    private static int compare(double a, double b) {
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return UNORDERED;
        }
        return a < b ? -1 : a > b ? 1 : 0;
    }

    private static boolean identical(Value a, Value b) {
        if (a instanceof Value.Real x && b instanceof Value.Real y) {
            return x.value() == y.value();
        }
        return a.equals(b);
    }

    private static int compareIgnoringCase(String a, String b) {
        int n = Math.min(a.length(), b.length());
        for (int i = 0; i < n; i++) {
            int x = lower(a.charAt(i));
            int y = lower(b.charAt(i));
            if (x != y) {
                return x < y ? -1 : 1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    private static int lower(char c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }

    /** Equal for all values that {@code ==} or {@code is} may find equal, perhaps for others. */
    static Object hashKey(Value value) {
        if (value instanceof Value.Text text) {
            return lower(text.octets());
        }
        if (isNumeric(value)) {
            return value.rank() + 0.0;
        }
        if (value instanceof Value.AbsTime time) {
            return time.seconds();
        }
        return value;
    }

    private static String lower(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            char c = octets.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                var chars = octets.toCharArray();
                for (int k = i; k < chars.length; k++) {
                    chars[k] = (char) lower(chars[k]);
                }
                return new String(chars);
            }
        }
        return octets;
    }
}
