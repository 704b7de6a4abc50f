package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.xml.xpath.XPathConstants;
import org.junit.jupiter.api.Test;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LocationPathTest {

    /** Each as often as none. */
    private static final List<String> PREDICATES = List.of(
            "",
            "",
            "",
            "",
            "",
            "[.//p:a]",
            "[not(.//p:b)]",
            "[self::p:b]",
            "[count(.//p:b) = 1 and contains(' y x z ', concat(' ', normalize-space(.//p:b), ' '))]",
            "[count(.//p:a) = 0 and contains(' y ', concat(' ', normalize-space(.//p:a), ' '))]",
            "[2]",
            "[last()]",
            "[.//q:a]",
            "[count(.//p:a) = 1 and contains(' xx ', concat(' ', normalize-space(.//p:b), ' '))]");

    private final Random random = new Random(15);

    @Test
    void findsTheNodesThatAnXPathProcessorFinds() throws Exception {
        int found = 0;
        for (int run = 0; run < 1000; run++) {
            var offer = XmlTrees.newDocument();
            grow((Element) offer.appendChild(offer.createElementNS("urn:n", "a")), 4);
            var path = path(run % 5 == 0 ? "urn:other" : "urn:n");
            var expected = (NodeList) path.compiled().evaluate(offer.getDocumentElement(), XPathConstants.NODESET);
            assertThat(path.select(offer))
                    .as("%s in %s", path, XmlTrees.print(offer))
                    .containsExactlyElementsOf(IntStream.range(0, expected.getLength())
                            .mapToObj(expected::item)
                            .toList());
            found += expected.getLength();
        }
        assertThat(found).isGreaterThan(500);
    }

    private void grow(Element parent, int depth) {
        for (int i = random.nextInt(depth + 1); i > 0; i--) {
            var name = random.nextBoolean() ? "a" : "b";
            var document = parent.getOwnerDocument();
            parent.appendChild(document.createTextNode(random.nextBoolean() ? "x" : " \t\n"));
            grow((Element) parent.appendChild(document.createElementNS("urn:n", "q:" + name)), depth - 1);
        }
    }

    private LocationPath path(String namespace) {
        var text = new StringBuilder("declare namespace p='urn:n'; declare namespace q='" + namespace + "'; $this");
        for (int steps = 1 + random.nextInt(4); steps > 0; steps--) {
            text.append(random.nextBoolean() ? "//" : "/").append(random.nextInt(9) == 0 ? "q:" : "p:");
            text.append(random.nextBoolean() ? "a" : "b").append(PREDICATES.get(random.nextInt(PREDICATES.size())));
        }
        text.append(random.nextInt(4) == 0 ? "/*[self::p:a or self::p:b]" : "");
        Document document = XmlTrees.newDocument();
        var location = document.createElementNS("urn:n", "Location");
        document.appendChild(location).setTextContent(text.toString());
        return LocationPath.of(location);
    }
}
