package org.metasched.classad.form;

import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.FormWriter;
import org.metasched.classad.Reading;
import org.metasched.classad.Syntax;
import org.metasched.classad.WrittenForm;

/** The long form, a line for each attribute. Made by the service loader. */
public final class LongForm extends FormWriter implements WrittenForm {

    @Override
    public Syntax syntax() {
        return Syntax.OLD;
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
        forEach(ad, (name, expr) -> {
            appendName(name, out);
            out.append(" = ").append(inOldSyntax(expr)).append('\n');
        });
        return out.toString();
    }
}
