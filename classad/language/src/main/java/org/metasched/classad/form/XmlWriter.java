package org.metasched.classad.form;

import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.ListExpr;
import org.metasched.classad.Literal;
import org.metasched.classad.Printer;
import org.metasched.classad.RecordExpr;
import org.metasched.classad.Value;
import org.metasched.classad.text.Escapes;
import org.metasched.classad.text.Numbers;
import org.metasched.classad.text.Times;

/** A writer of one ad as a {@code <c>} element without white space. Strings and names have the escapes of the new syntax. */
final class XmlWriter {

    private final StringBuilder out = new StringBuilder();

    /** The ad as a byte string; to be called once. */
    String write(ClassAd ad) {
        ad(ad);
        return out.toString();
    }

    private void ad(ClassAd ad) {
        out.append("<c>");
        Printer.forEach(ad, (name, expr) -> {
            out.append("<a n=\"");
            escaped(encoded(name.spelling()), true);
            out.append("\">");
            expression(expr);
            out.append("</a>");
        });
        out.append("</c>");
    }

    private void expression(Expr expr) {
        if (expr instanceof Literal literal) {
            value(literal.value());
        } else if (expr instanceof ListExpr list) {
            list(list.elements());
        } else if (expr instanceof RecordExpr record) {
            ad(record.ad());
        } else {
            element("e", Printer.NEW.print(expr));
        }
    }

    private void list(List<Expr> elements) {
        out.append("<l>");
        elements.forEach(this::expression);
        out.append("</l>");
    }

    private void value(Value value) {
        if (value instanceof Value.Int i) {
            element("i", Long.toString(i.value()));
        } else if (value instanceof Value.Real r) {
            element("r", real(r.value()));
        } else if (value instanceof Value.Text text) {
            element("s", encoded(text.octets()));
        } else if (value instanceof Value.Bool b) {
            out.append(b.value() ? "<b v=\"t\"/>" : "<b v=\"f\"/>");
        } else if (value instanceof Value.AbsTime time) {
            element("at", Times.print(time.seconds(), time.offset()));
        } else if (value instanceof Value.RelTime time) {
            element("rt", Times.printRelativeExactly(time.seconds()));
        } else if (value instanceof Value.ListOf list) {
            list(list.elements());
        } else if (value instanceof Value.Record record) {
            ad(record.ad());
        } else {
            out.append(value == Value.UNDEFINED ? "<un/>" : "<er/>");
        }
    }

    /** The text of a real. Zero has no sign in XML, as in the reference. */
    private static String real(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "INF" : "-INF";
        }
        return value == 0.0 ? "0.0" : Numbers.printNewExactly(value);
    }

    private void element(String name, String text) {
        out.append('<').append(name).append('>');
        escaped(text, false);
        out.append("</").append(name).append('>');
    }

    private static String encoded(String octets) {
        var out = new StringBuilder();
        Escapes.encode(octets, (char) 0, out);
        return out.toString();
    }

    /** Appends a byte string with the entities that XML demands; quotes need one only inside quotes. */
    private void escaped(String text, boolean inQuotes) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append(inQuotes ? "&quot;" : "\"");
                default -> out.append(c);
            }
        }
    }
}
