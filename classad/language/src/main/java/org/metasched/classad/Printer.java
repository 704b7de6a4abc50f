package org.metasched.classad;

import java.util.List;
import java.util.function.BiConsumer;
import org.metasched.classad.text.Escapes;
import org.metasched.classad.text.Name;
import org.metasched.classad.text.Numbers;
import org.metasched.classad.text.Times;

/**
 * A printer of trees and values as byte strings, in the new or the old syntax. Parentheses are printed as they were written; trees that
 * were built rather than parsed get the parentheses that they need. In the methods, {@code exact} tells whether reals and spans get all
 * digits that are needed to read them back, rather than those of the reference. For the written forms, not for users, who call
 * {@link Expr#print()} and {@link ClassAd#print()}.
 */
public final class Printer {

    /** The printer of the new syntax on one line. Thread-safe. */
    public static final Printer NEW = new Printer(false, false);

    /** The printer of the old syntax, as it stands behind the {@code =} of the long form. Thread-safe. */
    public static final Printer OLD = new Printer(true, false);

    /**
     * The levels of other expressions than binary ones, see {@link BinaryOperator#level}; the conditional has the lowest, {@link
     * #ANY}.
     */
    private static final int ANY = 0;

    private static final int PREFIX = 11;
    private static final int ELVIS = BinaryOperator.ELVIS.level();
    private static final int POSTFIX = 13;
    private static final int PRIMARY = 14;

    /** The indents of {@code unparse}, which are those of the reference. */
    private static final int LIST_INDENT = 3;

    private static final int AD_INDENT = 4;

    /** Whether the syntax is the old one. */
    private final boolean old;

    /** Whether each part of a list or an ad begins a line. Such a printer has state and is used once. */
    private final boolean lines;

    /** The current indent; 0 unless {@link #lines} is set. */
    private int indent;

    private Printer(boolean old, boolean lines) {
        this.old = old;
        this.lines = lines;
    }

    /** The text of an expression as the function {@code unparse} writes it: lists, ads and each of their parts begin a line. */
    public static String printLines(Expr expr) {
        return new Printer(false, true).print(expr);
    }

    /** The text of an expression, which parses to an equal one with the exceptions of {@link Expr#print()}. */
    public String print(Expr expr) {
        var out = new StringBuilder();
        append(expr, ANY, true, out);
        return out.toString();
    }

    /** The text of a value as the reference writes it: reals have 16 digits, which do not always read back as the same real. */
    String print(Value value) {
        var out = new StringBuilder();
        append(value, false, out);
        return out.toString();
    }

    /** The text of an ad, which parses to an equal one with the same exceptions. */
    public String print(ClassAd ad) {
        var out = new StringBuilder();
        append(ad, true, out);
        return out.toString();
    }

    /**
     * Calls the visitor with each attribute in the order in which the reference prints them: shorter names first, then
     * alphabetically.
     */
    public static void forEach(ClassAd ad, BiConsumer<Name, Expr> visitor) {
        for (int index : ad.shape().libraryOrder()) {
            visitor.accept(ad.shape().name(index), ad.slot(index));
        }
    }

    /** How tightly an expression binds. */
    private static int level(Expr expr) {
        if (expr instanceof Conditional) {
            return ANY;
        }
        if (expr instanceof Binary binary) {
            return binary.operator().level();
        }
        if (expr instanceof Unary) {
            return PREFIX;
        }
        return expr instanceof Selection || expr instanceof Subscript ? POSTFIX : PRIMARY;
    }

    /** Appends an expression, in parentheses if it binds less tightly than its context needs. */
    private void append(Expr expr, int needed, boolean exact, StringBuilder out) {
        boolean parentheses = level(expr) < needed;
        if (parentheses) {
            out.append('(');
        }
        appendBare(expr, exact, out);
        if (parentheses) {
            out.append(')');
        }
    }

    private void appendBare(Expr expr, boolean exact, StringBuilder out) {
        if (expr instanceof Literal literal) {
            append(literal, exact, out);
        } else if (expr instanceof AttributeRef ref) {
            out.append(ref.absolute() ? "." : "");
            append(ref.key(), out);
        } else if (expr instanceof Selection selection) {
            append(selection.base(), POSTFIX, exact, out);
            out.append(isNumber(selection.base()) ? " ." : ".");
            append(selection.key(), out);
        } else if (expr instanceof Binary binary) {
            append(binary, exact, out);
        } else if (expr instanceof Unary unary) {
            out.append(' ').append(unary.operator().symbol());
            append(unary.operand(), PREFIX, exact, out);
        } else if (expr instanceof Parenthesised p) {
            out.append('(');
            append(p.inner(), ANY, exact, out);
            out.append(')');
        } else if (expr instanceof Conditional c) {
            append(c.condition(), ANY + 1, exact, out);
            out.append(" ? ");
            append(c.whenTrue(), ANY, exact, out);
            out.append(" : ");
            append(c.whenFalse(), ANY, exact, out);
        } else {
            appendCompound(expr, exact, out);
        }
    }

    private void appendCompound(Expr expr, boolean exact, StringBuilder out) {
        if (expr instanceof Subscript subscript) {
            append(subscript.base(), POSTFIX, exact, out);
            out.append('[');
            append(subscript.index(), ANY, exact, out);
            out.append(']');
        } else if (expr instanceof Call call) {
            append(call.key(), out);
            out.append('(');
            appendAll(call.arguments(), exact, out);
            out.append(')');
        } else if (expr instanceof ListExpr list) {
            appendList(list.elements(), exact, out);
        } else if (expr instanceof RecordExpr record) {
            append(record.ad(), exact, out);
        } else {
            append(((Scope.Ref) expr).value(), exact, out);
        }
    }

    private static boolean isNumber(Expr expr) {
        return expr instanceof Literal literal && !literal.isRelativeTime() && literal.isNumber();
    }

    private void append(Binary binary, boolean exact, StringBuilder out) {
        BinaryOperator operator = binary.operator();
        boolean elvis = operator == BinaryOperator.ELVIS;
        append(binary.left(), elvis ? POSTFIX : operator.level(), exact, out);
        out.append(' ').append(old ? operator.oldSymbol() : operator.symbol()).append(' ');
        append(binary.right(), elvis ? ELVIS : operator.level() + 1, exact, out);
    }

    private void appendAll(List<Expr> exprs, boolean exact, StringBuilder out) {
        for (int i = 0; i < exprs.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            append(exprs.get(i), ANY, exact, out);
        }
    }

    private void append(Literal literal, boolean exact, StringBuilder out) {
        if (literal.isRelativeTime()) {
            append(new Value.RelTime(literal.value().rank()), exact, out);
        } else {
            append(literal.value(), exact, out);
        }
    }

    private void append(Value value, boolean exact, StringBuilder out) {
        if (value instanceof Value.Int i) {
            out.append(i.value());
        } else if (value instanceof Value.Bool b) {
            out.append(b.value());
        } else if (value instanceof Value.Real r) {
            out.append(real(r.value(), exact));
        } else if (value instanceof Value.Text text) {
            append(text.octets(), '"', out);
        } else if (value instanceof Value.AbsTime time) {
            out.append("absTime(\"")
                    .append(Times.print(time.seconds(), time.offset()))
                    .append("\")");
        } else if (value instanceof Value.RelTime time) {
            out.append("relTime(\"")
                    .append(exact ? Times.printRelativeExactly(time.seconds()) : Times.printRelative(time.seconds()))
                    .append("\")");
        } else if (value instanceof Value.ListOf list) {
            appendList(list.elements(), exact, out);
        } else if (value instanceof Value.Record record) {
            append(record.ad(), exact, out);
        } else {
            out.append(value == Value.UNDEFINED ? "undefined" : "error");
        }
    }

    private String real(double value, boolean exact) {
        if (old) {
            return exact ? Numbers.printOldExactly(value) : Numbers.printOld(value);
        }
        return exact ? Numbers.printNewExactly(value) : Numbers.printNew(value);
    }

    /** Appends a byte string in quotes. In the old syntax only such quotes in it are escaped. */
    private void append(String octets, char quote, StringBuilder out) {
        out.append(quote);
        if (old) {
            out.append(octets.replace(String.valueOf(quote), "\\" + quote));
        } else {
            Escapes.encode(octets, quote, out);
        }
        out.append(quote);
    }

    private void appendList(List<Expr> elements, boolean exact, StringBuilder out) {
        open('{', LIST_INDENT, out);
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            newLine(out);
            append(elements.get(i), ANY, exact, out);
        }
        close('}', LIST_INDENT, out);
    }

    /** Appends an opening bracket, with a line of its own if lines are printed; {@code step} is the indent. */
    private void open(char bracket, int step, StringBuilder out) {
        if (!lines) {
            out.append(bracket).append(' ');
            return;
        }
        indent += step;
        newLine(out);
        out.append(bracket);
        indent += step;
    }

    private void close(char bracket, int step, StringBuilder out) {
        if (!lines) {
            out.append(' ').append(bracket);
            return;
        }
        indent -= step;
        newLine(out);
        out.append(bracket);
        indent -= step;
    }

    private void newLine(StringBuilder out) {
        if (lines) {
            out.append('\n').append(" ".repeat(indent));
        }
    }

    private void append(ClassAd ad, boolean exact, StringBuilder out) {
        open('[', AD_INDENT, out);
        boolean first = true;
        for (int index : ad.shape().libraryOrder()) {
            if (!first) {
                out.append("; ");
            }
            first = false;
            newLine(out);
            append(ad.shape().name(index), out);
            out.append(" = ");
            append(ad.slot(index), ANY, exact, out);
        }
        close(']', AD_INDENT, out);
    }

    /** Appends a name, in single quotes if it is no identifier or a reserved word. */
    public void append(Name name, StringBuilder out) {
        if (isPlain(name)) {
            out.append(name.spelling());
        } else {
            append(name.spelling(), '\'', out);
        }
    }

    /** Whether a name is printed without quotes. The reference quotes {@code parent}, too. */
    private static boolean isPlain(Name name) {
        String spelling = name.spelling();
        if (spelling.isEmpty() || spelling.charAt(0) <= '9') {
            return false;
        }
        for (int i = 0; i < spelling.length(); i++) {
            char c = spelling.charAt(i);
            if (c > 127 || Name.folded((byte) c) == 0) {
                return false;
            }
        }
        return !name.isKeyword() && !name.is("parent");
    }
}
