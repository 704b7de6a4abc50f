package org.metasched.classad;

/** The operators that are not strict. */
final class Logic {

    private Logic() {}

    /** {@code a && b}. FALSE and ERROR on the left decide; ERROR on the right beats UNDEFINED on the left. */
    static final class And extends Code.Truth {

        private final Code left;
        private final Code right;

        And(Code left, Code right) {
            super(left, right);
            this.left = left;
            this.right = right;
        }

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
    }

    /** {@code a || b}. TRUE and ERROR on the left decide. */
    static final class Or extends Code.Truth {

        private final Code left;
        private final Code right;

        Or(Code left, Code right) {
            super(left, right);
            this.left = left;
            this.right = right;
        }

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
    }

    /** {@code !a}. */
    static final class Not extends Code.Truth {

        private final Code operand;

        Not(Code operand) {
            super(operand);
            this.operand = operand;
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            int a = operand.truth(e, s);
            return a < UNDEFINED ? 1 - a : a;
        }
    }

    /** {@code c ? a : b}, also as {@code ifThenElse(c,a,b)}: only the chosen arm is evaluated. */
    static final class Choice extends Code.Inner {

        private final Code condition;
        private final Code whenTrue;
        private final Code whenFalse;

        Choice(Code condition, Code whenTrue, Code whenFalse) {
            super(condition, whenTrue, whenFalse);
            this.condition = condition;
            this.whenTrue = whenTrue;
            this.whenFalse = whenFalse;
        }

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
    }

    /** {@code a ?: b}: a unless it is UNDEFINED. */
    static final class Elvis extends Code.Inner {

        private final Code first;
        private final Code second;

        Elvis(Code first, Code second) {
            super(first, second);
            this.first = first;
            this.second = second;
        }

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
    }
}
