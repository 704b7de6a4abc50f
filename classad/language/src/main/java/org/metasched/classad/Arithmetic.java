package org.metasched.classad;

/** The code of {@code + - * / %} on numbers and times; also that of bitwise and prefix operators. */
final class Arithmetic extends CompiledExpr.Strict {

    private final BinaryOperator operator;

    Arithmetic(BinaryOperator operator, CompiledExpr left, CompiledExpr right) {
        super(left, right);
        this.operator = operator;
    }

    @Override
    public Value value(Evaluation e, Scope s) {
        return e.store(combined(e, s));
    }

    @Override
    public int number(Evaluation e, Scope s) {
        return combined(e, s);
    }

    @Override
    int others(Evaluation e, Value a, Value b) {
        return e.load(ofTimes(operator, a, b));
    }

    @Override
    int integers(Evaluation e, long a, long b) {
        switch (operator) {
            case ADD -> e.integer = a + b;
            case SUBTRACT -> e.integer = a - b;
            case MULTIPLY -> e.integer = a * b;
            case DIVIDE -> {
                if (b == 0) {
                    return ERROR;
                }
                e.integer = b == -1 && a == Long.MIN_VALUE ? Long.MAX_VALUE : a / b;
            }
            default -> {
                if (b == 0) {
                    return ERROR;
                }
                e.integer = a % b;
            }
        }
        return INTEGER;
    }

    /** As in the reference, positive infinity is ERROR, and so is any remainder; negative infinity and NaN are values. */
    @Override
    int reals(Evaluation e, double a, double b) {
        double result = switch (operator) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            default -> Double.POSITIVE_INFINITY;
        };
        e.real = result;
        return result == Double.POSITIVE_INFINITY ? ERROR : REAL;
    }

    /** The value of an operator where at least one operand is no number: an instant or a span, or ERROR. */
    private static Value ofTimes(BinaryOperator operator, Value a, Value b) {
        return switch (operator) {
            case ADD -> sum(a, b, 1);
            case SUBTRACT -> difference(a, b);
            case MULTIPLY -> {
                if (a instanceof Value.RelTime t && isNumber(b)) {
                    yield new Value.RelTime(t.seconds() * b.rank());
                }
                yield b instanceof Value.RelTime t && isNumber(a)
                        ? new Value.RelTime(a.rank() * t.seconds())
                        : Value.ERROR;
            }
            case DIVIDE ->
                a instanceof Value.RelTime t && isNumber(b) ? new Value.RelTime(t.seconds() / b.rank()) : Value.ERROR;
            default -> Value.ERROR;
        };
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real;
    }

    /** The sum, or the difference if the sign is -1. A span is cut to whole seconds when an instant is moved by it. */
    private static Value sum(Value a, Value b, int sign) {
        if (a instanceof Value.AbsTime t && b instanceof Value.RelTime span) {
            return new Value.AbsTime(t.seconds() + sign * (long) span.seconds(), t.offset());
        }
        if (a instanceof Value.RelTime span && b instanceof Value.AbsTime t && sign > 0) {
            return new Value.AbsTime((long) span.seconds() + t.seconds(), t.offset());
        }
        return a instanceof Value.RelTime x && b instanceof Value.RelTime y
                ? new Value.RelTime(x.seconds() + sign * y.seconds())
                : Value.ERROR;
    }

    private static Value difference(Value a, Value b) {
        return a instanceof Value.AbsTime x && b instanceof Value.AbsTime y
                ? new Value.RelTime(x.seconds() - y.seconds())
                : sum(a, b, -1);
    }

    /** The code of {@code & | ^ << >> >>>}, which takes integers only, no booleans. */
    static CompiledExpr bitwise(BinaryOperator operator, CompiledExpr left, CompiledExpr right) {
        return new CompiledExpr(left, right) {
            @Override
            public Value value(Evaluation e, Scope s) {
                Value a = left.value(e, s);
                Value b = right.value(e, s);
                if (a instanceof Value.Int x && b instanceof Value.Int y) {
                    return Value.Int.of(bits(operator, x.value(), y.value()));
                }
                if (a == Value.ERROR || b == Value.ERROR) {
                    return Value.ERROR;
                }
                return a == Value.UNDEFINED || b == Value.UNDEFINED ? Value.UNDEFINED : Value.ERROR;
            }
        };
    }

    /** The code of a prefix {@code -}, {@code +} or {@code ~}. */
    static CompiledExpr prefix(UnaryOperator operator, CompiledExpr operand) {
        return new CompiledExpr(operand) {
            @Override
            public Value value(Evaluation e, Scope s) {
                Value value = operand.value(e, s);
                if (value.isExceptional()) {
                    return value;
                }
                return switch (operator) {
                    case MINUS -> negated(value);
                    case COMPLEMENT -> value instanceof Value.Int i ? Value.Int.of(~i.value()) : Value.ERROR;
                    default ->
                        value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.RelTime
                                ? value
                                : Value.ERROR;
                };
            }
        };
    }

    private static Value negated(Value value) {
        if (value instanceof Value.Int i) {
            return Value.Int.of(-i.value());
        }
        if (value instanceof Value.Real r) {
            return new Value.Real(-r.value());
        }
        return value instanceof Value.RelTime t ? new Value.RelTime(-t.seconds()) : Value.ERROR;
    }

    private static long bits(BinaryOperator operator, long a, long b) {
        return switch (operator) {
            case BIT_AND -> a & b;
            case BIT_OR -> a | b;
            case BIT_XOR -> a ^ b;
            case SHIFT_LEFT -> a << b;
            case SHIFT_RIGHT -> a >> b;
            default -> a >>> b;
        };
    }
}
