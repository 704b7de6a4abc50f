package org.metasched.classad;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table of built-in functions, by lower-case name. Each family adds its own. */
final class Functions {

    /** No bound on the number of arguments. */
    static final int ANY = Integer.MAX_VALUE;

    private static final Map<String, Entry> TABLE = new HashMap<>();

    static {
        TypeFunctions.addTo(TABLE);
        NumberFunctions.addTo(TABLE);
        StringFunctions.addTo(TABLE);
        VersionFunctions.addTo(TABLE);
        PatternFunctions.addTo(TABLE);
        ListFunctions.addTo(TABLE);
        StringListFunctions.addTo(TABLE);
        TimeFunctions.addTo(TABLE);
        ScopeFunctions.addTo(TABLE);
    }

    private Functions() {}

    /** What a function of one value does. */
    interface One {
        Value of(Value argument);
    }

    /** What a function of two values does. */
    interface Two {
        Value of(Evaluation e, Value first, Value second);
    }

    /** What a function of any number of values does. */
    interface Many {
        Value of(Evaluation e, Value[] arguments);
    }

    /** What a function does that sees its place and its arguments unevaluated. */
    interface Special {
        Value of(Evaluation e, Scope s, Call call, Code[] arguments);
    }

    /** Makes the code of a call with the right number of arguments. */
    interface Maker {
        Code of(Call call, Code[] arguments);
    }

    /** How many arguments a function takes, and its code; with constant arguments it is computed once if it is pure. */
    record Entry(int least, int most, boolean pure, Maker maker) {}

    static void one(Map<String, Entry> table, String name, One body) {
        table.put(name, new Entry(1, 1, true, (call, a) -> new OfOne(body, a[0])));
    }

    static void two(Map<String, Entry> table, String name, Two body) {
        table.put(name, new Entry(2, 2, true, (call, a) -> new OfTwo(body, a[0], a[1])));
    }

    static void add(Map<String, Entry> table, String name, int least, int most, Many body) {
        table.put(name, new Entry(least, most, true, (call, a) -> new OfMany(body, a)));
    }

    static void impure(Map<String, Entry> table, String name, int least, int most, Many body) {
        table.put(name, new Entry(least, most, false, (call, a) -> new OfMany(body, a)));
    }

    static void special(Map<String, Entry> table, String name, int least, int most, Special body) {
        table.put(name, new Entry(least, most, false, (call, a) -> new OfCall(body, call, a)));
    }

    /** A function whose calls are nodes of their own kind. */
    static void node(Map<String, Entry> table, String name, int least, int most, Maker maker) {
        table.put(name, new Entry(least, most, true, maker));
    }

    /** Whether calls of that function with constant arguments are constant. */
    static boolean isPure(Call call) {
        Entry entry = TABLE.get(call.key().lower);
        return entry == null || entry.pure();
    }

    static Code compile(Call call) {
        List<Expr> arguments = call.arguments();
        Entry entry = TABLE.get(call.key().lower);
        var codes = new Code[arguments.size()];
        boolean constant = true;
        for (int i = 0; i < codes.length; i++) {
            codes[i] = Compiler.compile(arguments.get(i));
            constant &= codes[i] instanceof Code.Constant;
        }
        if (entry == null || codes.length < entry.least() || codes.length > entry.most()) {
            return new Code.Constant(Value.ERROR);
        }
        Code code = entry.maker().of(call, codes);
        return constant && entry.pure() ? Compiler.folded(code) : code;
    }

    private static final class OfOne extends Code.Inner {

        private final One body;
        private final Code argument;

        OfOne(One body, Code argument) {
            super(argument);
            this.body = body;
            this.argument = argument;
        }

        @Override
        Value value(Evaluation e, Scope s) {
            return body.of(argument.value(e, s));
        }
    }

    private static final class OfTwo extends Code.Inner {

        private final Two body;
        private final Code first;
        private final Code second;

        OfTwo(Two body, Code first, Code second) {
            super(first, second);
            this.body = body;
            this.first = first;
            this.second = second;
        }

        @Override
        Value value(Evaluation e, Scope s) {
            Value a = first.value(e, s);
            return body.of(e, a, second.value(e, s));
        }
    }

    static final class OfMany extends Code.Inner {

        private final Many body;
        private final Code[] arguments;

        OfMany(Many body, Code[] arguments) {
            super(arguments);
            this.body = body;
            this.arguments = arguments;
        }

        @Override
        Value value(Evaluation e, Scope s) {
            var values = new Value[arguments.length];
            for (int i = 0; i < arguments.length; i++) {
                values[i] = arguments[i].value(e, s);
            }
            return body.of(e, values);
        }
    }

    private static final class OfCall extends Code.Inner {

        private final Special body;
        private final Call call;
        private final Code[] arguments;

        OfCall(Special body, Call call, Code[] arguments) {
            super(arguments);
            this.body = body;
            this.call = call;
            this.arguments = arguments;
        }

        @Override
        Value value(Evaluation e, Scope s) {
            return body.of(e, s, call, arguments);
        }
    }

    /** The value as a string: text as it is, times bare, others in the new syntax; UNDEFINED and ERROR stay. */
    static Value asText(Value value) {
        if (value instanceof Value.Text || value.isExceptional()) {
            return value;
        }
        if (value instanceof Value.Int i) {
            return new Value.Text(Long.toString(i.value()));
        }
        if (value instanceof Value.AbsTime time) {
            return new Value.Text(Times.print(time));
        }
        if (value instanceof Value.RelTime time) {
            return new Value.Text(Times.printRelative((long) time.seconds()));
        }
        return new Value.Text(Printer.NEW.print(value));
    }

    static String octets(Value text) {
        return ((Value.Text) text).octets();
    }

    /** UNDEFINED if any is, else ERROR if any is, else null. */
    static @org.jspecify.annotations.Nullable Value undefinedFirst(Value... values) {
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
    static @org.jspecify.annotations.Nullable Value errorFirst(Value... values) {
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
