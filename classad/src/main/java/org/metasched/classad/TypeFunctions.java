package org.metasched.classad;

import java.util.Map;

/** Type tests and conversions. */
final class TypeFunctions {

    private TypeFunctions() {}

    static void addTo(Map<String, Functions.Entry> table) {
        Functions.one(table, "isundefined", v -> Value.of(v == Value.UNDEFINED));
        Functions.one(table, "iserror", v -> Value.of(v == Value.ERROR));
        Functions.one(table, "isstring", v -> Value.of(v instanceof Value.Text));
        Functions.one(table, "isinteger", v -> Value.of(v instanceof Value.Int));
        Functions.one(table, "isreal", v -> Value.of(v instanceof Value.Real));
        Functions.one(table, "islist", v -> Value.of(v instanceof Value.ListOf));
        Functions.one(table, "isclassad", v -> Value.of(v instanceof Value.Record));
        Functions.one(table, "isboolean", v -> Value.of(v instanceof Value.Bool));
        Functions.one(table, "isabstime", v -> Value.of(v instanceof Value.AbsTime));
        Functions.one(table, "isreltime", v -> Value.of(v instanceof Value.RelTime));
        Functions.one(table, "int", TypeFunctions::integer);
        Functions.one(table, "real", TypeFunctions::real);
        Functions.one(table, "string", Functions::asText);
        Functions.one(table, "bool", TypeFunctions::bool);
    }

    static Value integer(Value value) {
        if (value instanceof Value.Int || value.isExceptional()) {
            return value;
        }
        if (value instanceof Value.Bool b) {
            return Value.of(b.value() ? 1L : 0L);
        }
        if (value instanceof Value.AbsTime t) {
            return Value.of(t.seconds());
        }
        Value real = real(value);
        return real instanceof Value.Real r ? Value.of((long) r.value()) : real;
    }

    static Value real(Value value) {
        if (value instanceof Value.Real || value.isExceptional()) {
            return value;
        }
        if (value instanceof Value.Int || value instanceof Value.Bool) {
            return Value.of(value.rank());
        }
        if (value instanceof Value.AbsTime t) {
            return Value.of((double) t.seconds());
        }
        if (value instanceof Value.RelTime t) {
            return Value.of((double) (long) t.seconds());
        }
        return value instanceof Value.Text text ? Numbers.prefix(text.octets()) : Value.ERROR;
    }

    private static Value bool(Value value) {
        if (value instanceof Value.Int || value instanceof Value.Real) {
            return Value.of(value.satisfies());
        }
        if (value instanceof Value.Bool || value.isExceptional()) {
            return value;
        }
        if (value instanceof Value.RelTime t) {
            return Value.of((long) t.seconds() != 0);
        }
        if (value instanceof Value.Text text) {
            return switch (Bytes.lower(text.octets())) {
                case "true" -> Value.TRUE;
                case "false" -> Value.FALSE;
                default -> Value.UNDEFINED;
            };
        }
        return Value.ERROR;
    }
}
