package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The four written forms of an ad, read and written. */
class WrittenFormsTest {

    private static final String NEW =
            "[ e = error; i = -3; l = { 1,\"two\",{ true } }; n = [ x = 1 ]; r = 2.500000000000000E+00; s = \"a\\n\\\"b\\\"\";"
                    + " u = undefined; x = i + MY.r =!= undefined ]";

    @Test
    void writesTheLongForm() throws Exception {
        assertThat(ClassAd.parse(NEW).print(Syntax.OLD))
                .isEqualTo(
                        "e = error\ni = -3\nl = { 1,\"two\",{ true } }\nn = [ x = 1 ]\nr = 2.5\ns = \"a\n\\\"b\\\"\"\nu = undefined\n"
                                + "x = i + MY.r =!= undefined\n");
    }

    @Test
    void writesAndReadsJson() throws Exception {
        var ad = ClassAd.parse(NEW);
        String json = ad.print(Syntax.JSON);

        assertThat(json)
                .isEqualTo(
                        "{\"e\": \"\\/Expr(error)\\/\",\"i\": -3,\"l\": [1,\"two\",[true]],\"n\": {\"x\": 1},\"r\": 2.5,"
                                + "\"s\": \"a\\n\\\"b\\\"\",\"u\": null,\"x\": \"\\/Expr(i + MY.r isnt undefined)\\/\"}");
        assertThat(ClassAd.parse(json, ReadOptions.NEW.with(Syntax.JSON))).isEqualTo(ad);
    }

    @Test
    void writesBytesThatAreNotUtf8AsAnExpressionInJson() throws Exception {
        var ad = ClassAd.parse("[ a = \"\\377\"; b = { \"x\\303\" }; c = \"\\303\\244\" ]");
        String json = ad.print(Syntax.JSON);

        assertThat(json)
                .isEqualTo(
                        "{\"a\": \"\\/Expr(\\\"\\\\377\\\")\\/\",\"b\": [\"\\/Expr(\\\"x\\\\303\\\")\\/\"],\"c\": \"ä\"}");
        assertThat(ClassAd.parse(json, ReadOptions.NEW.with(Syntax.JSON))).isEqualTo(ad);
    }

    @Test
    void writesAndReadsXml() throws Exception {
        var ad = ClassAd.parse(
                "[ a = 1 < 2 && b; s = \"<&>\\303\"; t = true; l = { 1 }; n = [ z = 0.0 ]; at = absTime(\"2020-01-01T00:00:00Z\") ]");
        String xml = ad.print(Syntax.XML);

        assertThat(xml)
                .isEqualTo("<c><a n=\"a\"><e>1 &lt; 2 &amp;&amp; b</e></a><a n=\"l\"><l><i>1</i></l></a>"
                        + "<a n=\"n\"><c><a n=\"z\"><r>0.0</r></a></c></a><a n=\"s\"><s>&lt;&amp;&gt;\\303</s></a>"
                        + "<a n=\"t\"><b v=\"t\"/></a><a n=\"at\"><at>2020-01-01T00:00:00-00:00</at></a></c>");
        assertThat(ClassAd.parse(xml, ReadOptions.NEW.with(Syntax.XML))).isEqualTo(ad);
        String document = "<?xml version=\"1.0\"?>\n<!DOCTYPE classads SYSTEM \"classads.dtd\">\n<classads>\n" + xml
                + "\n" + xml + "</classads>";
        assertThat(ClassAd.parseAll(document, ReadOptions.NEW.with(Syntax.XML))).containsExactly(ad, ad);
    }

    @Test
    void writesAndReadsXmlNamesWithQuotes() throws Exception {
        var ad = ClassAd.of(List.of("a\"b", "c'<d>"), List.of(Literal.of(1), Literal.of("\"'")));
        String xml = ad.print(Syntax.XML);

        assertThat(xml).isEqualTo("<c><a n=\"a&quot;b\"><i>1</i></a><a n=\"c'&lt;d&gt;\"><s>\"'</s></a></c>");
        assertThat(ClassAd.parse(xml, ReadOptions.NEW.with(Syntax.XML))).isEqualTo(ad);
    }

    @Test
    void writesSpansInXmlWithAllTheirDigits() throws Exception {
        ClassAd ad = ClassAd.fromMap(Map.of("t", new Value.RelTime(1.2345678)));

        assertThat(ClassAd.parse(
                        ad.print(Syntax.XML), ReadOptions.NEW.with(Syntax.XML).with(Dialect.PAPER)))
                .isEqualTo(ad);
    }

    @Test
    void followsNoEntitiesInXml() {
        String bomb = "<!DOCTYPE c [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><c><a n=\"s\"><s>&x;</s></a></c>";

        assertThatThrownBy(() -> ClassAd.parse(bomb, ReadOptions.NEW.with(Syntax.XML)))
                .isInstanceOf(ClassAdSyntaxException.class);
    }

    @Test
    void quotesNamesInTheLongFormAsItReadsThem() throws Exception {
        var expr = Expr.parse("x.'Gr\\303\\266\\303\\237e' + 'a\\\\b' + [ 'it\\'s' = \"\\\"'\" ].y");
        String text = ClassAd.of(List.of("A"), List.of(expr)).print(Syntax.OLD);

        assertThat(text).isEqualTo("A = x.'Größe' + 'a\\b' + [ 'it\\'s' = \"\\\"'\" ].y\n");
        assertThat(ClassAd.parseOld(text).lookup("A")).contains(expr);
    }

    @Test
    void readsTheLongFormLineByLine() throws Exception {
        var ad = ClassAd.parseOld(
                "# site\nPath = \"C:\\dir\\\"\n\nQuote=\"say \\\"hi\\\"\"\nA-B = 1 2\n  R = b =?= c  \r\n");

        assertThat(ad.print())
                .isEqualTo("[ R = b is c; 'A-B' = 1; Path = \"C:\\\\dir\\\\\"; Quote = \"say \\\"hi\\\"\" ]");
        assertThatThrownBy(() -> ClassAd.parseOld("A = 1\nB 2"))
                .isInstanceOfSatisfying(
                        ClassAdSyntaxException.class, e -> assertThat(e.line()).isEqualTo(2));
    }

    @Test
    void separatesAdsOfAFile() throws Exception {
        assertThat(ClassAd.parseAll("[a = 1]\n[a = 2], // and\n[a = 3]", ReadOptions.NEW))
                .hasSize(3);
        assertThat(ClassAd.parseAll("{ [a = 1], [a = 2] }", ReadOptions.NEW)).hasSize(2);
        assertThat(ClassAd.parseAll("A = 1\nB = 2\n\n\nA = 3\n", ReadOptions.OLD))
                .hasSize(2);
        assertThat(ClassAd.parseAll("[{\"a\":1},{\"a\":2}]", ReadOptions.NEW.with(Syntax.JSON)))
                .hasSize(2);
        assertThatThrownBy(() -> ClassAd.parseAll("[a = 1] junk", ReadOptions.NEW))
                .isInstanceOf(ClassAdSyntaxException.class);
    }

    @Test
    void toleratesTheCommasInJsonThatTheReferenceTolerates() throws Exception {
        var json = ReadOptions.NEW.with(Syntax.JSON);

        assertThat(ClassAd.parse("{,\"a\":1,,\"b\":[1,2],}", json).print()).isEqualTo("[ a = 1; b = { 1,2 } ]");
        assertThatThrownBy(() -> ClassAd.parse("{\"a\":[1,]}", json)).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> ClassAd.parse("{,}", json)).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> ClassAd.parse("{\"\":1}", json)).isInstanceOf(ClassAdSyntaxException.class);
    }

    @Test
    void readsWhatBeginsANumberOrAnExpressionInXml() throws Exception {
        String xml = "<c><a n=\"i\"><i> 12x</i></a><a n=\"e\"><e>a b</e></a><a n=\"z\"><i>z</i></a></c>";

        assertThat(ClassAd.parse(xml, ReadOptions.NEW.with(Syntax.XML)).print())
                .isEqualTo("[ e = a; i = 12; z = error ]");
    }

    @Test
    void readsCommentsAndOddNumbersInJson() throws Exception {
        var json = ReadOptions.NEW.with(Syntax.JSON);

        assertThat(ClassAd.parse("{ \"a\": 1 /* one */, // two\n \"b\": -01, \"c\": [.5e1, -2.5E-1] }", json)
                        .print(Syntax.OLD))
                .isEqualTo("a = 1\nb = -1\nc = { 5.0,-0.25 }\n");
        for (String wrong : List.of("01", "+1", "-", "1.", "1e", "/x", "1 /* open", "0x1F", "undefined", "'x'")) {
            assertThatThrownBy(() -> ClassAd.parse("{\"a\":" + wrong + "}", json))
                    .as(wrong)
                    .isInstanceOf(ClassAdSyntaxException.class);
        }
        for (String cutOff : List.of("{\"a\":-", "{\"a\":-.", "{\"a\":1e", "{\"a\":1.")) {
            assertThatThrownBy(() -> ClassAd.parse(cutOff, json)).as(cutOff).isInstanceOf(ClassAdSyntaxException.class);
        }
    }

    @Test
    void decodesTheEscapesOfJsonIntoUtf8() throws Exception {
        var json = ReadOptions.NEW.with(Syntax.JSON);

        assertThat(ClassAd.parse("{\"a\":\"\\u0041\\u00e9\\u4e2d\\ud83d\\ude00\\/\\q\"}", json)
                        .evaluate("a"))
                .isEqualTo(Value.of("Aé中\ud83d\ude00/q"));
        for (String wrong : List.of("\\u0000", "\\ud83d\\u0000", "\\u12", "\\u00g0", "open")) {
            String text = "{\"a\":\"" + wrong + (wrong.equals("open") ? "}" : "\"}");
            assertThatThrownBy(() -> ClassAd.parse(text, json)).as(wrong).isInstanceOf(ClassAdSyntaxException.class);
        }
    }

    @Test
    void readsTheOddNumbersAndTextsOfXml() throws Exception {
        var xml = ReadOptions.NEW.with(Syntax.XML);
        String text = "<?xml version='1.0'?><!-- ads --><!DOCTYPE classads><classads><c>"
                + "<a n='i'><i>-9223372036854775808</i></a><a n='j'><i>9223372036854775808</i></a><a n='k'><i>+5</i></a>"
                + "<a n='b'><b v='T'></b></a><a n='f'><b/></a><a n='r'><r>-INF</r></a>"
                + "<a n='s'><s> a&amp;<![CDATA[<b> & c]]>\\n</s></a><a n='t'><s/></a></c></classads>";

        assertThat(ClassAd.parse(text, xml).print(Syntax.OLD))
                .isEqualTo("b = true\nf = false\ni = -9223372036854775808\nj = error\nk = error\n"
                        + "r = real(\"-INF\")\ns = \" a&<b> & c\n\"\nt = \"\"\n");
        for (String wrong :
                List.of("<i></i>", "<r/>", "<e></e>", "<s><![CDATA[x</s>", "<![CDATA[x]]>", "<q>1</q>", "1")) {
            assertThatThrownBy(() -> ClassAd.parse("<c><a n=\"a\">" + wrong + "</a></c>", xml))
                    .as(wrong)
                    .isInstanceOf(ClassAdSyntaxException.class);
        }
    }

    @Test
    void remembersNoTextWhoseTailWasIgnored() throws Exception {
        assertThat(Expr.parse("1 ? 2 : 3 junk").evaluate(Scope.NOWHERE)).isEqualTo(Value.of(2L));
        assertThatThrownBy(() -> ClassAd.parse("[ a = 1 ? 2 : 3 junk ]")).isInstanceOf(ClassAdSyntaxException.class);

        assertThat(ClassAd.parseOld("a = 4 junk").evaluate("a")).isEqualTo(Value.of(4L));
        assertThatThrownBy(() -> Expr.parse("4 junk", ReadOptions.OLD)).isInstanceOf(ClassAdSyntaxException.class);
    }

    @Test
    void writesTimesWithTheDigitsOfTheLanguageNotOfTheUser() throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("fa-IR"));
        try {
            String text = "[ a = absTime(\"2020-01-31T09:00:00+01:00\") ]";
            assertThat(ClassAd.parse(text).print()).isEqualTo(text);
            assertThat(ClassAd.parse("[ a = strcat(interval(93784), interval(3600), interval(61), interval(5)) ]")
                            .evaluate("a"))
                    .isEqualTo(Value.of("1+02:03:041:00:001:015"));
            assertThat(Expr.parse("'Mon Feb 28 14:22:22 2000 (CST) -06:00'", ReadOptions.NEW.with(Dialect.PAPER)))
                    .isEqualTo(Expr.parse("absTime(\"2000-02-28T14:22:22-06:00\")"));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void escapesNamesInXmlAsTheReferenceDoes() throws Exception {
        var xml = ReadOptions.NEW.with(Syntax.XML);
        var ad = ClassAd.of(List.of("Größe", "a\\b", "c\nd"), List.of(Literal.of(1), Literal.of(2), Literal.of(3)));
        String text = ad.print(Syntax.XML);

        assertThat(text)
                .isEqualTo("<c><a n=\"a\\\\b\"><i>2</i></a><a n=\"c\\nd\"><i>3</i></a>"
                        + "<a n=\"Gr\\303\\266\\303\\237e\"><i>1</i></a></c>");
        assertThat(ClassAd.parse(text, xml)).isEqualTo(ad);
        assertThat(ClassAd.parse("<c><a n=\"say \\\">\\\"\"><i>1</i></a></c>", xml)
                        .names())
                .containsExactly("say \">\"");
        assertThatThrownBy(() -> ClassAd.parse("<c><a n=\"a\\0\"><i>1</i></a></c>", xml))
                .hasMessageContaining("NUL");
    }

    @Test
    void findsTheAttributesOfATagAmongOthersAndBlanks() throws Exception {
        var xml = ReadOptions.NEW.with(Syntax.XML);

        assertThat(ClassAd.parse(
                                "<c><a version=\"1 n='x'\" n = \"Memory\"><b v\n= 't'/></a><a n='f'><b xv='t'/></a></c>",
                                xml)
                        .print())
                .isEqualTo("[ f = false; Memory = true ]");
        assertThat(ClassAd.parse("<c><a n='" + "\\\\".repeat(100_000) + "'><i>1</i></a></c>", xml)
                        .names())
                .containsExactly("\\".repeat(100_000));
        for (String wrong : List.of("a", "a m=\"x\"", "a n=\"\"", "a n=x", "a n=\"x", "a n")) {
            assertThatThrownBy(() -> ClassAd.parse("<c><" + wrong + "><i>1</i></a></c>", xml))
                    .as(wrong)
                    .isInstanceOf(ClassAdSyntaxException.class);
        }
    }

    @Test
    void refusesADocumentTypeWithDeclarationsOfItsOwn() {
        String text = "<!DOCTYPE classads [<!ELEMENT c (a)*>]>\n<classads><c></c></classads>";

        assertThatThrownBy(() -> ClassAd.parseAll(text, ReadOptions.NEW.with(Syntax.XML)))
                .hasMessageContaining("the DTD");
    }

    @Test
    void sharesTheExpressionsOfTextsThatComeAgain() throws Exception {
        ClassAd.parse("[ Requirements = TARGET.Memory >= Need && Arch == \"X\"; Need = 0 ]");
        var one = ClassAd.parse("[ Requirements = TARGET.Memory >= Need && Arch == \"X\"; Need = 1 ]");
        var two = ClassAd.parse("[ Requirements = TARGET.Memory >= Need && Arch == \"X\"; Need = 2 ]");

        assertThat(one.lookup("requirements").orElseThrow())
                .isSameAs(two.lookup("Requirements").orElseThrow());
        assertThat(one.shape()).isSameAs(two.shape());
    }
}
