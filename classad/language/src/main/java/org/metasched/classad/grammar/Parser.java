package org.metasched.classad.grammar;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Binary;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Call;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Conditional;
import org.metasched.classad.Dialect;
import org.metasched.classad.Expr;
import org.metasched.classad.ListExpr;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Parenthesised;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.RecordExpr;
import org.metasched.classad.Selection;
import org.metasched.classad.Subscript;
import org.metasched.classad.Unary;
import org.metasched.classad.UnaryOperator;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/**
 * The recursive-descent parser of expressions and of ads in the new syntax; also reads the right sides of the long form. Each method
 * named after a part of the grammar reads that part, and leaves the token behind it as the current one. Not reusable.
 */
final class Parser {

    private final Lexer lexer;
    private final ReadOptions reading;

    /** The offset behind the text to parse. */
    private final int end;

    /** The depth of the recursion, which {@link org.metasched.classad.Limits#parserLevels} bounds. */
    private int level;

    /** The number of nodes that were made, about: an element of a list or of an ad may count twice. */
    int nodes;

    /** A parser of {@code text[from..end)}, which has read the first token. */
    Parser(byte[] text, int from, int end, ReadOptions reading) {
        this.lexer = new Lexer(text, from, end, reading);
        this.reading = reading;
        this.end = end;
        lexer.next();
    }

    /** Parses an expression, which must be all of the text, unless the cache has it. */
    static Expr expression(byte[] bytes, ReadOptions reading) throws ClassAdSyntaxException {
        Expr known = ExprCache.find(bytes, 0, bytes.length, reading);
        if (known != null) {
            return known;
        }
        var parser = new Parser(bytes, 0, bytes.length, reading);
        Expr expr = parser.expression();
        if (parser.lexer.token == Token.END) {
            return ExprCache.store(bytes, 0, bytes.length, reading, expr, parser.nodes);
        }
        if (expr instanceof Conditional && reading.dialect() == Dialect.REFERENCE) {
            // The reference ignores the text behind a conditional. Not cached: in an ad the same text is an error.
            return expr;
        }
        throw parser.expected("an operator or the end");
    }

    /** The current token. */
    Token token() {
        return lexer.token;
    }

    /** The offset of the current token. */
    int tokenStart() {
        return lexer.start;
    }

    /** Makes the token at an offset the current one. */
    void moveTo(int offset) {
        lexer.moveTo(offset);
    }

    /** The syntax error of the current token, which is bad or is not {@code what} the grammar expects. */
    ClassAdSyntaxException expected(String what) {
        if (lexer.token == Token.BAD) {
            return wrong(lexer.start, lexer.reason, lexer.hint);
        }
        return wrong(lexer.start, "expected %s, found %s".formatted(what, lexer.token.words), likelyCause());
    }

    private ClassAdSyntaxException wrong(int offset, String reason, String hint) {
        return ClassAdSyntaxException.at(lexer.text, offset, end, reason, hint);
    }

    /** The probable cause of a current token that does not fit, for an error message; empty if none is known. */
    private String likelyCause() {
        int before = lexer.start - 1;
        while (before > 0 && Bytes.isSpace(lexer.text[before])) {
            before--;
        }
        int last = before < 0 ? 0 : lexer.text[before];
        boolean adjacent = before == lexer.start - 1;
        return switch (lexer.token) {
            case ASSIGN -> "'==' was meant";
            case CLOSE_PAREN, CLOSE_BRACE -> last == ',' ? "there is a comma too many" : "";
            case NAME -> {
                boolean letter = lexer.name.lower().length() == 1 && "bkmgt".contains(lexer.name.lower());
                if (adjacent && letter && Bytes.isDigit(last)) {
                    yield "a suffix was meant, as in 28M, which only the papers' dialect reads";
                }
                yield switch (lexer.name.lower()) {
                    case "and" -> "'&&' was meant";
                    case "or" -> "'||' was meant";
                    default -> "";
                };
            }
            default -> "";
        };
    }

    /** Consumes the current token, which must be this one. */
    private void expect(Token token) throws ClassAdSyntaxException {
        if (lexer.token != token) {
            throw expected(token.words);
        }
        lexer.next();
    }

    /** Raises the depth of the recursion, and throws if that is more than the limits allow. */
    private void descend() throws ClassAdSyntaxException {
        if (++level > reading.limits().parserLevels()) {
            throw tooDeep();
        }
    }

    private ClassAdSyntaxException tooDeep() {
        return wrong(lexer.start, "the expression is nested too deeply", "");
    }

    /** Counts a node above two subtrees; throws if that makes the tree higher than {@link Expr#HIGHEST}. */
    private void checkHeight(Expr a, Expr b) throws ClassAdSyntaxException {
        nodes++;
        if (Math.max(a.height(), b.height()) >= Expr.HIGHEST) {
            throw tooDeep();
        }
    }

    /** A conditional, or an expression of binary operators. */
    Expr expression() throws ClassAdSyntaxException {
        descend();
        Expr expr = binary(1);
        if (lexer.token == Token.QUESTION) {
            lexer.next();
            Expr whenTrue = expression();
            expect(Token.COLON);
            Expr whenFalse = expression();
            checkHeight(expr, whenTrue);
            checkHeight(expr, whenFalse);
            expr = new Conditional(expr, whenTrue, whenFalse);
        }
        level--;
        return expr;
    }

    /** Operands and binary operators whose level is at least {@code loosest}, by precedence climbing. */
    private Expr binary(int loosest) throws ClassAdSyntaxException {
        Expr left = unary();
        while (true) {
            BinaryOperator operator = lexer.token.binary;
            if (operator == null || operator.level() < loosest) {
                return left;
            }
            lexer.next();
            Expr right = binary(operator.level() + 1);
            checkHeight(left, right);
            left = new Binary(operator, left, right);
        }
    }

    /** An operand with any number of operators in front. */
    private Expr unary() throws ClassAdSyntaxException {
        UnaryOperator operator = prefix();
        descend();
        Expr expr;
        if (operator == null) {
            expr = postfix();
        } else {
            lexer.next();
            Expr operand = unary();
            checkHeight(operand, operand);
            expr = new Unary(operator, operand);
        }
        level--;
        return expr;
    }

    /** The prefix operator that the current token is, or null. */
    private @Nullable UnaryOperator prefix() {
        return switch (lexer.token) {
            case MINUS -> UnaryOperator.MINUS;
            case PLUS -> UnaryOperator.PLUS;
            case NOT -> UnaryOperator.NOT;
            case COMPLEMENT -> UnaryOperator.COMPLEMENT;
            default -> null;
        };
    }

    /** A primary with selections and subscripts. The reference reads {@code ?:} here, too: it binds tighter than a prefix. */
    private Expr postfix() throws ClassAdSyntaxException {
        Expr expr = primary();
        while (true) {
            switch (lexer.token) {
                case DOT -> {
                    lexer.next();
                    checkHeight(expr, expr);
                    expr = new Selection(expr, name());
                }
                case OPEN_BRACKET -> {
                    lexer.next();
                    Expr index = expression();
                    expect(Token.CLOSE_BRACKET);
                    checkHeight(expr, index);
                    expr = new Subscript(expr, index);
                }
                case ELVIS -> {
                    lexer.next();
                    descend();
                    Expr fallback = postfix();
                    level--;
                    checkHeight(expr, fallback);
                    expr = new Binary(BinaryOperator.ELVIS, expr, fallback);
                }
                default -> {
                    return expr;
                }
            }
        }
    }

    private Name name() throws ClassAdSyntaxException {
        if (lexer.token != Token.NAME) {
            throw expected("a name");
        }
        Name name = lexer.name;
        lexer.next();
        return name;
    }

    private Expr primary() throws ClassAdSyntaxException {
        nodes++;
        return switch (lexer.token) {
            case NAME -> {
                Name name = name();
                yield lexer.token == Token.OPEN_PAREN ? call(name) : new AttributeRef(name, false);
            }
            case DOT -> {
                lexer.next();
                yield new AttributeRef(name(), true);
            }
            case OPEN_PAREN -> {
                lexer.next();
                Expr inner = expression();
                expect(Token.CLOSE_PAREN);
                checkHeight(inner, inner);
                yield new Parenthesised(inner);
            }
            case OPEN_BRACE -> {
                lexer.next();
                yield new ListExpr(list(Token.CLOSE_BRACE));
            }
            case OPEN_BRACKET -> new RecordExpr(record());
            default -> literal();
        };
    }

    private Literal literal() throws ClassAdSyntaxException {
        Literal literal = switch (lexer.token) {
            case INTEGER -> Literal.of(lexer.numbers.integer);
            case REAL -> Literal.of(lexer.numbers.real);
            case STRING -> Literal.exactly(new Value.Text(lexer.quotes.string));
            case TIME -> Literal.exactly(lexer.time);
            case TRUE -> Literal.of(true);
            case FALSE -> Literal.of(false);
            case UNDEFINED -> Literal.of(Value.UNDEFINED);
            case ERROR -> Literal.of(Value.ERROR);
            default -> throw expected("an expression");
        };
        lexer.next();
        return literal;
    }

    /** A call of a function whose name has been read; a call of absTime or relTime with a text is a literal. */
    private Expr call(Name function) throws ClassAdSyntaxException {
        int at = lexer.start;
        lexer.next();
        List<Expr> arguments = list(Token.CLOSE_PAREN);
        if (arguments.size() == 1
                && arguments.get(0) instanceof Literal literal
                && literal.value() instanceof Value.Text text) {
            Literal folded = time(function, text.octets());
            if (folded != null && folded.value().isError()) {
                throw wrong(
                        at,
                        "%s cannot read (%s)".formatted(function, text.text()),
                        function.is("abstime")
                                ? "a time such as 2020-01-31T09:00:00+01:00 was meant"
                                : "a span such as 1+02:30:00, days first, was meant");
            }
            if (folded != null) {
                return folded;
            }
        }
        return new Call(function, arguments, reading.dialect() == Dialect.PAPER);
    }

    /** The literal that {@code absTime("...")} or {@code relTime("...")} stands for; null for other functions. */
    private @Nullable Literal time(Name function, String octets) {
        if (function.is("abstime")) {
            return TimeLiterals.absolute(octets);
        }
        return function.is("reltime") ? TimeLiterals.relative(octets, reading.dialect()) : null;
    }

    /** Expressions between commas up to a closing token, which is consumed; the opening one has been consumed. */
    private List<Expr> list(Token close) throws ClassAdSyntaxException {
        var elements = new ArrayList<Expr>();
        if (lexer.token != close) {
            elements.add(element());
            while (lexer.token == Token.COMMA || close == Token.CLOSE_PAREN && semicolonSeparates()) {
                lexer.next();
                elements.add(element());
            }
        }
        expect(close);
        return elements;
    }

    private Expr element() throws ClassAdSyntaxException {
        Expr element = expression();
        checkHeight(element, element);
        return element;
    }

    /** Whether the current token is a semicolon, which HTCondor's tools allow between arguments. */
    private boolean semicolonSeparates() {
        return lexer.token == Token.SEMICOLON && reading.mode() == LookupMode.OLD;
    }

    /** An ad, {@code [ name = expr; ... ]}; the current token must be its opening bracket. */
    ClassAd record() throws ClassAdSyntaxException {
        expect(Token.OPEN_BRACKET);
        var ad = new ClassAd.Builder();
        if (lexer.token == Token.SEMICOLON) {
            skipSemicolons();
            if (lexer.token == Token.CLOSE_BRACKET) {
                throw expected("a name");
            }
        }
        while (lexer.token != Token.CLOSE_BRACKET) {
            int start = lexer.start;
            Name name = name();
            if (name.length() == 0) {
                throw wrong(start, "the name of an attribute is empty", "");
            }
            expect(Token.ASSIGN);
            Expr expr = element();
            if (!ad.put(name, expr)) {
                throw wrong(lexer.start, FormReader.tooManyAttributes(), "");
            }
            if (lexer.token != Token.SEMICOLON && lexer.token != Token.CLOSE_BRACKET) {
                throw expected("';' or ']'");
            }
            skipSemicolons();
        }
        lexer.next();
        return ad.build();
    }

    private void skipSemicolons() {
        while (lexer.token == Token.SEMICOLON) {
            lexer.next();
        }
    }
}
