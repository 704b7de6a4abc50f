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

/** The new syntax, {@code [ Name = expr; ... ]}. Made by the service loader. */
public final class NewForm implements WrittenForm {

    @Override
    public Syntax syntax() {
        return Syntax.NEW;
    }

    @Override
    public Expr expression(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return FormReader.expression(text, reading);
    }

    @Override
    public ClassAd read(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return new RecordReader(text, reading).one();
    }

    @Override
    public List<ClassAd> readAll(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return new RecordReader(text, reading).all();
    }

    @Override
    public String write(ClassAd ad) {
        return Printer.NEW.print(ad);
    }
}
