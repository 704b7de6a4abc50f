package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.Test;
import org.metasched.client.xml.ObjectPool;
import org.metasched.client.xml.XmlTrees;

/** Over the words of the real schema processor, not over remembered ones. */
class SchemaWordsTest {

    @Test
    void aValueOutsideItsBoundsIsToldThem() {
        String facets =
                "<xs:restriction base='xs:double'><xs:minInclusive value='1'/><xs:maxInclusive value='10000000'/>";

        assertThat(complaint(facets, "0")).contains("the value (0) must be at least 1.");
        assertThat(complaint(facets, "1e300")).contains("the value (1e300) must be at most 10000000.");
        assertThat(complaint(facets, "many")).contains("the value (many) must be of the type double.");
        assertThat(complaint("<xs:restriction base='xs:int'><xs:maxExclusive value='5'/>", "5"))
                .contains("the value (5) must be less than 5.");
        assertThat(complaint("<xs:restriction base='xs:double'><xs:minExclusive value='0'/>", "0"))
                .contains("the value (0) must be greater than 0.");
    }

    @Test
    void aNameThatIsNotThereIsComparedWithThoseThatAre() {
        String sites = "<xs:restriction base='xs:string'><xs:enumeration value='fzj'/><xs:enumeration value='scai'/>";

        assertThat(complaint(sites, "fjz"))
                .contains("the value (fjz) must be one of [fzj, scai].\nMaybe 'fzj' was meant.");
        assertThat(complaint(sites, "moon\nbase"))
                .singleElement()
                .isEqualTo("the value (moon\\u000abase) must be one of [fzj, scai].");
    }

    @Test
    void aLongListIsCutShort() {
        String many = "<xs:restriction base='xs:string'>"
                + IntStream.range(0, 1000)
                        .mapToObj(i -> "<xs:enumeration value='site-" + i + "'/>")
                        .collect(Collectors.joining());

        assertThat(complaint(many, "x"))
                .singleElement()
                .asString()
                .contains("site-19] or 980 others.")
                .hasSizeLessThan(300);
    }

    @Test
    void aTimeWithoutAZoneIsToldWhatIsMissing() {
        String zoned = "<xs:restriction base='xs:dateTime'><xs:pattern value='.*Z'/>";

        assertThat(complaint(zoned, "2026-12-01T10:00:00"))
                .anyMatch(c -> c.contains("must match .*Z.")
                        && c.contains("Maybe its time zone is missing; 2026-12-01T10:00:00Z is UTC."));
    }

    @Test
    void whatIsNotKnownKeepsItsWords() {
        assertThat(SchemaWords.of("cvc-complex-type.2.4.a: Invalid content was found."))
                .isEqualTo("Invalid content was found.");
        assertThat(SchemaWords.of("something else")).isEqualTo("something else");
    }

    private static List<String> complaint(String restriction, String value) {
        var schema = OfferSchema.compile(new StreamSource(new StringReader(
                "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='v'><xs:simpleType>"
                        + restriction + "</xs:restriction></xs:simpleType></xs:element></xs:schema>")));
        var document = XmlTrees.newDocument();
        document.appendChild(document.createElement("v")).setTextContent(value);
        return OfferSchema.complaints(new ObjectPool<>(schema::newValidator), document).stream()
                .filter(c -> !c.contains("of element 'v'"))
                .toList();
    }
}
