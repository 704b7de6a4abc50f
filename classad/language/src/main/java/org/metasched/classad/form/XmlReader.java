package org.metasched.classad.form;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.ListExpr;
import org.metasched.classad.Literal;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.RecordExpr;
import org.metasched.classad.Value;
import org.metasched.classad.grammar.FormReader;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Escapes;
import org.metasched.classad.text.Name;
import org.metasched.classad.text.Numbers;

/**
 * A reader of ads written in XML, for the few elements that HTCondor writes. It is no general XML parser for safety's sake: document
 * types are skipped or refused, and no entities but the five of XML are replaced, so that a text cannot make it read files or URLs.
 */
final class XmlReader extends FormReader {

    private static final String CDATA = "<![CDATA[";
    private static final String TOO_DEEP = "the elements are nested too deeply";

    /** An attribute of a tag: its name, a quote, and the text up to the next such quote that no backslash escapes. */
    private static final Pattern ATTRIBUTE =
            Pattern.compile("(?s)\\G\\s*+([^\\s=]++)\\s*+=\\s*+(?:([\"'])((?:\\\\.|(?!\\2)[^\\\\])*+)\\2)?+");

    /** The text as a byte string. */
    private final String octets;

    /** The name of the last tag, in lower case. */
    private String tag = "";

    /** Whether the last tag is a closing one, {@code </c>}. */
    private boolean closing;

    /** Whether the last tag is an element without content, {@code <c/>}. */
    private boolean empty;

    /** The text of the last tag behind its name. */
    private String attributes = "";

    XmlReader(byte[] text, ReadOptions reading) {
        super(text, reading);
        octets = Bytes.string(text, 0, text.length);
    }

    @Override
    public ClassAd readOne() throws ClassAdSyntaxException {
        List<ClassAd> ads = readAll();
        if (ads.size() != 1) {
            throw wrong("expected one <c> element, found %d".formatted(ads.size()));
        }
        return ads.get(0);
    }

    @Override
    public List<ClassAd> readAll() throws ClassAdSyntaxException {
        var ads = new ArrayList<ClassAd>();
        while (nextTag()) {
            if (tag.equals("c") && !closing) {
                ads.add(ad());
            } else if (!tag.equals("classads")) {
                throw wrong("expected a <c> element, found <%s>".formatted(tag));
            }
        }
        return ads;
    }

    /** Reads the next tag, skipping white space, comments, and declarations; false at the end. */
    private boolean nextTag() throws ClassAdSyntaxException {
        while (true) {
            at = Bytes.afterSpace(text, at, text.length);
            if (at >= text.length) {
                return false;
            }
            if (text[at] != '<') {
                throw wrong("expected a tag");
            }
            int next = at + 1 < text.length ? text[at + 1] : 0;
            if (next != '?' && next != '!') {
                readTag();
                return true;
            }
            skipDeclaration();
        }
    }

    /** Skips a declaration, a comment or a processing instruction. */
    private void skipDeclaration() throws ClassAdSyntaxException {
        if (octets.startsWith(CDATA, at)) {
            throw wrong("a CDATA section must stand in the text of a value");
        }
        String end = octets.startsWith("<!--", at) ? "-->" : ">";
        int i = octets.indexOf(end, at);
        if (i < 0) {
            throw wrong("the declaration or comment has no end");
        }
        if (octets.startsWith("<!DOCTYPE", at) && octets.substring(at, i).contains("[")) {
            throw wrong("the DTD must hold no declarations in [...], as none are read");
        }
        at = i + end.length();
    }

    /** Reads the tag at the current offset into the fields. */
    private void readTag() throws ClassAdSyntaxException {
        int start = at;
        int i = at + 1;
        int quote = 0;
        while (i < text.length && (text[i] != '>' || quote != 0)) {
            if (quote == 0 && (text[i] == '"' || text[i] == '\'')) {
                quote = text[i];
            } else if (text[i] == quote) {
                quote = 0;
            } else if (quote != 0 && text[i] == '\\') {
                i++;
            }
            i++;
        }
        if (i >= text.length) {
            throw wrong("the tag has no end");
        }
        String inside = Bytes.string(text, start + 1, i);
        closing = inside.startsWith("/");
        empty = inside.endsWith("/");
        inside =
                inside.substring(closing ? 1 : 0, empty && inside.length() > 1 ? inside.length() - 1 : inside.length());
        int space = 0;
        while (space < inside.length() && !Bytes.isSpace(inside.charAt(space))) {
            space++;
        }
        tag = Bytes.lower(inside.substring(0, space));
        attributes = inside.substring(space);
        at = i + 1;
    }

    /** The value of an attribute of the last tag; empty if the tag has none of this name. */
    private String attribute(String name) throws ClassAdSyntaxException {
        var pair = ATTRIBUTE.matcher(attributes);
        while (pair.find()) {
            if (pair.group(1).equals(name)) {
                if (pair.group(3) == null) {
                    throw wrong("the attribute %s of <%s> must be in quotes".formatted(name, tag));
                }
                return decoded(unescaped(pair.group(3)));
            }
        }
        return "";
    }

    /** Reads the next tag, or throws at the end of the text. */
    private void expectTag() throws ClassAdSyntaxException {
        if (!nextTag()) {
            throw wrong("the document ends too early");
        }
    }

    /** The ad whose opening tag is the last one; its closing tag is read. */
    private ClassAd ad() throws ClassAdSyntaxException {
        var ad = new ClassAd.Builder();
        if (empty) {
            return ad.build();
        }
        descend(TOO_DEEP);
        expectTag();
        while (!closing) {
            if (!tag.equals("a")) {
                throw wrong("expected <a n=\"name\"> or </c>, found <%s>".formatted(tag));
            }
            Name name = Name.of(attribute("n"));
            if (name.length() == 0) {
                throw wrong("the element <a> needs the attribute n");
            }
            expectTag();
            if (!ad.put(name, value())) {
                throw wrong(tooManyAttributes());
            }
            close("a");
            expectTag();
        }
        if (!tag.equals("c")) {
            throw wrong("expected </c>, found </%s>".formatted(tag));
        }
        level--;
        return ad.build();
    }

    /** Reads the next tag, which must close an element of this name. */
    private void close(String name) throws ClassAdSyntaxException {
        expectTag();
        if (!closing || !tag.equals(name)) {
            throw wrong("expected </%s>, found <%s>".formatted(name, tag));
        }
    }

    /** The value that the last tag begins; its closing tag is read. */
    private Expr value() throws ClassAdSyntaxException {
        String kind = tag;
        return switch (kind) {
            case "c" -> new RecordExpr(ad());
            case "l" -> list();
            // Anything but t, or nothing at all, is false in the reference.
            case "b" -> closed(Literal.of(Bytes.lower(attribute("v")).equals("t")));
            case "un" -> closed(Literal.of(Value.UNDEFINED));
            case "er" -> closed(Literal.of(Value.ERROR));
            case "i", "r", "s", "e", "at", "rt" -> {
                String content = empty ? "" : content();
                closeUnlessEmpty(kind);
                yield fromText(kind, content);
            }
            default ->
                throw wrong(
                        "no value is written as <%s>; expected one of <i> <r> <s> <b> <un> <er> <at> <rt> <e> <l> <c>"
                                .formatted(kind));
        };
    }

    /** Reads the closing tag of a value that has no content, and returns the value. */
    private Literal closed(Literal value) throws ClassAdSyntaxException {
        closeUnlessEmpty(tag);
        return value;
    }

    private void closeUnlessEmpty(String name) throws ClassAdSyntaxException {
        if (!empty) {
            close(name);
        }
    }

    /** The list whose opening tag is the last one; its closing tag is read. */
    private Expr list() throws ClassAdSyntaxException {
        var elements = new ArrayList<Expr>();
        if (!empty) {
            descend(TOO_DEEP);
            expectTag();
            while (!closing) {
                elements.add(value());
                expectTag();
            }
            if (!tag.equals("l")) {
                throw wrong("expected </l>, found </%s>".formatted(tag));
            }
            level--;
        }
        return new ListExpr(elements);
    }

    /** The text up to the next tag, its entities replaced except in CDATA sections. */
    private String content() throws ClassAdSyntaxException {
        var out = new StringBuilder();
        while (at < text.length) {
            if (octets.startsWith(CDATA, at)) {
                int end = octets.indexOf("]]>", at);
                if (end < 0) {
                    throw wrong("the CDATA section has no end");
                }
                out.append(octets, at + CDATA.length(), end);
                at = end + 3;
            } else if (text[at] == '<') {
                break;
            } else {
                int end = octets.indexOf('<', at);
                end = end < 0 ? text.length : end;
                out.append(unescaped(octets.substring(at, end)));
                at = end;
            }
        }
        return out.toString();
    }

    /** The text with the five entities of XML replaced; others remain. */
    private static String unescaped(String octets) {
        return octets.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
    }

    /** The text with its backslash escapes replaced. */
    private String decoded(String octets) throws ClassAdSyntaxException {
        var decoded = new StringBuilder();
        byte[] bytes = Bytes.bytes(octets);
        if (!Escapes.decode(bytes, 0, bytes.length, decoded)) {
            throw wrong("the string holds a NUL character");
        }
        return decoded.toString();
    }

    /** The value of an element that has text as its content; {@code kind} is the name of the element. */
    private Expr fromText(String kind, String content) throws ClassAdSyntaxException {
        switch (kind) {
            case "s" -> {
                return Literal.of(new Value.Text(decoded(content)));
            }
            case "i", "r" -> {
                if (content.isBlank()) {
                    throw wrong("the element <%s> needs a number".formatted(kind));
                }
                return kind.equals("i") ? integer(content) : real(content);
            }
            case "at", "rt" -> {
                Literal time = time(kind.equals("at"), content);
                if (time.value() == Value.ERROR) {
                    throw wrong("the time (%s) cannot be read".formatted(content));
                }
                return time;
            }
            default -> {
                try {
                    // As in the reference, text after a complete expression is ignored here.
                    return embeddedLeading(Bytes.bytes(content));
                } catch (ClassAdSyntaxException e) {
                    throw wrong("the expression in <e> cannot be read: " + e.reason());
                }
            }
        }
    }

    /** The real that a text begins with; ERROR if it begins with none. */
    private static Expr real(String content) {
        Double number = Numbers.prefix(content);
        return number == null ? Literal.of(Value.ERROR) : Literal.of((double) number);
    }

    /** The integer that a text begins with; ERROR if it begins with none, has a plus sign, or does not fit 64 bits. */
    private static Expr integer(String content) {
        String digits = content.strip();
        int end = digits.startsWith("-") ? 1 : 0;
        while (end < digits.length() && Bytes.isDigit(digits.charAt(end))) {
            end++;
        }
        try {
            return integer(Long.parseLong(digits, 0, end, 10));
        } catch (NumberFormatException none) {
            return Literal.of(Value.ERROR);
        }
    }
}
