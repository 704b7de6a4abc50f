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

    /** What a function does with values. */
    interface Body {
        Value of(Evaluation e, Value[] arguments);
    }

    /** What a function of one value does. */
    interface One {
        Value of(Value argument);
    }

    /** What a function does that sees its place and its arguments unevaluated. */
    interface Special {
        Value of(Evaluation e, Scope s, Call call, Code[] arguments);
    }

    /** How many arguments a function takes, and what it does; with constant arguments it is computed once if it is pure. */
    record Entry(int least, int most, boolean pure, Special body) {}

    static void one(Map<String, Entry> table, String name, One body) {
        table.put(name, new Entry(1, 1, true, (e, s, call, a) -> body.of(a[0].value(e, s))));
    }

    static void add(Map<String, Entry> table, String name, int least, int most, Body body) {
        table.put(name, new Entry(least, most, true, (e, s, call, a) -> body.of(e, values(e, s, a))));
    }

    static void impure(Map<String, Entry> table, String name, int least, int most, Body body) {
        table.put(name, new Entry(least, most, false, (e, s, call, a) -> body.of(e, values(e, s, a))));
    }

    static void special(Map<String, Entry> table, String name, int least, int most, Special body) {
        table.put(name, new Entry(least, most, false, body));
    }

    private static Value[] values(Evaluation e, Scope s, Code[] codes) {
        var values = new Value[codes.length];
        for (int i = 0; i < codes.length; i++) {
            values[i] = codes[i].value(e, s);
        }
        return values;
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
        if (call.key().is("ifthenelse")) {
            return new Logic.Choice(codes[0], codes[1], codes[2]);
        }
        var code = new CallCode(call, entry.body(), codes);
        return constant && entry.pure() ? Compiler.folded(code) : code;
    }

    /** A call with the right number of arguments. */
    private static final class CallCode extends Code.Inner {

        private final Call call;
        private final Special body;
        private final Code[] arguments;

        CallCode(Call call, Special body, Code[] arguments) {
            super(arguments);
            this.call = call;
            this.body = body;
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
