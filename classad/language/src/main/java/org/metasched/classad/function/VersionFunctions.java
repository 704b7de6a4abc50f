package org.metasched.classad.function;

import java.util.function.IntPredicate;
import org.metasched.classad.Evaluation;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Value;
import org.metasched.classad.text.VersionOrder;

/** The functions of version numbers, which are compared by {@link VersionOrder}. */
final class VersionFunctions {

    private VersionFunctions() {}

    static void addTo(FunctionTable table) {
        table.addPure("versioncmp", 2, 2, (e, a) -> compared(e, a));
        table.addPure("versionlt", 2, 2, (e, a) -> tested(e, a, c -> c < 0));
        table.addPure("versionle", 2, 2, (e, a) -> tested(e, a, c -> c <= 0));
        table.addPure("versiongt", 2, 2, (e, a) -> tested(e, a, c -> c > 0));
        table.addPure("versionge", 2, 2, (e, a) -> tested(e, a, c -> c >= 0));
        table.addPure("versioneq", 2, 2, (e, a) -> tested(e, a, c -> c == 0));
        table.addPure("version_in_range", 3, 3, (e, a) -> inRange(e, a));
    }

    /** {@code versioncmp}: negative, 0 or positive. */
    private static Value compared(Evaluation e, Value[] a) {
        Value x = e.text(a[0]);
        Value y = e.text(a[1]);
        Value exceptional = FunctionArguments.undefinedFirst(x, y);
        return exceptional != null
                ? exceptional
                : Value.of((long) VersionOrder.compare(FunctionArguments.octets(x), FunctionArguments.octets(y)));
    }

    /** Whether a test holds of the comparison of two versions. */
    private static Value tested(Evaluation e, Value[] a, IntPredicate test) {
        Value compared = compared(e, a);
        return compared instanceof Value.Int i ? Value.of(test.test((int) i.value())) : compared;
    }

    /** {@code version_in_range}: whether a version lies between two others, both included. */
    private static Value inRange(Evaluation e, Value[] a) {
        Value version = e.text(a[0]);
        Value least = e.text(a[1]);
        Value most = e.text(a[2]);
        if (least == Value.UNDEFINED || most == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        if (version.isExceptional() || least == Value.ERROR || most == Value.ERROR) {
            return Value.ERROR;
        }
        String v = FunctionArguments.octets(version);
        return Value.of(VersionOrder.compare(FunctionArguments.octets(least), v) <= 0
                && VersionOrder.compare(v, FunctionArguments.octets(most)) <= 0);
    }
}
