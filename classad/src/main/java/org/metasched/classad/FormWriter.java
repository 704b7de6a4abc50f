package org.metasched.classad;

import java.util.function.BiConsumer;
import org.metasched.classad.text.Name;

/** The base of the writers of written forms. For them, not for users of the language. Texts are byte strings here. */
public abstract class FormWriter {

    protected FormWriter() {}

    /** Visits each attribute, shorter names first, then alphabetically, as the reference prints them. */
    protected static void forEach(ClassAd ad, BiConsumer<Name, Expr> visitor) {
        for (int index : ad.shape().libraryOrder()) {
            visitor.accept(ad.shape().name(index), ad.slot(index));
        }
    }

    /** The ad in the new syntax. */
    protected static String inNewSyntax(ClassAd ad) {
        return Printer.NEW.print(ad);
    }

    /** The expression in the new syntax, to be read back as it is. */
    protected static String inNewSyntax(Expr expr) {
        return Printer.NEW.print(expr);
    }

    /** The expression in the old syntax, to be read back as it is. */
    protected static String inOldSyntax(Expr expr) {
        return Printer.OLD.print(expr);
    }

    /** Appends a name, in quotes if it would not be read as a name without. */
    protected static void appendName(Name name, StringBuilder out) {
        Printer.append(name, out);
    }
}
