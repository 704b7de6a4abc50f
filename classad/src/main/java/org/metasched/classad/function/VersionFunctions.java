package org.metasched.classad.function;

import java.util.function.IntPredicate;
import org.metasched.classad.Code;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Value;
import org.metasched.classad.text.VersionOrder;

/** Comparison of version numbers in natural order. */
final class VersionFunctions {

    private VersionFunctions() {}

    static void addTo(FunctionTable table) {
        table.add("versioncmp", 2, 2, (e, a) -> compared(a));
        table.add("versionlt", 2, 2, (e, a) -> tested(a, c -> c < 0));
        table.add("versionle", 2, 2, (e, a) -> tested(a, c -> c <= 0));
        table.add("versiongt", 2, 2, (e, a) -> tested(a, c -> c > 0));
        table.add("versionge", 2, 2, (e, a) -> tested(a, c -> c >= 0));
        table.add("versioneq", 2, 2, (e, a) -> tested(a, c -> c == 0));
        table.add("version_in_range", 3, 3, (e, a) -> inRange(a));
    }

    private static Value compared(Value[] a) {
        Value x = Code.asText(a[0]);
        Value y = Code.asText(a[1]);
        Value exceptional = Arguments.undefinedFirst(x, y);
        return exceptional != null
                ? exceptional
                : Value.of((long) VersionOrder.compare(Arguments.octets(x), Arguments.octets(y)));
    }

    private static Value tested(Value[] a, IntPredicate test) {
        Value compared = compared(a);
        return compared instanceof Value.Int i ? Value.of(test.test((int) i.value())) : compared;
    }

    private static Value inRange(Value[] a) {
        Value version = Code.asText(a[0]);
        Value least = Code.asText(a[1]);
        Value most = Code.asText(a[2]);
        if (least == Value.UNDEFINED || most == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        if (version.isExceptional() || least == Value.ERROR || most == Value.ERROR) {
            return Value.ERROR;
        }
        String v = Arguments.octets(version);
        return Value.of(VersionOrder.compare(Arguments.octets(least), v) <= 0
                && VersionOrder.compare(v, Arguments.octets(most)) <= 0);
    }
}
