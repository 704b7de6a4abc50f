package org.metasched.classad;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/**
 * The working memory of one evaluation: registers for values that pass between nodes, the attributes that are being evaluated (to
 * notice circles), and the time. The rest of its limits is its {@link EvaluationBudget}. A thread reuses its own; an evaluation that
 * begins inside another one gets a new one. Public for the libraries of functions, which get it with each call; not for users.
 */
public final class Evaluation extends EvaluationBudget {

    private static final ThreadLocal<Evaluation> OF_THREAD = ThreadLocal.withInitial(Evaluation::new);

    /** The most steps that the compiler spends to compute a constant. */
    private static final int FOLDING_STEPS = 10_000;

    /** The most bytes of a constant that the compiler computes. */
    private static final int FOLDING_BYTES = 4_096;

    /** The registers. The kind that {@link CompiledExpr#number} returns tells which of them has its result. */
    long integer;

    double real;
    Value other = Value.UNDEFINED;

    /** The expression whose shared code is running, with its parameters, see {@link Compiler.SharedCode}. */
    CompiledExpr.Parametrised parameters = CompiledExpr.Parametrised.NONE;

    /** The scope of the expression that the last lookup found. */
    Scope found = Scope.NOWHERE;

    /** A stack of the attributes that are being evaluated, and of their scopes; {@code depth} is its size. */
    private Expr[] running = new Expr[16];

    private Scope[] scopes = new Scope[16];
    private int depth;

    /** Whether an evaluation is using this object. */
    private boolean isBusy;

    /** The scope of the call whose function is running, see {@link #calledFrom}. */
    private @Nullable Scope caller;

    private final EvaluationClock systemClock = new EvaluationClock(null);
    private EvaluationClock clock = systemClock;

    private Evaluation() {}

    /** The value of an expression in a scope; ERROR if a limit is exceeded. */
    static Value evaluate(Expr expr, Scope scope) {
        Evaluation e = begin(scope, scope.clock());
        try {
            if (expr.height() > e.limits().evaluationLevels()) {
                return Value.ERROR;
            }
            CompiledExpr code = expr.code();
            e.level = expr.height();
            Value value = code.value(e, scope);
            return e.failed ? Value.ERROR : value;
        } catch (StackOverflowError tooDeep) {
            return Value.ERROR;
        } finally {
            e.end();
        }
    }

    /** Like {@link #evaluate}, for one of several evaluations that share a budget, from which it spends. */
    static Value evaluate(Expr expr, Scope scope, SharedBudget budget) {
        Evaluation e = begin(scope, scope.clock());
        e.renew(budget.steps, budget.bytes);
        try {
            Value value = budget.steps > 0 ? e.nested(expr, scope) : e.fail();
            return e.failed ? Value.ERROR : value;
        } catch (StackOverflowError tooDeep) {
            return Value.ERROR;
        } finally {
            e.leaveRestTo(budget);
            e.end();
        }
    }

    /** Like {@link #evaluate(Expr, Scope)} for an attribute: a reference back to the expression is a circle. */
    static Value attribute(Expr expr, Scope scope) {
        return attribute(expr, scope, scope.clock());
    }

    /** Like {@link #attribute(Expr, Scope)} at a given time, null for the system's. */
    static Value attribute(Expr expr, Scope scope, @Nullable EvaluationClock time) {
        if (expr instanceof Literal literal) {
            return literal.value();
        }
        Evaluation e = begin(scope, time);
        try {
            Value value = e.value(expr, scope);
            return e.failed ? Value.ERROR : value;
        } catch (StackOverflowError tooDeep) {
            return Value.ERROR;
        } finally {
            e.end();
        }
    }

    /** The value of code without references; null if the value is so large, or takes so long, that the compiler does not compute it. */
    static @Nullable Value constant(CompiledExpr code) {
        var e = new Evaluation();
        e.renew(FOLDING_STEPS, FOLDING_BYTES);
        Value value = code.value(e, Scope.NOWHERE);
        return e.failed ? null : value;
    }

    /** The truth value of code in an evaluation of its own; {@code expr} is the expression that it was compiled from. */
    static int truthOf(CompiledExpr code, Expr expr, Scope scope) {
        Evaluation e = begin(scope, scope.clock());
        try {
            e.level = expr.height();
            return code.truth(e, scope);
        } finally {
            e.end();
        }
    }

    /** Whether an attribute is true or a number other than zero. Makes no value; false if a limit is exceeded. */
    static boolean satisfied(Expr expr, Scope scope, @Nullable EvaluationClock time) {
        Evaluation e = begin(scope, time);
        try {
            return e.truth(expr, scope) == CompiledExpr.TRUE && !e.failed;
        } catch (StackOverflowError tooDeep) {
            return false;
        } finally {
            e.end();
        }
    }

    /** The value of an attribute as a Rank, see {@link Value#rank}. Makes no value; 0 if a limit is exceeded. */
    static double rank(Expr expr, Scope scope, @Nullable EvaluationClock time) {
        Evaluation e = begin(scope, time);
        try {
            int kind = e.number(expr, scope);
            return e.failed ? 0.0 : kind == CompiledExpr.INTEGER ? e.integer : kind == CompiledExpr.REAL ? e.real : 0.0;
        } catch (StackOverflowError tooDeep) {
            return 0.0;
        } finally {
            e.end();
        }
    }

    /** The evaluation of this thread, or a new one if that is busy, made ready for a scope and a time, null for the system's. */
    private static Evaluation begin(Scope scope, @Nullable EvaluationClock time) {
        Evaluation e = OF_THREAD.get();
        if (e.isBusy) {
            e = new Evaluation();
        }
        e.isBusy = true;
        e.renew(scope.limits());
        e.depth = 0;
        // enter() counts a level for the reference to an expression, but no reference leads to the outermost one.
        e.level = -1;
        e.caller = null;
        if (time == null) {
            e.systemClock.renew();
            e.clock = e.systemClock;
        } else {
            e.clock = time;
        }
        return e;
    }

    private void end() {
        isBusy = false;
        other = Value.UNDEFINED;
        found = Scope.NOWHERE;
        // The stacks are not cleared: their few references keep ads alive until this thread overwrites them.
    }

    /** The time of this evaluation, in seconds since 1970-01-01T00:00:00Z. */
    public long now() {
        return clock.seconds();
    }

    /** The source of this evaluation's random numbers. */
    public RandomGenerator random() {
        return clock.random();
    }

    /** The scope of the expression that the last lookup found. */
    public Scope found() {
        return found;
    }

    /** The expression in a byte string, read by the lookup mode and limits of a scope; null if malformed. Counts its bytes as work. */
    public @Nullable Expr parsed(String octets, Scope s) {
        if (!spend(octets.length())) {
            return null;
        }
        try {
            return LanguageServices.loaded()
                    .expression(
                            Bytes.bytes(octets), ReadOptions.NEW.with(s.mode()).with(s.limits()));
        } catch (ClassAdSyntaxException unreadable) {
            return null;
        }
    }

    /** The expression to which a name or a selection is bound, unevaluated; {@link #found} is its scope. Null if there is none. */
    public @Nullable Expr bound(Expr reference, Scope s) {
        if (reference instanceof Selection selection) {
            return selection.base().code().value(this, s) instanceof Value.Record record
                    ? lookup(selection.key(), record.scope())
                    : null;
        }
        BuiltInAttributes.Found bound =
                reference instanceof AttributeRef ref ? BuiltInAttributes.find(ref, s, clock) : null;
        if (bound == null) {
            return null;
        }
        found = bound.scope();
        return bound.expr();
    }

    /** Puts a value into the registers; returns its kind, as {@link CompiledExpr#number} does. */
    int load(Value value) {
        if (value instanceof Value.Int i) {
            integer = i.value();
            return CompiledExpr.INTEGER;
        }
        if (value instanceof Value.Real r) {
            real = r.value();
            return CompiledExpr.REAL;
        }
        if (value instanceof Value.Bool bool) {
            integer = bool.value() ? 1 : 0;
            return CompiledExpr.INTEGER;
        }
        if (value == Value.UNDEFINED) {
            return CompiledExpr.UNDEFINED;
        }
        if (value == Value.ERROR) {
            return CompiledExpr.ERROR;
        }
        other = value;
        return CompiledExpr.OTHER;
    }

    /** Puts a truth value of {@link CompiledExpr#truth} as the integer 0 or 1 into the registers; returns its kind. */
    int load(int truth) {
        if (truth >= CompiledExpr.UNDEFINED) {
            return truth;
        }
        integer = truth;
        return CompiledExpr.INTEGER;
    }

    /** The value in the register of a kind. */
    Value store(int kind) {
        return switch (kind) {
            case CompiledExpr.INTEGER -> Value.Int.of(integer);
            case CompiledExpr.REAL -> new Value.Real(real);
            case CompiledExpr.UNDEFINED -> Value.UNDEFINED;
            case CompiledExpr.OTHER -> other;
            default -> Value.ERROR;
        };
    }

    /** Sets the scope of the call whose function runs, null to evaluate elements in the scope of their list. Returns the last one. */
    @Nullable
    Scope calledFrom(@Nullable Scope scope) {
        Scope previous = caller;
        caller = scope;
        return previous;
    }

    /** The value of an element of a list that is an argument of the function that runs. */
    public Value element(Value.ListOf list, Expr element) {
        return element(list, element, caller);
    }

    /**
     * The value of an element of a list. As in the reference, it is evaluated in the scope of the call, unless it is an ad written in
     * the list, which keeps the ads around the list around it.
     *
     * @param scope the scope of the call; null for the scope of the list
     */
    public Value element(Value.ListOf list, Expr element, @Nullable Scope scope) {
        return value(element, scope == null || element.bare().isAd() ? list.scope() : scope);
    }

    /** The value of an expression that a lookup found, in its scope; UNDEFINED if it is being evaluated already, which is a circle. */
    public Value value(Expr expr, Scope scope) {
        if (expr instanceof Literal literal) {
            return literal.value();
        }
        var attribute = (Expr.Evaluated) expr;
        int refused = enter(attribute, scope);
        if (refused != 0) {
            return CompiledExpr.valueOf(refused);
        }
        Value value = attribute.code().value(this, scope);
        leave(attribute);
        return value;
    }

    /** Like {@link #value}, as a result of {@link CompiledExpr#truth}. */
    int truth(Expr expr, Scope scope) {
        if (expr instanceof Literal literal) {
            return CompiledExpr.truthOf(literal.value());
        }
        var attribute = (Expr.Evaluated) expr;
        int refused = enter(attribute, scope);
        if (refused != 0) {
            return refused;
        }
        int truth = attribute.code().truth(this, scope);
        leave(attribute);
        return truth;
    }

    /** Like {@link #value}, as a result of {@link CompiledExpr#number}. */
    int number(Expr expr, Scope scope) {
        if (expr instanceof Literal literal) {
            return literal.number(this);
        }
        var attribute = (Expr.Evaluated) expr;
        int refused = enter(attribute, scope);
        if (refused != 0) {
            return refused;
        }
        int kind = attribute.code().number(this, scope);
        leave(attribute);
        return kind;
    }

    /** Begins the evaluation of an attribute and returns 0; or returns, as the reference, UNDEFINED for a circle, ERROR beyond a limit. */
    private int enter(Expr.Evaluated expr, Scope scope) {
        for (int i = depth - 1; i >= 0; i--) {
            if (running[i] == expr && scopes[i].isSameAs(scope)) {
                return CompiledExpr.UNDEFINED;
            }
        }
        int levels = expr.height() + 1;
        if (level + levels > limits().evaluationLevels()) {
            failed = true;
        } else {
            steps -= expr.code().size;
            failed |= steps < 0;
        }
        if (failed) {
            return CompiledExpr.ERROR;
        }
        if (depth == running.length) {
            running = Arrays.copyOf(running, depth * 2);
            scopes = Arrays.copyOf(scopes, depth * 2);
        }
        running[depth] = expr;
        scopes[depth++] = scope;
        level += levels;
        return 0;
    }

    /** Ends the evaluation of the attribute that was entered last. */
    private void leave(Expr.Evaluated expr) {
        depth--;
        level -= expr.height() + 1;
    }

    /** The value of an expression that is no attribute, such as the argument of {@code eval}; a part of this evaluation. */
    public Value nested(Expr expr, Scope scope) {
        int levels = expr.height() + 1;
        if (level + levels > limits().evaluationLevels()) {
            return fail();
        }
        CompiledExpr code = expr.code();
        if (!spend(code.size)) {
            return Value.ERROR;
        }
        level += levels;
        Value value = code.value(this, scope);
        level -= levels;
        return value;
    }

    /** The first attribute or built-in attribute of a name from a scope outward, {@link #found} being its scope; null for none. */
    @Nullable
    Expr lookup(Name name, Scope from) {
        // Like BuiltInAttributes.find, but without making an object: gangs look each label up here.
        for (Scope s = from; s != null; s = s.parent()) {
            Expr own = s.ad().expression(name);
            Expr expr = own != null ? own : BuiltInAttributes.lookup(name, s, clock);
            if (expr != null) {
                found = s;
                return expr;
            }
        }
        return null;
    }
}
