package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** Random trees as a parser could have made them: parentheses where the grammar needs them, and sometimes elsewhere. */
final class RandomExpressions {

    private static final String[] NAMES = {
        "a", "B", "Memory", "TARGET", "MY", "other", "parent", "true", "odd name", "it's", "x\ny", "1st", "é", "_", "is"
    };
    private static final String[] FUNCTIONS = {
        "strcat", "size", "member", "ifThenElse", "nosuch", "regexp", "eval", "sum"
    };
    private static final String[] TEXTS = {
        "", "abc", "ABC", "a\"b\\c", "line\nbreak\ttab", "é中", "10", "1.5", "\u0001\u007f"
    };

    private static final int ANY = 0;
    private static final int PREFIX = 11;
    private static final int POSTFIX = 13;

    private final Random random;

    RandomExpressions(Random random) {
        this.random = random;
    }

    Expr next(int depth) {
        return next(depth, ANY);
    }

    ClassAd ad(int depth) {
        var names = new ArrayList<String>();
        var expressions = new ArrayList<Expr>();
        for (int i = random.nextInt(5); i > 0; i--) {
            names.add(NAMES[random.nextInt(NAMES.length)]);
            expressions.add(next(depth - 1));
        }
        return ClassAd.of(names, expressions);
    }

    private Expr next(int depth, int needed) {
        Expr expr = depth <= 0 ? leaf() : tree(depth);
        return level(expr) < needed || random.nextInt(12) == 0 ? new Parenthesised(expr) : expr;
    }

    private static int level(Expr expr) {
        if (expr instanceof Conditional) {
            return ANY;
        }
        if (expr instanceof Binary binary) {
            return binary.operator().level();
        }
        return expr instanceof Unary ? PREFIX : POSTFIX;
    }

    private Expr tree(int depth) {
        int d = depth - 1;
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> binary(d);
            case 4 -> unary(d);
            case 5 -> new Conditional(next(d, 1), next(d, ANY), next(d, ANY));
            case 6 -> Selection.of(next(d, POSTFIX), name());
            case 7 -> new Subscript(next(d, POSTFIX), next(d, ANY));
            case 8 -> new ListExpr(several(d));
            case 9 -> new RecordExpr(ad(d));
            case 10 -> Call.of(FUNCTIONS[random.nextInt(FUNCTIONS.length)], several(d));
            default -> leaf();
        };
    }

    private Expr binary(int depth) {
        BinaryOperator operator = BinaryOperator.values()[random.nextInt(BinaryOperator.values().length)];
        boolean elvis = operator == BinaryOperator.ELVIS;
        return new Binary(
                operator,
                next(depth, elvis ? POSTFIX : operator.level()),
                next(depth, elvis ? operator.level() : operator.level() + 1));
    }

    /** A minus directly before a number belongs to the number, so no tree has one there. */
    private Expr unary(int depth) {
        UnaryOperator operator = UnaryOperator.values()[random.nextInt(4)];
        Expr operand = next(depth, PREFIX);
        String text = operand.print();
        boolean joins = operator == UnaryOperator.MINUS && (Character.isDigit(text.charAt(0)) || text.charAt(0) == '.');
        return new Unary(operator, joins ? new Parenthesised(operand) : operand);
    }

    private List<Expr> several(int depth) {
        var several = new ArrayList<Expr>();
        for (int i = random.nextInt(4); i > 0; i--) {
            several.add(next(depth));
        }
        return several;
    }

    private String name() {
        return NAMES[random.nextInt(NAMES.length)];
    }

    private Expr leaf() {
        return switch (random.nextInt(10)) {
            case 0 -> Literal.of(random.nextLong() >> random.nextInt(64));
            case 1 -> Literal.of(real());
            case 2 -> Literal.of(TEXTS[random.nextInt(TEXTS.length)]);
            case 3 -> Literal.of(random.nextBoolean());
            case 4 -> Literal.of(random.nextBoolean() ? Value.UNDEFINED : Value.ERROR);
            case 5 -> Literal.of(new Value.AbsTime(random.nextInt() * 10L, (random.nextInt(27) - 13) * 1800));
            case 6 -> Literal.of(new Value.RelTime(random.nextInt(1 << 20) / (double) (1 << random.nextInt(20))));
            case 7 -> new AttributeRef(Name.of(Bytes.encode(name())), true);
            default -> AttributeRef.to(name());
        };
    }

    private double real() {
        double real = random.nextBoolean() ? Double.longBitsToDouble(random.nextLong()) : random.nextInt(1000) / 8.0;
        return Double.isNaN(real) || Double.isInfinite(real) ? 0.1 : real;
    }
}
