package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads ads in their written forms. */
final class AdReader {

    private AdReader() {}

    static ClassAd read(String text, Reading reading) throws ClassAdSyntaxException {
        byte[] bytes = Parser.checked(text, reading);
        return switch (reading.syntax()) {
            case NEW -> readNew(bytes, reading);
            case OLD -> new LongFormReader(bytes, reading).one();
            case JSON -> new JsonReader(bytes, reading).one();
            case XML -> new XmlReader(bytes, reading).one();
        };
    }

    static List<ClassAd> readAll(String text, Reading reading) throws ClassAdSyntaxException {
        byte[] bytes = Parser.checked(text, reading);
        return switch (reading.syntax()) {
            case NEW -> readAllNew(bytes, reading);
            case OLD -> new LongFormReader(bytes, reading).all();
            case JSON -> new JsonReader(bytes, reading).all();
            case XML -> new XmlReader(bytes, reading).all();
        };
    }

    private static ClassAd readNew(byte[] text, Reading reading) throws ClassAdSyntaxException {
        var fast = new RecordReader(text, reading);
        ClassAd ad = fast.read();
        if (ad != null && fast.atEnd()) {
            return ad;
        }
        var parser = new Parser(text, 0, text.length, reading);
        ClassAd parsed = parser.record();
        if (parser.token() != Token.END) {
            throw parser.expected("the end");
        }
        return parsed;
    }

    private static List<ClassAd> readAllNew(byte[] text, Reading reading) throws ClassAdSyntaxException {
        var parser = new Parser(text, 0, text.length, reading);
        boolean list = parser.token() == Token.OPEN_BRACE;
        if (list) {
            parser.moveTo(parser.tokenStart() + 1);
        }
        var ads = new ArrayList<ClassAd>();
        var fast = new RecordReader(text, reading);
        while (parser.token() == Token.OPEN_BRACKET) {
            @Nullable ClassAd ad = fast.readAt(parser.tokenStart());
            if (ad == null) {
                ads.add(parser.record());
            } else {
                ads.add(ad);
                parser.moveTo(fast.position());
            }
            if (parser.token() == Token.COMMA) {
                parser.moveTo(parser.tokenStart() + 1);
            }
        }
        if (list) {
            if (parser.token() != Token.CLOSE_BRACE) {
                throw parser.expected("'[' or '}'");
            }
            parser.moveTo(parser.tokenStart() + 1);
        }
        if (parser.token() != Token.END) {
            throw parser.expected("'['");
        }
        return ads;
    }
}
