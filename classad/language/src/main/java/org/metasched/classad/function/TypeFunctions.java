package org.metasched.classad.function;

import org.metasched.classad.CompiledExpr;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Numbers;

/** The functions that test and convert types. */
final class TypeFunctions {

    private TypeFunctions() {}

    static void addTo(FunctionTable table) {
        table.addUnary("isundefined", v -> Value.of(v == Value.UNDEFINED));
        table.addUnary("iserror", v -> Value.of(v == Value.ERROR));
        table.addUnary("isstring", v -> Value.of(v instanceof Value.Text));
        table.addUnary("isinteger", v -> Value.of(v instanceof Value.Int));
        table.addUnary("isreal", v -> Value.of(v instanceof Value.Real));
        table.addUnary("islist", v -> Value.of(v instanceof Value.ListOf));
        table.addUnary("isclassad", v -> Value.of(v instanceof Value.Record));
        table.addUnary("isboolean", v -> Value.of(v instanceof Value.Bool));
        table.addUnary("isabstime", v -> Value.of(v instanceof Value.AbsTime));
        table.addUnary("isreltime", v -> Value.of(v instanceof Value.RelTime));
        table.addUnary("int", TypeFunctions::integer);
        table.addUnary("real", TypeFunctions::real);
        table.addUnary("string", CompiledExpr::asText);
        table.addUnary("bool", TypeFunctions::bool);
    }

    /** {@code int}: fractions are cut off; the seconds of a time; the number that a text begins with. */
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

    /** {@code real}: the seconds of a time, or the whole seconds of a span; the number that a text begins with. */
    static Value real(Value value) {
        if (value instanceof Value.Real || value.isExceptional()) {
            return value;
        }
        if (value instanceof Value.Int || value instanceof Value.Bool) {
            // True is 1.0, as in a Rank.
            return Value.of(value.rank());
        }
        if (value instanceof Value.AbsTime t) {
            return Value.of((double) t.seconds());
        }
        if (value instanceof Value.RelTime t) {
            return Value.of((double) (long) t.seconds());
        }
        return value instanceof Value.Text text ? prefix(text.octets()) : Value.ERROR;
    }

    /** The real that a text begins with, as strtod reads it; ERROR if it begins with none. */
    static Value prefix(String octets) {
        Double number = Numbers.prefix(octets);
        return number == null ? Value.ERROR : Value.of((double) number);
    }

    /** {@code bool}: whether a number, or a span cut to whole seconds, is not zero; the texts true and false, UNDEFINED for others. */
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
