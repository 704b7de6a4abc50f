package org.metasched.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class SvgWriterTest {

    private static final String HOSTILE = "<script>alert('x')</script>\" onload=\"a()&\u202E\u0007";
    private static final String SHOWN = "<script>alert('x')</script>\" onload=\"a()&\uFFFD\uFFFD";

    @Test
    void hostileTextsStayTextsInElementsAttributesAndTitles() throws Exception {
        var svg = new SvgWriter("aria-label", HOSTILE)
                .title(HOSTILE)
                .titled(HOSTILE, 0, 0, 1, 1, "class", HOSTILE)
                .text(0, 0, HOSTILE, "class", HOSTILE)
                .open("a", "href", HOSTILE)
                .end();

        var root = parsed(svg).getDocumentElement();

        assertThat(root.getElementsByTagName("script").getLength()).isZero();
        assertThat(root.getAttribute("aria-label")).isEqualTo(SHOWN);
        assertThat(root.hasAttribute("onload")).isFalse();
        assertThat(child(root, "title").getTextContent()).isEqualTo(SHOWN);
        assertThat(child(root, "rect").getTextContent()).isEqualTo(SHOWN);
        assertThat(child(root, "rect").getAttribute("class")).isEqualTo(SHOWN);
        assertThat(child(root, "text").getTextContent()).isEqualTo(SHOWN);
        assertThat(child(root, "a").getAttribute("href")).isEqualTo(SHOWN);
    }

    @Test
    void numbersHaveAtMostOneDecimal() throws Exception {
        var svg = SvgWriter.sheet(100, 50, "numbers")
                .line(1, 2.25, -0.34, 1e6 / 3)
                .polyline(new double[] {0, 1.06, 2, -3.96}, "stroke", "#000")
                .end();

        var line = child(parsed(svg).getDocumentElement(), "line");

        assertThat(line.getAttribute("x1")).isEqualTo("1");
        assertThat(line.getAttribute("y1")).isEqualTo("2.3");
        assertThat(line.getAttribute("x2")).isEqualTo("-0.3");
        assertThat(line.getAttribute("y2")).isEqualTo("333333.3");
        assertThat(child(parsed(svg).getDocumentElement(), "polyline").getAttribute("points"))
                .isEqualTo("0,1.1 2,-4");
    }

    @Test
    void aScaleOfOneValueHasAPlaceForIt() {
        assertThat(new AxisScale(0, 10, 100, 200).at(2.5)).isEqualTo(125);
        assertThat(new AxisScale(0, 10, 200, 100).at(2.5)).isEqualTo(175);
        assertThat(new AxisScale(7, 7, 100, 200).at(7)).isEqualTo(100);
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static Element child(Element root, String name) {
        return (Element) root.getElementsByTagName(name).item(0);
    }
}
