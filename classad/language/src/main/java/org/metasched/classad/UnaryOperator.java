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

    /** The operator as it is written. */
    public String symbol() {
        return symbol;
    }
}
