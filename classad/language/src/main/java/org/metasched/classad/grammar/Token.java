package org.metasched.classad.grammar;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;

/** The kinds of token, with the words an error message uses for them. */
enum Token {
    END("the end"),
    BAD("an unreadable token"),
    INTEGER("an integer"),
    REAL("a real"),
    STRING("a string"),
    TIME("a time"),
    NAME("a name"),
    TRUE("true"),
    FALSE("false"),
    UNDEFINED("undefined"),
    ERROR("error"),
    OR("'||'", BinaryOperator.OR),
    AND("'&&'", BinaryOperator.AND),
    BIT_OR("'|'", BinaryOperator.BIT_OR),
    BIT_XOR("'^'", BinaryOperator.BIT_XOR),
    BIT_AND("'&'", BinaryOperator.BIT_AND),
    EQUAL("'=='", BinaryOperator.EQUAL),
    NOT_EQUAL("'!='", BinaryOperator.NOT_EQUAL),
    IS("'is'", BinaryOperator.IS),
    ISNT("'isnt'", BinaryOperator.ISNT),
    LESS("'<'", BinaryOperator.LESS),
    LESS_OR_EQUAL("'<='", BinaryOperator.LESS_OR_EQUAL),
    GREATER("'>'", BinaryOperator.GREATER),
    GREATER_OR_EQUAL("'>='", BinaryOperator.GREATER_OR_EQUAL),
    SHIFT_LEFT("'<<'", BinaryOperator.SHIFT_LEFT),
    SHIFT_RIGHT("'>>'", BinaryOperator.SHIFT_RIGHT),
    SHIFT_RIGHT_UNSIGNED("'>>>'", BinaryOperator.SHIFT_RIGHT_UNSIGNED),
    PLUS("'+'", BinaryOperator.ADD),
    MINUS("'-'", BinaryOperator.SUBTRACT),
    TIMES("'*'", BinaryOperator.MULTIPLY),
    DIVIDE("'/'", BinaryOperator.DIVIDE),
    REMAINDER("'%'", BinaryOperator.REMAINDER),
    NOT("'!'"),
    COMPLEMENT("'~'"),
    ELVIS("'?:'"),
    QUESTION("'?'"),
    COLON("':'"),
    DOT("'.'"),
    COMMA("','"),
    SEMICOLON("';'"),
    ASSIGN("'='"),
    OPEN_PAREN("'('"),
    CLOSE_PAREN("')'"),
    OPEN_BRACKET("'['"),
    CLOSE_BRACKET("']'"),
    OPEN_BRACE("'{'"),
    CLOSE_BRACE("'}'");

    final String words;
    final @Nullable BinaryOperator binary;

    Token(String words) {
        this(words, null);
    }

    Token(String words, @Nullable BinaryOperator binary) {
        this.words = words;
        this.binary = binary;
    }

    /** Whether a minus sign right after this token subtracts, even when a digit follows it. */
    boolean endsOperand() {
        return switch (this) {
            case INTEGER,
                    REAL,
                    STRING,
                    TIME,
                    NAME,
                    TRUE,
                    FALSE,
                    UNDEFINED,
                    ERROR,
                    DOT,
                    CLOSE_PAREN,
                    CLOSE_BRACKET,
                    CLOSE_BRACE -> true;
            default -> false;
        };
    }
}
