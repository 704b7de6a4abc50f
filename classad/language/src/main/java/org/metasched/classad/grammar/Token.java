package org.metasched.classad.grammar;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.BinaryOperator;

/** The kinds of token, with the words an error message uses for them. */
enum Token {
    END("the end"),
    BAD("an unreadable token"),
    INTEGER("an integer", true),
    REAL("a real", true),
    STRING("a string", true),
    TIME("a time", true),
    NAME("a name", true),
    TRUE("true", true),
    FALSE("false", true),
    UNDEFINED("undefined", true),
    ERROR("error", true),
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
    DOT("'.'", true),
    COMMA("','"),
    SEMICOLON("';'"),
    ASSIGN("'='"),
    OPEN_PAREN("'('"),
    CLOSE_PAREN("')'", true),
    OPEN_BRACKET("'['"),
    CLOSE_BRACKET("']'", true),
    OPEN_BRACE("'{'"),
    CLOSE_BRACE("'}'", true);

    /** The token in an error message. */
    final String words;

    /** The binary operator that the parser builds from this token by precedence; null if there is none. */
    final @Nullable BinaryOperator binary;

    /** Whether a minus sign right after this token subtracts, even when a digit follows it. */
    final boolean endsOperand;

    Token(String words) {
        this(words, false);
    }

    Token(String words, boolean endsOperand) {
        this(words, null, endsOperand);
    }

    Token(String words, BinaryOperator binary) {
        this(words, binary, false);
    }

    Token(String words, @Nullable BinaryOperator binary, boolean endsOperand) {
        this.words = words;
        this.binary = binary;
        this.endsOperand = endsOperand;
    }
}
