package org.metasched.classad;

/** The prefix operators. */
public enum UnaryOperator {
    MINUS("-"),
    PLUS("+"),
    NOT("!"),
    COMPLEMENT("~");

    private final String symbol;

    UnaryOperator(String symbol) {
        this.symbol = symbol;
    }

    /** How the operator is written. */
    public String symbol() {
        return symbol;
    }
}
