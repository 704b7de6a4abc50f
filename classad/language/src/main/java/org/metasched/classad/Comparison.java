package org.metasched.classad;

import org.metasched.classad.text.Bytes;

/** The code of a strict comparison; also the functions of identity, {@code is} and {@code isnt}. */
final class Comparison extends CompiledExpr.Strict {

    private final BinaryOperator operator;

    Comparison(BinaryOperator operator, CompiledExpr left, CompiledExpr right) {
        super(left, right);
        this.operator = operator;
    }

    @Override
    public Value value(Evaluation e, Scope s) {
        return CompiledExpr.valueOf(combined(e, s));
    }

    @Override
    public int truth(Evaluation e, Scope s) {
        return combined(e, s);
    }

    @Override
    public int number(Evaluation e, Scope s) {
        return e.load(combined(e, s));
    }

    @Override
    int integers(Evaluation e, long a, long b) {
        return test(operator, Long.compare(a, b));
    }

    @Override
    int reals(Evaluation e, double a, double b) {
        return test(operator, a, b);
    }

    @Override
    int others(Evaluation e, Value a, Value b) {
        if (a instanceof Value.Text && !e.looksAt(a)) {
            return ERROR;
        }
        return compared(operator, a, b);
    }

    /** Whether a comparison holds of two values with this order: negative, 0 or positive. */
    private static int test(BinaryOperator operator, int order) {
        boolean holds = switch (operator) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            default -> order >= 0;
        };
        return holds ? TRUE : FALSE;
    }

    /** Whether a comparison holds of two reals; with NaN only {@code !=} does. */
    private static int test(BinaryOperator operator, double a, double b) {
        boolean holds = switch (operator) {
            case EQUAL -> a == b;
            case NOT_EQUAL -> a != b;
            case LESS -> a < b;
            case LESS_OR_EQUAL -> a <= b;
            case GREATER -> a > b;
            default -> a >= b;
        };
        return holds ? TRUE : FALSE;
    }

    /** The truth value of a comparison of two values that are neither both numbers, nor UNDEFINED, nor ERROR. */
    private static int compared(BinaryOperator operator, Value a, Value b) {
        if (a instanceof Value.Text x && b instanceof Value.Text y) {
            if (operator == BinaryOperator.EQUAL) {
                return Bytes.equalIgnoringCase(x.octets(), y.octets()) ? TRUE : FALSE;
            }
            return test(operator, Bytes.compareIgnoringCase(x.octets(), y.octets()));
        }
        if (a instanceof Value.AbsTime x && b instanceof Value.AbsTime y) {
            return test(operator, Long.compare(x.seconds(), y.seconds()));
        }
        if (a instanceof Value.RelTime x && b instanceof Value.RelTime y) {
            return test(operator, x.seconds(), y.seconds());
        }
        return ERROR;
    }

    /** The truth value of a strict comparison, {@code is} or {@code isnt} of two values. */
    static int compare(BinaryOperator operator, Value a, Value b) {
        if (operator == BinaryOperator.IS || operator == BinaryOperator.ISNT) {
            int same = identical(a, b);
            return operator == BinaryOperator.IS || same == ERROR ? same : 1 - same;
        }
        if (a == Value.ERROR || b == Value.ERROR) {
            return ERROR;
        }
        if (a == Value.UNDEFINED || b == Value.UNDEFINED) {
            return UNDEFINED;
        }
        boolean numbers = isNumber(a) && isNumber(b);
        if (!numbers) {
            return compared(operator, a, b);
        }
        if (a instanceof Value.Real || b instanceof Value.Real) {
            return test(operator, a.rank(), b.rank());
        }
        return test(operator, Long.compare(integer(a), integer(b)));
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.Bool;
    }

    private static long integer(Value value) {
        return value instanceof Value.Int i ? i.value() : value.satisfies() ? 1 : 0;
    }

    /** The truth value of {@code a is b}: never UNDEFINED; ERROR for two lists or two ads. */
    static int identical(Value a, Value b) {
        if (a instanceof Value.ListOf && b instanceof Value.ListOf
                || a instanceof Value.Record && b instanceof Value.Record) {
            return ERROR;
        }
        if (a instanceof Value.Real x && b instanceof Value.Real y) {
            return x.value() == y.value() ? TRUE : FALSE;
        }
        return a.equals(b) ? TRUE : FALSE;
    }

    /** The code of {@code ==}, or {@code !=} if negated, with an operand that is always a string. */
    static final class WithText extends CompiledExpr.Truth {

        private final boolean negated;
        private final CompiledExpr operand;
        private final CompiledExpr known;

        /** @param known a {@linkplain CompiledExpr#isText text} */
        WithText(boolean negated, CompiledExpr operand, CompiledExpr known) {
            super(operand);
            this.negated = negated;
            this.operand = operand;
            this.known = known;
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            Value value = operand.value(e, s);
            if (value instanceof Value.Text text) {
                String octets = ((Value.Text) known.value(e, s)).octets();
                if (octets.length() == text.octets().length() && !e.looksAt(text)) {
                    return ERROR;
                }
                return Bytes.equalIgnoringCase(text.octets(), octets) == negated ? FALSE : TRUE;
            }
            return value == Value.UNDEFINED ? UNDEFINED : ERROR;
        }
    }

    /** The code of {@code is}, or {@code isnt} if negated. */
    static CompiledExpr identity(boolean negated, CompiledExpr left, CompiledExpr right) {
        return new CompiledExpr.Truth(left, right) {
            @Override
            public int truth(Evaluation e, Scope s) {
                Value a = left.value(e, s);
                if (a instanceof Value.Text && !e.looksAt(a)) {
                    return ERROR;
                }
                int same = identical(a, right.value(e, s));
                return negated && same != ERROR ? 1 - same : same;
            }
        };
    }
}
