package org.metasched.classad.form;

import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.ListExpr;
import org.metasched.classad.Literal;
import org.metasched.classad.Printer;
import org.metasched.classad.RecordExpr;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Numbers;

/** A writer of one ad as a JSON object on one line. An expression or value that JSON lacks becomes {@code "\/Expr(text)\/"}. */
final class JsonWriter {

    private final StringBuilder out = new StringBuilder();

    /** The ad as a byte string; to be called once. */
    String write(ClassAd ad) {
        object(ad);
        return out.toString();
    }

    private void object(ClassAd ad) {
        out.append('{');
        int start = out.length();
        Printer.forEach(ad, (name, expr) -> {
            if (out.length() > start) {
                out.append(',');
            }
            string(name.spelling());
            out.append(": ");
            expression(expr);
        });
        out.append('}');
    }

    private void expression(Expr expr) {
        if (expr instanceof Literal literal) {
            value(literal);
        } else if (expr instanceof ListExpr list) {
            array(list.elements());
        } else if (expr instanceof RecordExpr record) {
            object(record.ad());
        } else {
            embedded(expr);
        }
    }

    private void array(List<Expr> elements) {
        out.append('[');
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            expression(elements.get(i));
        }
        out.append(']');
    }

    private void value(Literal literal) {
        Value value = literal.value();
        if (value instanceof Value.Text text && isUtf8(text.octets())) {
            string(text.octets());
        } else if (value instanceof Value.Int || value instanceof Value.Bool) {
            out.append(Printer.NEW.print(literal));
        } else if (value instanceof Value.Real real
                && !Double.isNaN(real.value())
                && !Double.isInfinite(real.value())) {
            out.append(Numbers.printOldExactly(real.value()));
        } else if (value == Value.UNDEFINED) {
            out.append("null");
        } else if (value instanceof Value.ListOf list) {
            array(list.elements());
        } else if (value instanceof Value.Record record) {
            object(record.ad());
        } else {
            embedded(literal);
        }
    }

    private static boolean isUtf8(String octets) {
        return Bytes.encode(Bytes.decode(octets)).equals(octets);
    }

    private void embedded(Expr expr) {
        out.append("\"\\/Expr(");
        characters(Printer.NEW.print(expr));
        out.append(")\\/\"");
    }

    private void string(String octets) {
        out.append('"');
        characters(octets);
        out.append('"');
    }

    /** Appends a byte string with the escapes that JSON demands. */
    private void characters(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            char c = octets.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append("\\u%04X".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
    }
}
