package org.metasched.classad.form;

import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.FormWriter;
import org.metasched.classad.Reading;
import org.metasched.classad.Syntax;
import org.metasched.classad.WrittenForm;

/** The new syntax, {@code [ Name = expr; ... ]}. Made by the service loader. */
public final class NewForm extends FormWriter implements WrittenForm {

    @Override
    public Syntax syntax() {
        return Syntax.NEW;
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
        return inNewSyntax(ad);
    }
}
