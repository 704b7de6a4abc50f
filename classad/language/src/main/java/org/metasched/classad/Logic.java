package org.metasched.classad;

/** The operators that are not strict. */
final class Logic {

    private Logic() {}

    /** {@code a && b}. FALSE and ERROR on the left decide; ERROR on the right beats UNDEFINED on the left. */
    static Code and(Code left, Code right) {
        return new Code.Truth(left, right) {
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
    static Code or(Code left, Code right) {
        return new Code.Truth(left, right) {
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
    static Code not(Code operand) {
        return new Code.Truth(operand) {
            @Override
            public int truth(Evaluation e, Scope s) {
                int a = operand.truth(e, s);
                return a < UNDEFINED ? 1 - a : a;
            }
        };
    }

    /** {@code c ? a : b}, also as {@code ifThenElse(c,a,b)}: only the chosen arm is evaluated. */
    static Code choice(Code condition, Code whenTrue, Code whenFalse) {
        return new Code.Inner(condition, whenTrue, whenFalse) {
            @Override
            public Value value(Evaluation e, Scope s) {
                int c = condition.truth(e, s);
                return c == TRUE ? whenTrue.value(e, s) : c == FALSE ? whenFalse.value(e, s) : Code.valueOf(c);
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
    static Code elvis(Code first, Code second) {
        return new Code.Inner(first, second) {
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
