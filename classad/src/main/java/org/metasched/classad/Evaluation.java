package org.metasched.classad;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The working memory of one evaluation: registers for numbers that pass between nodes, the expressions being evaluated (to
 * notice circles), and what is left of the limits. Reused by its thread; an evaluation that begins inside another gets its own.
 */
final class Evaluation {

    private static final ThreadLocal<Evaluation> OF_THREAD = ThreadLocal.withInitial(Evaluation::new);

    /** Registers: what {@link Code#number} returned. */
    long integer;

    double real;
    Value other = Value.UNDEFINED;

    /** The search for a regular expression that this thread made last. */
    Regex.@Nullable Search search;

    /** Where the expression that a lookup found stands. */
    Scope found = Scope.NOWHERE;

    private Expr[] running = new Expr[16];
    private Scope[] places = new Scope[16];
    private int depth;
    private int level;
    private int steps;
    private boolean failed;
    private boolean busy;
    private Limits limits = Limits.DEFAULT;

    private Evaluation() {}

    /** The value of an expression in a place; ERROR if a limit is exceeded. */
    static Value evaluate(Expr expr, Scope scope) {
        Evaluation e = begin(scope);
        try {
            if (expr.height() >= e.limits.evaluationLevels()) {
                return Value.ERROR;
            }
            Code code = expr.code();
            e.level = expr.height();
            Value value = code.value(e, scope);
            return e.failed ? Value.ERROR : value;
        } catch (StackOverflowError tooDeep) {
            return Value.ERROR;
        } finally {
            e.end();
        }
    }

    /** Like {@link #evaluate}, and a reference back to the expression is a circle. */
    static Value attribute(Expr expr, Scope scope) {
        if (expr instanceof Literal literal) {
            return literal.value();
        }
        Evaluation e = begin(scope);
        try {
            Value value = e.value(expr, scope);
            return e.failed ? Value.ERROR : value;
        } catch (StackOverflowError tooDeep) {
            return Value.ERROR;
        } finally {
            e.end();
        }
    }

    /** The value of code that looks nothing up. */
    static Value constant(Code code) {
        return code.value(new Evaluation(), Scope.NOWHERE);
    }

    /** The truth value of code that stands for an expression, from a fresh start. */
    static int truthOf(Code code, Expr expr, Scope scope) {
        Evaluation e = begin(scope);
        try {
            e.level = expr.height();
            return code.truth(e, scope);
        } finally {
            e.end();
        }
    }

    /** Whether an attribute is true or a number other than zero, without making a value. */
    static boolean satisfied(Expr expr, Scope scope) {
        Evaluation e = begin(scope);
        try {
            return e.truth(expr, scope) == Code.TRUE && !e.failed;
        } catch (StackOverflowError tooDeep) {
            return false;
        } finally {
            e.end();
        }
    }

    /** An attribute as a Rank, without making a value. */
    static double rank(Expr expr, Scope scope) {
        Evaluation e = begin(scope);
        try {
            int kind = e.number(expr, scope);
            return e.failed ? 0.0 : kind == Code.INTEGER ? e.integer : kind == Code.REAL ? e.real : 0.0;
        } catch (StackOverflowError tooDeep) {
            return 0.0;
        } finally {
            e.end();
        }
    }

    private static Evaluation begin(Scope scope) {
        Evaluation e = OF_THREAD.get();
        if (e.busy) {
            e = new Evaluation();
        }
        e.busy = true;
        e.limits = scope.limits();
        e.depth = 0;
        e.level = 0;
        e.steps = e.limits.evaluationSteps();
        e.failed = false;
        return e;
    }

    private void end() {
        busy = false;
        other = Value.UNDEFINED;
        found = Scope.NOWHERE;
        // What is left in the stacks keeps ads alive until the next evaluation of this thread: a few references.
    }

    Limits limits() {
        return limits;
    }

    /** Ends the evaluation with ERROR, whatever the operators around make of it. */
    Value fail() {
        failed = true;
        return Value.ERROR;
    }

    /** Counts work that is not a node of a tree; false if there was too much. */
    boolean spend(int work) {
        steps -= work;
        if (steps < 0) {
            failed = true;
        }
        return !failed;
    }

    /** Puts a value into the registers. */
    int load(Value value) {
        if (value instanceof Value.Int i) {
            integer = i.value();
            return Code.INTEGER;
        }
        if (value instanceof Value.Real r) {
            real = r.value();
            return Code.REAL;
        }
        if (value instanceof Value.Bool bool) {
            integer = bool.value() ? 1 : 0;
            return Code.INTEGER;
        }
        if (value == Value.UNDEFINED) {
            return Code.UNDEFINED;
        }
        if (value == Value.ERROR) {
            return Code.ERROR;
        }
        other = value;
        return Code.OTHER;
    }

    /** Puts a truth value into the registers, as the integer it counts as. */
    int load(int truth) {
        if (truth >= Code.UNDEFINED) {
            return truth;
        }
        integer = truth;
        return Code.INTEGER;
    }

    /** The value in the registers. */
    Value store(int kind) {
        return switch (kind) {
            case Code.INTEGER -> Value.Int.of(integer);
            case Code.REAL -> new Value.Real(real);
            case Code.UNDEFINED -> Value.UNDEFINED;
            case Code.OTHER -> other;
            default -> Value.ERROR;
        };
    }

    /** The value of an expression found by a lookup, in the place where it was found. */
    Value value(Expr expr, Scope place) {
        if (expr instanceof Literal literal) {
            return literal.value();
        }
        int refused = enter(expr, place);
        if (refused != 0) {
            return Logic.value(refused);
        }
        Value value = expr.code().value(this, place);
        leave(expr);
        return value;
    }

    int truth(Expr expr, Scope place) {
        if (expr instanceof Literal literal) {
            return Logic.truth(literal.value());
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
            return load(literal.value());
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
                return Code.UNDEFINED;
            }
        }
        int levels = expr.height() + 1;
        if (level + levels > limits.evaluationLevels()) {
            failed = true;
        } else {
            steps -= expr.code().size();
            failed |= steps < 0;
        }
        if (failed) {
            return Code.ERROR;
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
    Value nested(Expr expr, Scope place) {
        int levels = expr.height() + 1;
        if (level + levels > limits.evaluationLevels()) {
            return fail();
        }
        Code code = expr.code();
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
        for (Scope s = from; s != null; s = s.parent()) {
            Expr expr = s.ad().expression(name);
            if (expr != null) {
                found = s;
                return expr;
            }
            Expr special = Special.lookup(name, s);
            if (special != null) {
                found = s;
                return special;
            }
        }
        return null;
    }
}
