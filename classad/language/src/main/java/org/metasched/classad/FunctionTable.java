package org.metasched.classad;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.metasched.classad.text.Bytes;

/**
 * The table of functions by name, which the libraries of functions fill. A library of your own calls {@link #function} for each of its
 * functions; the other methods are for the built-in functions, and take their names in lower case.
 */
public final class FunctionTable {

    /** The most arguments of a function that takes any number of them. */
    public static final int ANY = Integer.MAX_VALUE;

    /** The table of this JVM, filled when the first call is compiled. */
    private static final class Loaded {

        static final Map<String, Entry> TABLE = table();

        /**
         * The functions of all libraries. The built-in ones come first, so that of two functions with one name, the user's is left
         * out.
         */
        private static Map<String, Entry> table() {
            var table = new FunctionTable();
            String builtIn = FunctionTable.class.getPackageName();
            ServiceLoader.load(FunctionLibrary.class, FunctionLibrary.class.getClassLoader()).stream()
                    .sorted(Comparator.comparing(
                            found -> !found.type().getName().startsWith(builtIn)))
                    .forEach(table::add);
            return table.entries;
        }
    }

    /** The functions by their names in lower case, as byte strings. */
    private final Map<String, Entry> entries = new HashMap<>();

    /** The class name of the library whose functions are being added. */
    private String library = "";

    private FunctionTable() {}

    /** Adds the functions of a library. If it fails, those that it has added and all other libraries work nevertheless. */
    private void add(ServiceLoader.Provider<FunctionLibrary> found) {
        library = found.type().getName();
        try {
            found.get().addTo(this);
        } catch (RuntimeException | ServiceConfigurationError | LinkageError e) {
            warn("fails: " + e);
        }
    }

    private void warn(String fault) {
        System.getLogger(FunctionTable.class.getName())
                .log(System.Logger.Level.WARNING, "The library of functions " + library + " " + fault + ".");
    }

    /** The body of a function of values. */
    public interface ValueBody {
        /** The result of the function; there are as many arguments as it takes, and any may be UNDEFINED or ERROR. */
        Value of(Evaluation e, Value[] arguments);
    }

    /** The body of a function that depends on the scope of the call, or evaluates its arguments itself. */
    public interface CallBody {
        /** The result of a call in a scope; {@code arguments} is the code of the call's arguments. */
        Value of(Evaluation e, Scope s, Call call, CompiledExpr[] arguments);
    }

    /** The compiler of the calls of one function. */
    public interface CallCompiler {
        /** The code of a call; {@code arguments} is the code of its arguments, of which there are as many as the function takes. */
        CompiledExpr of(Call call, CompiledExpr[] arguments);
    }

    /**
     * A function.
     *
     * @param least the least arguments that it takes
     * @param most the most arguments that it takes
     * @param quoted the number of first arguments that it does not evaluate in the scope of the call
     * @param pure whether a call with constants is computed when it is compiled
     * @param compiler the compiler of its calls
     */
    private record Entry(int least, int most, int quoted, boolean pure, CallCompiler compiler) {}

    /**
     * Adds a function of your own. Its arguments are evaluated, and may be UNDEFINED or ERROR. An exception of its body, or the result
     * null, is ERROR. A function whose name is taken is left out, with a warning in the log.
     *
     * @param name its name; calls may write it in upper or lower case
     * @param least the fewest arguments; a call with fewer is ERROR
     * @param most the most arguments, or {@link #ANY}
     * @param cost the steps that a call takes of {@link Limits#evaluationSteps}; an operator takes one, about 20 ns
     * @param pure whether equal arguments always give the same value: a call with constants is then computed when it is compiled
     * @param body the function of the values of its arguments; several threads may call it at once
     */
    public void function(String name, int least, int most, int cost, boolean pure, Function<List<Value>, Value> body) {
        ValueBody counted = (e, arguments) -> {
            try {
                return e.spend(cost) ? Objects.requireNonNull(body.apply(List.of(arguments))) : Value.ERROR;
            } catch (RuntimeException failed) {
                return Value.ERROR;
            }
        };
        var entry = new Entry(least, most, 0, pure, (call, a) -> code(counted, call, a));
        if (entries.putIfAbsent(Bytes.lower(Bytes.encode(name)), entry) != null) {
            warn("cannot add " + name + ", as there is a function of that name");
        }
    }

    /** Adds a pure function of one value. */
    public void addUnary(String name, UnaryOperator<Value> body) {
        addPure(name, 1, 1, (e, v) -> body.apply(v[0]));
    }

    /** Adds a pure function of {@code least} to {@code most} values. */
    public void addPure(String name, int least, int most, ValueBody body) {
        entries.put(name, new Entry(least, most, 0, true, (call, a) -> code(body, call, a)));
    }

    /** Adds a function whose value may differ between two calls with the same arguments. */
    public void addImpure(String name, int least, int most, ValueBody body) {
        entries.put(name, new Entry(least, most, 0, false, (call, a) -> code(body, call, a)));
    }

    /**
     * Adds a function that evaluates its arguments itself.
     *
     * @param quoted the number of first arguments that it does not evaluate in the scope of the call
     */
    public void addSpecial(String name, int least, int most, int quoted, CallBody body) {
        entries.put(name, new Entry(least, most, quoted, false, (call, a) -> ofCall(body, call, a)));
    }

    /** Adds a pure function with a compiler of its own, which makes the code of each call. */
    public void addCompiled(String name, int least, int most, CallCompiler compiler) {
        entries.put(name, new Entry(least, most, 0, true, compiler));
    }

    /** The reason why a call is ERROR for any values of its arguments: an unknown function, or a wrong number of them. Else empty. */
    static Optional<String> complaint(Call call) {
        Entry entry = Loaded.TABLE.get(call.key().lower());
        int given = call.arguments().size();
        if (entry == null) {
            return Optional.of("there is no function " + call.name());
        }
        String most = entry.most() == entry.least() ? "" : entry.most() == ANY ? " or more" : " to " + entry.most();
        return given >= entry.least() && given <= entry.most()
                ? Optional.empty()
                : Optional.of("the number of arguments is %d, not %d%s".formatted(given, entry.least(), most));
    }

    /** The arguments that are evaluated in the scope of the call; none if it is ERROR for any arguments. */
    static List<Expr> evaluated(Call call) {
        Entry entry = Loaded.TABLE.get(call.key().lower());
        List<Expr> given = call.arguments();
        return entry == null || complaint(call).isPresent() ? List.of() : given.subList(entry.quoted(), given.size());
    }

    /** Whether a call with constant arguments is constant; true for unknown functions, which are always ERROR. */
    static boolean isPure(Call call) {
        Entry entry = Loaded.TABLE.get(call.key().lower());
        return entry == null || entry.pure();
    }

    /** The truth value of a strict comparison, {@code is} or {@code isnt}, as {@link CompiledExpr#truth} returns it. */
    public static int compare(BinaryOperator operator, Value a, Value b) {
        return Comparison.compare(operator, a, b);
    }

    /** The truth value of {@code a is b}, as {@link CompiledExpr#truth} returns it: never UNDEFINED; ERROR for two lists or two ads. */
    public static int identical(Value a, Value b) {
        return Comparison.identical(a, b);
    }

    /** The value of {@code a + b}. */
    public static Value sum(Evaluation e, Value a, Value b) {
        CompiledExpr sum =
                new Arithmetic(BinaryOperator.ADD, new CompiledExpr.Constant(a), new CompiledExpr.Constant(b));
        return sum.value(e, Scope.NOWHERE);
    }

    /** The code of {@code condition ? whenTrue : whenFalse}. */
    public static CompiledExpr choice(CompiledExpr condition, CompiledExpr whenTrue, CompiledExpr whenFalse) {
        return Compiler.LogicOperators.choice(condition, whenTrue, whenFalse);
    }

    /** The code of a call; ERROR for an unknown function or a wrong number of arguments. */
    static CompiledExpr compile(Call call, Compiler compiler) {
        List<Expr> arguments = call.arguments();
        Entry entry = Loaded.TABLE.get(call.key().lower());
        var codes = new CompiledExpr[arguments.size()];
        boolean constant = true;
        for (int i = 0; i < codes.length; i++) {
            codes[i] = compiler.compile(arguments.get(i));
            constant &= codes[i] instanceof CompiledExpr.Constant;
        }
        if (entry == null || codes.length < entry.least() || codes.length > entry.most()) {
            return new CompiledExpr.Constant(Value.ERROR);
        }
        CompiledExpr code = entry.compiler().of(call, codes);
        return constant && entry.pure() ? Compiler.folded(code) : code;
    }

    /** The code that evaluates all arguments and calls the body, for a {@link CallCompiler} that has none of its own. */
    public static CompiledExpr code(ValueBody body, Call call, CompiledExpr[] arguments) {
        // A lexical call evaluates elements of list arguments in the scope of their list, any other in its own scope.
        boolean lexical = call.isLexical();
        return new CompiledExpr(arguments) {
            @Override
            public Value value(Evaluation e, Scope s) {
                var values = new Value[arguments.length];
                for (int i = 0; i < arguments.length; i++) {
                    values[i] = arguments[i].value(e, s);
                    if (!e.looksAt(values[i])) {
                        return Value.ERROR;
                    }
                }
                Scope before = e.calledFrom(lexical ? null : s);
                Value result = e.made(body.of(e, values));
                e.calledFrom(before);
                return result;
            }
        };
    }

    /** The code that calls the body with its arguments unevaluated. */
    private static CompiledExpr ofCall(CallBody body, Call call, CompiledExpr[] arguments) {
        return new CompiledExpr(arguments) {
            @Override
            public Value value(Evaluation e, Scope s) {
                return e.made(body.of(e, s, call, arguments));
            }
        };
    }
}
