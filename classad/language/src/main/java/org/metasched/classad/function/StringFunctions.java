package org.metasched.classad.function;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.CompiledExpr;
import org.metasched.classad.Evaluation;
import org.metasched.classad.Expr;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;

/**
 * The functions of strings, without those of patterns ({@link PatternFunctions}) and of lists in strings
 * ({@link StringListFunctions}).
 */
final class StringFunctions {

    /** The bytes of a text from which its memory and time are counted: shorter texts cost less than the node that makes them. */
    private static final int LONG_TEXT = 64;

    private StringFunctions() {}

    static void addTo(FunctionTable table) {
        table.addCompiled("strcat", 0, FunctionTable.ANY, (call, a) -> concatenation(a));
        table.addPure("join", 0, FunctionTable.ANY, StringFunctions::join);
        table.addCompiled("toupper", 1, 1, (call, a) -> cased(true, a[0]));
        table.addCompiled("tolower", 1, 1, (call, a) -> cased(false, a[0]));
        table.addPure("substr", 2, 3, (e, a) -> substring(a));
        table.addUnary("size", StringFunctions::size);
        table.addPure("strcmp", 2, 2, (e, a) -> compare(e, a[0], a[1], false));
        table.addPure("stricmp", 2, 2, (e, a) -> compare(e, a[0], a[1], true));
    }

    /** {@code strcat}. The first argument that is UNDEFINED or ERROR is the result; later ones are not evaluated. */
    private static CompiledExpr concatenation(CompiledExpr[] arguments) {
        return new CompiledExpr(arguments) {
            @Override
            public Value value(Evaluation e, Scope s) {
                var out = new StringBuilder(32);
                Value none = append(out, e, s);
                return none == null ? new Value.Text(out.toString()) : none;
            }

            @Override
            @Nullable
            public Value append(StringBuilder out, Evaluation e, Scope s) {
                for (CompiledExpr argument : arguments) {
                    int from = out.length();
                    Value none = argument.append(out, e, s);
                    if (none != null) {
                        return none;
                    }
                    int added = out.length() - from;
                    if (out.length() > e.limits().stringBytes() || added >= LONG_TEXT && !e.takes(added)) {
                        return e.fail();
                    }
                }
                return null;
            }
        };
    }

    /** {@code toUpper} and {@code toLower}. */
    private static CompiledExpr cased(boolean upper, CompiledExpr argument) {
        return new CompiledExpr(argument) {
            @Override
            public Value value(Evaluation e, Scope s) {
                Value text = e.text(argument.value(e, s));
                if (text.isExceptional() || !e.looksAt(text)) {
                    return text;
                }
                String octets = FunctionArguments.octets(text);
                String mapped = upper ? Bytes.upper(octets) : Bytes.lower(octets);
                return mapped == octets ? text : e.made(new Value.Text(mapped));
            }

            @Override
            @Nullable
            public Value append(StringBuilder out, Evaluation e, Scope s) {
                int from = out.length();
                Value none = argument.append(out, e, s);
                e.spend((out.length() - from) / LONG_TEXT);
                for (int i = from; i < out.length() && none == null; i++) {
                    char c = out.charAt(i);
                    out.setCharAt(i, upper ? Bytes.upper(c) : Bytes.lower(c));
                }
                return none;
            }
        };
    }

    /**
     * {@code join(separator, items...)}, {@code join(separator, list)}, {@code join(list)}. UNDEFINED items are skipped, and an UNDEFINED
     * separator is empty. If any is ERROR, so is the result.
     */
    private static Value join(Evaluation e, Value[] a) {
        var joiner = new Joiner(e);
        boolean listOnly = a.length == 1 && a[0] instanceof Value.ListOf;
        if (a.length > 0 && !listOnly && !joiner.separate(a[0])) {
            return Value.ERROR;
        }
        for (int i = listOnly ? 0 : 1; i < a.length; i++) {
            boolean spread = a[i] instanceof Value.ListOf && a.length <= 2;
            if (!(spread ? joiner.addAll((Value.ListOf) a[i]) : joiner.add(a[i]))) {
                return Value.ERROR;
            }
        }
        return joiner.result();
    }

    /** The state of one {@code join}. */
    private static final class Joiner {

        private final Evaluation e;
        private final StringBuilder out = new StringBuilder();
        private String separator = "";

        /** Whether an item has been added. */
        private boolean hasItem;

        /** Whether an item, or the separator, was UNDEFINED. */
        private boolean hasSkipped;

        Joiner(Evaluation e) {
            this.e = e;
        }

        /** Sets the separator; false if it is ERROR. */
        boolean separate(Value value) {
            Value text = e.text(value);
            hasSkipped = text == Value.UNDEFINED;
            if (text instanceof Value.Text t) {
                separator = t.octets();
            }
            return text != Value.ERROR;
        }

        /** Adds an item; false if it is ERROR or the result is too long. */
        boolean add(Value item) {
            Value text = e.text(item);
            if (text == Value.UNDEFINED) {
                hasSkipped = true;
                return true;
            }
            if (text == Value.ERROR) {
                return false;
            }
            if (out.length() > 0) {
                out.append(separator);
            }
            out.append(FunctionArguments.octets(text));
            hasItem = true;
            int added = separator.length() + FunctionArguments.octets(text).length();
            if (out.length() > e.limits().stringBytes() || !e.takes(added)) {
                e.fail();
                return false;
            }
            return true;
        }

        boolean addAll(Value.ListOf list) {
            for (Expr element : list.elements()) {
                if (!add(e.element(list, element))) {
                    return false;
                }
            }
            return true;
        }

        Value result() {
            return hasItem || !hasSkipped ? new Value.Text(out.toString()) : Value.UNDEFINED;
        }
    }

    /** {@code substr}. A negative offset counts from the end; a negative length leaves that many bytes off the end. */
    private static Value substring(Value[] a) {
        if (List.of(a).contains(Value.UNDEFINED)) {
            return Value.UNDEFINED;
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

    /** {@code size}: the bytes of a string, the elements of a list, or the attributes of an ad. */
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

    /** {@code strcmp} and {@code stricmp}: -1, 0 or 1. */
    private static Value compare(Evaluation e, Value first, Value second, boolean ignoringCase) {
        Value a = e.text(first);
        Value b = e.text(second);
        Value exceptional = FunctionArguments.undefinedFirst(a, b);
        if (exceptional != null) {
            return exceptional;
        }
        String x = FunctionArguments.octets(a);
        String y = FunctionArguments.octets(b);
        return Value.of((long) (ignoringCase ? Bytes.compareIgnoringCase(x, y) : Bytes.compare(x, y)));
    }
}
