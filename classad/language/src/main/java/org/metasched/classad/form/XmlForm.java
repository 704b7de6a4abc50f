package org.metasched.classad.form;

import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Reading;
import org.metasched.classad.Syntax;
import org.metasched.classad.WrittenForm;
import org.metasched.classad.grammar.FormReader;

/** Ads as {@code <c>} elements. Made by the service loader. */
public final class XmlForm implements WrittenForm {

    @Override
    public Syntax syntax() {
        return Syntax.XML;
    }

    @Override
    public Expr expression(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return FormReader.expression(text, reading);
    }

    @Override
    public ClassAd read(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return new XmlReader(text, reading).one();
    }

    @Override
    public List<ClassAd> readAll(byte[] text, Reading reading) throws ClassAdSyntaxException {
        return new XmlReader(text, reading).all();
    }

    @Override
    public String write(ClassAd ad) {
        return new XmlWriter().write(ad);
    }
}
