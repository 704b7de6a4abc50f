package org.metasched.classad;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * The table of functions, by lower-case name. The libraries of functions are services and enter their own; the language refers
 * to none of them. For libraries, not for users of the language.
 */
public final class FunctionTable {

    /** No bound on the number of arguments. */
    public static final int ANY = Integer.MAX_VALUE;

    /** Filled when the first call is compiled. */
    private static final class Loaded {

        static final Map<String, Entry> TABLE = table();

        private static Map<String, Entry> table() {
            var table = new FunctionTable();
            for (FunctionLibrary library :
                    ServiceLoader.load(FunctionLibrary.class, FunctionLibrary.class.getClassLoader())) {
                library.addTo(table);
            }
            return table.entries;
        }
    }

    private final Map<String, Entry> entries = new HashMap<>();

    private FunctionTable() {}

    /** What a function of one value does. */
    public interface One {
        Value of(Value argument);
    }

    /** What a function of two values does. */
    public interface Two {
        Value of(Evaluation e, Value first, Value second);
    }

    /** What a function of any number of values does. */
    public interface Many {
        Value of(Evaluation e, Value[] arguments);
    }

    /** What a function does that sees its place and its arguments unevaluated. */
    public interface Special {
        Value of(Evaluation e, Scope s, Call call, Code[] arguments);
    }

    /** Makes the code of a call with the right number of arguments. */
    public interface Maker {
        Code of(Call call, Code[] arguments);
    }

    /** How many arguments a function takes, and its code; with constant arguments it is computed once if it is pure. */
    private record Entry(int least, int most, boolean pure, Maker maker) {}

    /** Adds a pure function of one value. */
    public void one(String name, One body) {
        entries.put(name, new Entry(1, 1, true, (call, a) -> new OfOne(body, a[0])));
    }

    /** Adds a pure function of two values. */
    public void two(String name, Two body) {
        entries.put(name, new Entry(2, 2, true, (call, a) -> new OfTwo(body, a[0], a[1])));
    }

    /** Adds a pure function of {@code least} to {@code most} values. */
    public void add(String name, int least, int most, Many body) {
        entries.put(name, new Entry(least, most, true, (call, a) -> new OfMany(body, a)));
    }

    /** Adds a function whose value may differ between two calls with the same arguments: it is never computed ahead. */
    public void impure(String name, int least, int most, Many body) {
        entries.put(name, new Entry(least, most, false, (call, a) -> new OfMany(body, a)));
    }

    /** Adds a function that evaluates its arguments itself. */
    public void special(String name, int least, int most, Special body) {
        entries.put(name, new Entry(least, most, false, (call, a) -> new OfCall(body, call, a)));
    }

    /** A function whose calls are nodes of their own kind. */
    public void node(String name, int least, int most, Maker maker) {
        entries.put(name, new Entry(least, most, true, maker));
    }

    /** Whether calls of that function with constant arguments are constant. */
    static boolean isPure(Call call) {
        Entry entry = Loaded.TABLE.get(call.key().lower);
        return entry == null || entry.pure();
    }

    /** The code of a function of any number of values, for a {@link Maker} that has no better one. */
    public static Code code(Many body, Code[] arguments) {
        return new OfMany(body, arguments);
    }

    static Code compile(Call call) {
        List<Expr> arguments = call.arguments();
        Entry entry = Loaded.TABLE.get(call.key().lower);
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
        public Value value(Evaluation e, Scope s) {
            Value of = argument.value(e, s);
            return e.looksAt(of) ? e.made(body.of(of)) : Value.ERROR;
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
        public Value value(Evaluation e, Scope s) {
            Value a = first.value(e, s);
            Value b = second.value(e, s);
            return e.looksAt(a) && e.looksAt(b) ? e.made(body.of(e, a, b)) : Value.ERROR;
        }
    }

    private static final class OfMany extends Code.Inner {

        private final Many body;
        private final Code[] arguments;

        OfMany(Many body, Code[] arguments) {
            super(arguments);
            this.body = body;
            this.arguments = arguments;
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            var values = new Value[arguments.length];
            for (int i = 0; i < arguments.length; i++) {
                values[i] = arguments[i].value(e, s);
                if (!e.looksAt(values[i])) {
                    return Value.ERROR;
                }
            }
            return e.made(body.of(e, values));
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
        public Value value(Evaluation e, Scope s) {
            return e.made(body.of(e, s, call, arguments));
        }
    }
}
