package org.metasched.classad;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/**
 * The working memory of one evaluation: registers for numbers that pass between nodes, the expressions being evaluated (to
 * notice circles), and the time; what is left of the limits is its {@link EvaluationBudget}. Reused by its thread; an evaluation that begins inside another gets
 * its own. Public for the libraries of functions, which are given one with each call; not for users of the language.
 */
public final class Evaluation extends EvaluationBudget {

    private static final ThreadLocal<Evaluation> OF_THREAD = ThreadLocal.withInitial(Evaluation::new);

    /** Limits of compiling a constant: its cost and its size. */
    private static final int FOLDING_STEPS = 10_000;

    private static final int FOLDING_BYTES = 4_096;

    /** Registers: what {@link CompiledExpr#number} returned. */
    long integer;

    double real;
    Value other = Value.UNDEFINED;

    /** The values of the parameters of the code that runs. */
    Literal[] parameters = {};

    /** Where the expression that a lookup found stands. */
    Scope found = Scope.NOWHERE;

    private Expr[] running = new Expr[16];
    private Scope[] places = new Scope[16];
    private int depth;
    private boolean busy;
    private @Nullable Scope caller;
    private final EvaluationClock own = new EvaluationClock(null);
    private EvaluationClock present = own;

    private Evaluation() {}

    /** The value of an expression in a place; ERROR if a limit is exceeded. */
    static Value evaluate(Expr expr, Scope scope) {
        Evaluation e = begin(scope, scope.present());
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

    /** Like {@link #evaluate}, for one of several evaluations that share a budget: takes what it spends off the total. */
    static Value evaluate(Expr expr, Scope scope, EvaluationTotal total) {
        Evaluation e = begin(scope, scope.present());
        e.renew(total.steps, total.bytes);
        try {
            Value value = total.steps > 0 ? e.nested(expr, scope) : e.fail();
            return e.failed ? Value.ERROR : value;
        } catch (StackOverflowError tooDeep) {
            return Value.ERROR;
        } finally {
            e.takeOff(total);
            e.end();
        }
    }

    /** Like {@link #evaluate}, and a reference back to the expression is a circle. */
    static Value attribute(Expr expr, Scope scope) {
        return attribute(expr, scope, scope.present());
    }

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

    /** The value of code that looks nothing up; null if it is large or takes long, and is better computed when it is asked for. */
    static @Nullable Value constant(CompiledExpr code) {
        var e = new Evaluation();
        e.renew(FOLDING_STEPS, FOLDING_BYTES);
        Value value = code.value(e, Scope.NOWHERE);
        return e.failed ? null : value;
    }

    /** The truth value of code that stands for an expression, from a fresh start. */
    static int truthOf(CompiledExpr code, Expr expr, Scope scope) {
        Evaluation e = begin(scope, scope.present());
        try {
            e.level = expr.height();
            return code.truth(e, scope);
        } finally {
            e.end();
        }
    }

    /** Whether an attribute is true or a number other than zero, without making a value. */
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

    /** An attribute as a Rank, without making a value. */
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

    private static Evaluation begin(Scope scope, @Nullable EvaluationClock time) {
        Evaluation e = OF_THREAD.get();
        if (e.busy) {
            e = new Evaluation();
        }
        e.busy = true;
        e.renew(scope.limits());
        e.depth = 0;
        // A reference takes a level, and none leads to the expression itself.
        e.level = -1;
        e.caller = null;
        if (time == null) {
            e.own.renew();
            e.present = e.own;
        } else {
            e.present = time;
        }
        return e;
    }

    private void end() {
        busy = false;
        other = Value.UNDEFINED;
        found = Scope.NOWHERE;
        // What is left in the stacks keeps ads alive until the next evaluation of this thread: a few references.
    }

    /** The time of this evaluation, in seconds since 1970-01-01T00:00:00Z. */
    public long now() {
        return present.seconds();
    }

    /** The source of this evaluation's random numbers. */
    public RandomGenerator random() {
        return present.random();
    }

    /** Where the expression that the last lookup found stands. */
    public Scope found() {
        return found;
    }

    /** The expression that all of a byte string is, read by the rules of a place; null if it is none. */
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

    /** Binding of a name or a selection, unevaluated; its place is then {@link #found}. Null for nothing. */
    public @Nullable Expr bound(Expr reference, Scope s) {
        if (reference instanceof Selection selection) {
            return selection.base().code().value(this, s) instanceof Value.Record record
                    ? lookup(selection.key(), record.scope())
                    : null;
        }
        BuiltInAttributes.Found bound =
                reference instanceof AttributeRef ref ? BuiltInAttributes.find(ref, s, present) : null;
        if (bound == null) {
            return null;
        }
        found = bound.scope();
        return bound.expr();
    }

    /** Puts a value into the registers. */
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

    /** Puts a truth value into the registers, as the integer it counts as. */
    int load(int truth) {
        if (truth >= CompiledExpr.UNDEFINED) {
            return truth;
        }
        integer = truth;
        return CompiledExpr.INTEGER;
    }

    /** The value in the registers. */
    Value store(int kind) {
        return switch (kind) {
            case CompiledExpr.INTEGER -> Value.Int.of(integer);
            case CompiledExpr.REAL -> new Value.Real(real);
            case CompiledExpr.UNDEFINED -> Value.UNDEFINED;
            case CompiledExpr.OTHER -> other;
            default -> Value.ERROR;
        };
    }

    /** Sets the place of the call whose function runs; null if it reads elements of lists where those stand. Returns the last one. */
    @Nullable
    Scope calledFrom(@Nullable Scope place) {
        Scope before = caller;
        caller = place;
        return before;
    }

    /** The value of an element of a list that a function was given. */
    public Value element(Value.ListOf list, Expr element) {
        return element(list, element, caller);
    }

    /**
     * The value of an element of a list in the place of a call, as the reference has it; null for the place of the list. An ad that
     * is written as an element has the ads around the list around it.
     */
    public Value element(Value.ListOf list, Expr element, @Nullable Scope place) {
        return value(element, place == null || element.bare().isAd() ? list.scope() : place);
    }

    /** The value of an expression found by a lookup, in the place where it was found. */
    public Value value(Expr expr, Scope place) {
        if (expr instanceof Literal literal) {
            return literal.value();
        }
        int refused = enter(expr, place);
        if (refused != 0) {
            return CompiledExpr.valueOf(refused);
        }
        Value value = expr.code().value(this, place);
        leave(expr);
        return value;
    }

    int truth(Expr expr, Scope place) {
        if (expr instanceof Literal literal) {
            return CompiledExpr.truthOf(literal.value());
        }
        int refused = enter(expr, place);
        if (refused != 0) {
            return refused;
        }
        int truth = expr.code().truth(this, place);
        leave(expr);
        return truth;
    }

    int number(Expr expr, Scope place) {
        if (expr instanceof Literal literal) {
            return literal.number(this);
        }
        int refused = enter(expr, place);
        if (refused != 0) {
            return refused;
        }
        int kind = expr.code().number(this, place);
        leave(expr);
        return kind;
    }

    /** 0, or what the reference gives instead: UNDEFINED for a circle, ERROR beyond a limit. */
    private int enter(Expr expr, Scope place) {
        for (int i = depth - 1; i >= 0; i--) {
            if (running[i] == expr && places[i].samePlace(place)) {
                return CompiledExpr.UNDEFINED;
            }
        }
        int levels = expr.height() + 1;
        if (level + levels > limits().evaluationLevels()) {
            failed = true;
        } else {
            steps -= expr.code().size();
            failed |= steps < 0;
        }
        if (failed) {
            return CompiledExpr.ERROR;
        }
        if (depth == running.length) {
            running = Arrays.copyOf(running, depth * 2);
            places = Arrays.copyOf(places, depth * 2);
        }
        running[depth] = expr;
        places[depth++] = place;
        level += levels;
        return 0;
    }

    private void leave(Expr expr) {
        depth--;
        level -= expr.height() + 1;
    }

    /** Evaluates code that is part of no attribute, such as the argument of {@code eval}. */
    public Value nested(Expr expr, Scope place) {
        int levels = expr.height() + 1;
        if (level + levels > limits().evaluationLevels()) {
            return fail();
        }
        CompiledExpr code = expr.code();
        if (!spend(code.size())) {
            return Value.ERROR;
        }
        level += levels;
        Value value = code.value(this, place);
        level -= levels;
        return value;
    }

    /** The first expression of that name from a place outward; where it stands is in {@link #found}. Null if there is none. */
    @Nullable
    Expr lookup(Name name, Scope from) {
        // As Special.find, without an object: gangs look each label up here.
        for (Scope s = from; s != null; s = s.parent()) {
            Expr own = s.ad().expression(name);
            Expr expr = own != null ? own : BuiltInAttributes.lookup(name, s, present);
            if (expr != null) {
                found = s;
                return expr;
            }
        }
        return null;
    }
}
