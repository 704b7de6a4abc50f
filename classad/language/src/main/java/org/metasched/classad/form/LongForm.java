package org.metasched.classad.form;

import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Printer;
import org.metasched.classad.Reading;
import org.metasched.classad.Syntax;
import org.metasched.classad.WrittenForm;
import org.metasched.classad.grammar.FormReader;

/** The long form, a line for each attribute. Made by the service loader. */
public final class LongForm implements WrittenForm {

    @Override
    public Syntax syntax() {
        return Syntax.OLD;
    }

    @Override
    public Expr expression(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return FormReader.expression(text, reading);
    }

    @Override
    public ClassAd read(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return new LongFormReader(text, reading).one();
    }

    @Override
    public List<ClassAd> readAll(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return new LongFormReader(text, reading).all();
    }

    /** An empty line stands for an ad without attributes, which keeps ads in a file apart. */
    @Override
    public String write(ClassAd ad) {
        if (ad.isEmpty()) {
            return "\n";
        }
        var out = new StringBuilder();
        Printer.forEach(ad, (name, expr) -> {
            Printer.append(name, out);
            out.append(" = ").append(Printer.OLD.print(expr)).append('\n');
        });
        return out.toString();
    }
}
