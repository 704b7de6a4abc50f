package org.metasched.classad;

/** The operators with two operands. A higher level binds tighter; all but {@link #ELVIS} are left associative. */
public enum BinaryOperator {
    OR("||", "||", 1),
    AND("&&", "&&", 2),
    BIT_OR("|", "|", 3),
    BIT_XOR("^", "^", 4),
    BIT_AND("&", "&", 5),
    EQUAL("==", "==", 6),
    NOT_EQUAL("!=", "!=", 6),
    IS("is", "=?=", 6),
    ISNT("isnt", "=!=", 6),
    LESS("<", "<", 7),
    LESS_OR_EQUAL("<=", "<=", 7),
    GREATER(">", ">", 7),
    GREATER_OR_EQUAL(">=", ">=", 7),
    SHIFT_LEFT("<<", "<<", 8),
    SHIFT_RIGHT(">>", ">>", 8),
    SHIFT_RIGHT_UNSIGNED(">>>", ">>>", 8),
    ADD("+", "+", 9),
    SUBTRACT("-", "-", 9),
    MULTIPLY("*", "*", 10),
    DIVIDE("/", "/", 10),
    REMAINDER("%", "%", 10),
    /** {@code a ?: b}: a unless it is UNDEFINED. Binds as tightly as a selection; right associative. */
    ELVIS("?:", "?:", 12);

    private final String symbol;
    private final String oldSymbol;
    private final int level;

    BinaryOperator(String symbol, String oldSymbol, int level) {
        this.symbol = symbol;
        this.oldSymbol = oldSymbol;
        this.level = level;
    }

    /** The operator as the new syntax writes it. */
    public String symbol() {
        return symbol;
    }

    /** The operator as the long form writes it. */
    public String oldSymbol() {
        return oldSymbol;
    }

    /** How tightly the operator binds: of two levels the higher one binds first. */
    public int level() {
        return level;
    }

    /** Whether this is a strict comparison, {@code == != < <= > >=}: its value is UNDEFINED or ERROR if an operand is. */
    public boolean isComparison() {
        return (level == 6 || level == 7) && this != IS && this != ISNT;
    }

    /**
     * Whether a comparison of two values is true; false also for UNDEFINED and ERROR. Only for strict comparisons, {@link #IS} and
     * {@link #ISNT}.
     */
    public boolean holds(Value left, Value right) {
        return Comparison.compare(this, left, right) == CompiledExpr.TRUE;
    }

    /** The comparison with its operands exchanged: {@code a < b} is {@code b > a}. Other operators are returned as they are. */
    public BinaryOperator mirrored() {
        return switch (this) {
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            default -> this;
        };
    }
}
