package org.metasched.classad.form;

import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Printer;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.WrittenForms;
import org.metasched.classad.grammar.FormReader;

/** The readers and writers of the four forms. Made by the service loader; thread-safe, without state. */
public final class AllForms implements WrittenForms {

    private static FormReader reader(byte[] text, ReadOptions reading) {
        return switch (reading.syntax()) {
            case NEW -> new RecordReader(text, reading);
            case OLD -> new LongFormReader(text, reading);
            case JSON -> new JsonReader(text, reading);
            case XML -> new XmlReader(text, reading);
        };
    }

    @Override
    public Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException {
        return FormReader.expression(text, reading);
    }

    @Override
    public ClassAd read(byte[] text, ReadOptions reading) throws ClassAdSyntaxException {
        return reader(text, reading).readOne();
    }

    @Override
    public List<ClassAd> readAll(byte[] text, ReadOptions reading) throws ClassAdSyntaxException {
        return reader(text, reading).readAll();
    }

    @Override
    public String write(ClassAd ad, Syntax syntax) {
        return switch (syntax) {
            case NEW -> Printer.NEW.print(ad);
            case OLD -> lines(ad);
            case JSON -> new JsonWriter().write(ad);
            case XML -> new XmlWriter().write(ad);
        };
    }

    /** The long form of an ad. An empty ad is an empty line, which separates the ads before and after it in a file. */
    private static String lines(ClassAd ad) {
        var out = new StringBuilder(ad.isEmpty() ? "\n" : "");
        Printer.forEach(ad, (name, expr) -> {
            Printer.NEW.append(name, out);
            out.append(" = ").append(Printer.OLD.print(expr)).append('\n');
        });
        return out.toString();
    }
}
