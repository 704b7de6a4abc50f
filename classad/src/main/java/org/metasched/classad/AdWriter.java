package org.metasched.classad;

/** Writes ads in their four forms. */
final class AdWriter {

    private AdWriter() {}

    static String write(ClassAd ad, Syntax syntax) {
        return Bytes.decode(
                switch (syntax) {
                    case NEW -> Printer.NEW.print(ad);
                    case OLD -> longForm(ad);
                    case JSON -> new JsonWriter().write(ad);
                    case XML -> new XmlWriter().write(ad);
                });
    }

    /** A line for each attribute; an empty line for an ad without any, which keeps ads in a file apart. */
    private static String longForm(ClassAd ad) {
        if (ad.isEmpty()) {
            return "\n";
        }
        var out = new StringBuilder();
        for (int index : ad.shape().libraryOrder()) {
            Printer.append(ad.shape().name(index), out);
            out.append(" = ").append(Printer.OLD.print(ad.slot(index))).append('\n');
        }
        return out.toString();
    }
}
