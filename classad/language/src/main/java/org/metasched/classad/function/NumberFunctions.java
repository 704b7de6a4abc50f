package org.metasched.classad.function;

import java.util.function.DoubleUnaryOperator;
import org.metasched.classad.Evaluation;
import org.metasched.classad.Expr;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Value;

/** The functions of numbers: rounding, powers, random numbers. */
final class NumberFunctions {

    /** The largest step with which {@code quantize} returns a real as it is, as in the reference. */
    private static final double NEARLY_ZERO = 1e-8;

    private NumberFunctions() {}

    static void addTo(FunctionTable table) {
        table.addUnary("floor", v -> rounded(v, Math::floor));
        table.addUnary("ceil", v -> rounded(v, Math::ceil));
        table.addUnary("ceiling", v -> rounded(v, Math::ceil));
        table.addUnary("round", v -> rounded(v, Math::rint));
        table.addPure("pow", 2, 2, (e, a) -> power(a[0], a[1]));
        table.addPure("quantize", 2, 2, (e, a) -> quantize(e, a[0], a[1]));
        table.addImpure("random", 0, 1, NumberFunctions::random);
    }

    /** {@code floor}, {@code ceiling} and {@code round}: an integer; {@code round} takes the even one of two that are equally near. */
    private static Value rounded(Value value, DoubleUnaryOperator rounding) {
        if (value instanceof Value.Int) {
            return value;
        }
        Value real = TypeFunctions.real(value);
        return real instanceof Value.Real r ? Value.of((long) rounding.applyAsDouble(r.value())) : Value.ERROR;
    }

    /**
     * {@code pow}. As in the reference, 0.5 is added to a power of integers before it is truncated, which makes negative powers one too
     * large.
     */
    private static Value power(Value base, Value exponent) {
        if (base instanceof Value.Int a && exponent instanceof Value.Int b && b.value() >= 0) {
            return Value.of((long) (Math.pow(a.value(), b.value()) + 0.5));
        }
        Value a = TypeFunctions.real(base);
        Value b = TypeFunctions.real(exponent);
        return a instanceof Value.Real x && b instanceof Value.Real y
                ? Value.of(Math.pow(x.value(), y.value()))
                : Value.ERROR;
    }

    /**
     * {@code quantize}: the smallest multiple of the step that is not less than the value. From a list of steps, the first step that is not
     * less than the value; if there is none, the smallest such multiple of the last step.
     */
    private static Value quantize(Evaluation e, Value value, Value step) {
        if (!(step instanceof Value.ListOf list)) {
            return multiple(value, step);
        }
        Value last = Value.UNDEFINED;
        if (!(TypeFunctions.real(value) instanceof Value.Real wanted)) {
            return Value.ERROR;
        }
        for (Expr element : list.elements()) {
            last = e.element(list, element);
            if (!(TypeFunctions.real(last) instanceof Value.Real limit)) {
                return Value.ERROR;
            }
            if (limit.value() >= wanted.value()) {
                return last;
            }
        }
        return list.size() == 0 ? value : multiple(value, last);
    }

    private static Value multiple(Value value, Value step) {
        if (value instanceof Value.Int a && step instanceof Value.Int b) {
            long by = b.value();
            return by == 0 ? value : Value.of((a.value() + by - 1) / by * by);
        }
        Value a = TypeFunctions.real(value);
        Value b = TypeFunctions.real(step);
        if (!(a instanceof Value.Real x) || !(b instanceof Value.Real y)) {
            return Value.ERROR;
        }
        return Math.abs(y.value()) <= NEARLY_ZERO ? value : Value.of(Math.ceil(x.value() / y.value()) * y.value());
    }

    /**
     * {@code random}: a number from 0 up to, but not including, a bound, 1.0 by default. A bound that is not positive fails the
     * evaluation.
     */
    private static Value random(Evaluation e, Value[] a) {
        var random = e.random();
        if (a.length == 0) {
            return Value.of(random.nextDouble());
        }
        if (a[0] instanceof Value.Int i) {
            return i.value() > 0 ? Value.of(random.nextLong(i.value())) : e.fail();
        }
        if (!(a[0] instanceof Value.Real r)) {
            return Value.ERROR;
        }
        return r.value() <= 0 ? e.fail() : Value.of(r.value() * random.nextDouble());
    }
}
