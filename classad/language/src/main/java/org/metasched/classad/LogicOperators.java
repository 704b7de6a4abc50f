package org.metasched.classad;

/** The operators that are not strict. */
final class LogicOperators {

    private LogicOperators() {}

    /** {@code a && b}. FALSE and ERROR on the left decide; ERROR on the right beats UNDEFINED on the left. */
    static CompiledExpr and(CompiledExpr left, CompiledExpr right) {
        return new CompiledExpr.Truth(left, right) {
            @Override
            public int truth(Evaluation e, Scope s) {
                int a = left.truth(e, s);
                if (a == TRUE) {
                    return right.truth(e, s);
                }
                if (a != UNDEFINED) {
                    return a;
                }
                int b = right.truth(e, s);
                return b == TRUE ? UNDEFINED : b;
            }
        };
    }

    /** {@code a || b}. TRUE and ERROR on the left decide. */
    static CompiledExpr or(CompiledExpr left, CompiledExpr right) {
        return new CompiledExpr.Truth(left, right) {
            @Override
            public int truth(Evaluation e, Scope s) {
                int a = left.truth(e, s);
                if (a == FALSE) {
                    return right.truth(e, s);
                }
                if (a != UNDEFINED) {
                    return a;
                }
                int b = right.truth(e, s);
                return b == FALSE ? UNDEFINED : b;
            }
        };
    }

    /** {@code !a}. */
    static CompiledExpr not(CompiledExpr operand) {
        return new CompiledExpr.Truth(operand) {
            @Override
            public int truth(Evaluation e, Scope s) {
                int a = operand.truth(e, s);
                return a < UNDEFINED ? 1 - a : a;
            }
        };
    }

    /** {@code c ? a : b}, also as {@code ifThenElse(c,a,b)}: only the chosen arm is evaluated. */
    static CompiledExpr choice(CompiledExpr condition, CompiledExpr whenTrue, CompiledExpr whenFalse) {
        return new CompiledExpr.Inner(condition, whenTrue, whenFalse) {
            @Override
            public Value value(Evaluation e, Scope s) {
                int c = condition.truth(e, s);
                return c == TRUE ? whenTrue.value(e, s) : c == FALSE ? whenFalse.value(e, s) : CompiledExpr.valueOf(c);
            }

            @Override
            public int truth(Evaluation e, Scope s) {
                int c = condition.truth(e, s);
                return c == TRUE ? whenTrue.truth(e, s) : c == FALSE ? whenFalse.truth(e, s) : c;
            }

            @Override
            public int number(Evaluation e, Scope s) {
                int c = condition.truth(e, s);
                return c == TRUE ? whenTrue.number(e, s) : c == FALSE ? whenFalse.number(e, s) : c;
            }
        };
    }

    /** {@code a ?: b}: a unless it is UNDEFINED. */
    static CompiledExpr elvis(CompiledExpr first, CompiledExpr second) {
        return new CompiledExpr.Inner(first, second) {
            @Override
            public Value value(Evaluation e, Scope s) {
                Value value = first.value(e, s);
                return value == Value.UNDEFINED ? second.value(e, s) : value;
            }

            @Override
            public int truth(Evaluation e, Scope s) {
                int a = first.truth(e, s);
                return a == UNDEFINED ? second.truth(e, s) : a;
            }

            @Override
            public int number(Evaluation e, Scope s) {
                int a = first.number(e, s);
                return a == UNDEFINED ? second.number(e, s) : a;
            }
        };
    }
}
