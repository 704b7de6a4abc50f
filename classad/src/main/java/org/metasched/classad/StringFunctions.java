package org.metasched.classad;

import java.util.Map;

/** Functions on strings; see {@link PatternFunctions} for patterns and {@link StringListFunctions} for lists in strings. */
final class StringFunctions {

    private StringFunctions() {}

    static void addTo(Map<String, Functions.Entry> table) {
        Functions.special(table, "strcat", 0, Functions.ANY, (e, s, call, a) -> concatenated(e, s, a));
        table.computeIfPresent("strcat", (k, v) -> new Functions.Entry(v.least(), v.most(), true, v.body()));
        Functions.add(table, "join", 1, Functions.ANY, StringFunctions::join);
        Functions.one(table, "toupper", v -> mapped(v, true));
        Functions.one(table, "tolower", v -> mapped(v, false));
        Functions.add(table, "substr", 2, 3, (e, a) -> substring(a));
        Functions.one(table, "size", StringFunctions::size);
        Functions.add(table, "strcmp", 2, 2, (e, a) -> compare(a[0], a[1], false));
        Functions.add(table, "stricmp", 2, 2, (e, a) -> compare(a[0], a[1], true));
    }

    /** Stops at the first exceptional argument, which is the result. */
    private static Value concatenated(Evaluation e, Scope s, Code[] arguments) {
        var out = new StringBuilder();
        for (Code argument : arguments) {
            Value text = Functions.asText(argument.value(e, s));
            if (text.isExceptional()) {
                return text;
            }
            out.append(Functions.octets(text));
            if (out.length() > e.limits().stringBytes()) {
                return e.fail();
            }
        }
        return new Value.Text(out.toString());
    }

    /** {@code join(sep, a...)}, {@code join(sep, list)}, {@code join(list)}. */
    private static Value join(Evaluation e, Value[] a) {
        if (a.length == 1) {
            return a[0] instanceof Value.ListOf list ? new Joiner(e, "").all(list) : Joiner.single(a[0]);
        }
        Value separator = Functions.asText(a[0]);
        if (separator.isExceptional()) {
            return separator;
        }
        var joiner = new Joiner(e, Functions.octets(separator));
        if (a.length == 2 && a[1] instanceof Value.ListOf list) {
            return joiner.all(list);
        }
        for (int i = 1; i < a.length; i++) {
            if (!joiner.add(a[i])) {
                return Value.ERROR;
            }
        }
        return joiner.result();
    }

    private static final class Joiner {

        private final Evaluation e;
        private final String separator;
        private final StringBuilder out = new StringBuilder();
        private boolean any;

        Joiner(Evaluation e, String separator) {
            this.e = e;
            this.separator = separator;
        }

        static Value single(Value value) {
            return Functions.asText(value);
        }

        /** UNDEFINED items are skipped; false for an ERROR item. */
        boolean add(Value item) {
            Value text = Functions.asText(item);
            if (text == Value.ERROR) {
                return false;
            }
            if (text != Value.UNDEFINED) {
                if (out.length() > 0) {
                    out.append(separator);
                }
                out.append(Functions.octets(text));
                any = true;
                if (out.length() > e.limits().stringBytes()) {
                    e.fail();
                    return false;
                }
            }
            return true;
        }

        Value all(Value.ListOf list) {
            for (Expr element : list.elements()) {
                if (!add(e.value(element, list.scope()))) {
                    return Value.ERROR;
                }
            }
            return result();
        }

        Value result() {
            return any ? new Value.Text(out.toString()) : Value.UNDEFINED;
        }
    }

    private static Value mapped(Value value, boolean upper) {
        Value text = Functions.asText(value);
        if (text.isExceptional()) {
            return text;
        }
        String octets = Functions.octets(text);
        String mapped = upper ? Bytes.upper(octets) : Bytes.lower(octets);
        return mapped.equals(octets) ? text : new Value.Text(mapped);
    }

    /** A negative offset counts from the end; a negative length leaves so many bytes off. */
    private static Value substring(Value[] a) {
        for (Value argument : a) {
            if (argument == Value.UNDEFINED) {
                return argument;
            }
        }
        boolean hasLength = a.length == 3;
        if (!(a[0] instanceof Value.Text text)
                || !(a[1] instanceof Value.Int offset)
                || hasLength && !(a[2] instanceof Value.Int)) {
            return Value.ERROR;
        }
        long size = text.octets().length();
        long from = offset.value() < 0 ? Math.max(0, size + offset.value()) : Math.min(size, offset.value());
        long length = hasLength ? ((Value.Int) a[2]).value() : size;
        long to = length < 0 ? Math.max(from, size + length) : Math.min(size, from + Math.min(length, size));
        return new Value.Text(text.octets().substring((int) from, (int) to));
    }

    private static Value size(Value value) {
        if (value instanceof Value.Text text) {
            return Value.of((long) text.octets().length());
        }
        if (value instanceof Value.ListOf list) {
            return Value.of((long) list.size());
        }
        if (value instanceof Value.Record record) {
            return Value.of((long) record.ad().size());
        }
        return value == Value.UNDEFINED ? value : Value.ERROR;
    }

    private static Value compare(Value first, Value second, boolean ignoringCase) {
        Value a = Functions.asText(first);
        Value b = Functions.asText(second);
        Value exceptional = Functions.undefinedFirst(a, b);
        if (exceptional != null) {
            return exceptional;
        }
        String x = Functions.octets(a);
        String y = Functions.octets(b);
        return Value.of((long) (ignoringCase ? Bytes.compareIgnoringCase(x, y) : Bytes.compare(x, y)));
    }
}
