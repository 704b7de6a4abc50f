package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.soap.CreationConstraints.Violation;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

class TermTreeTest {

    @Test
    void ofOneOrMoreTheMostAreTriedFirst() {
        assertThat(ways("<OneOrMore><a/><b/><c/></OneOrMore><d/>"))
                .containsExactly("abcd", "abd", "acd", "bcd", "ad", "bd", "cd");
    }

    @Test
    void ofManyTermsAllOrOneIsTried() {
        String many = IntStream.range(0, 7).mapToObj(i -> "<t" + i + "/>").collect(Collectors.joining());

        assertThat(ways("<OneOrMore>" + many + "</OneOrMore>"))
                .hasSize(8)
                .startsWith("t0t1t2t3t4t5t6")
                .endsWith("t6");
    }

    @Test
    void choicesAreMultipliedAndBounded() {
        assertThat(ways("<ExactlyOne><a/><All><b/><c/></All></ExactlyOne><OneOrMore><d/><e/></OneOrMore>"))
                .containsExactly("ade", "ad", "ae", "bcde", "bcd", "bce");
        String six = "<OneOrMore><a/><b/><c/><d/><e/><f/></OneOrMore>";
        assertThat(ways(six)).hasSize(63);
        assertThatThrownBy(() -> ways(six + "<ExactlyOne><g/><h/></ExactlyOne>"))
                .isInstanceOf(InvalidOfferException.class)
                .hasMessageContaining("at most 64");
    }

    @Test
    void aTermThatViolatesAConstraintIsInNoAlternative() {
        var document = XmlTrees.parse(
                "terms",
                "<Terms xmlns='" + XmlNames.WSAG + "'><All><ExactlyOne><a><x/></a><b/></ExactlyOne></All></Terms>");
        var terms = document.getDocumentElement();
        var choice = XmlTrees.descendants(terms, XmlNames.WSAG, "ExactlyOne")
                .findFirst()
                .orElseThrow();

        for (String wrong : List.of("a", "x")) {
            assertThat(TermTree.allowed(terms, violationAt(terms, wrong)))
                    .singleElement()
                    .satisfies(way -> assertThat(way.get(0).getLocalName()).isEqualTo("b"));
        }
        assertThat(TermTree.allowed(terms, violationAt(terms, choice.getLocalName())))
                .isEmpty();
    }

    private static List<Violation> violationAt(Element terms, String name) {
        Node node = XmlTrees.descendants(terms, XmlNames.WSAG, name).findFirst().orElseThrow();
        return List.of(new Violation("item", "is not allowed", Optional.of(node)));
    }

    private static List<String> ways(String terms) {
        var document = XmlTrees.parse("terms", "<Terms xmlns='" + XmlNames.WSAG + "'><All>" + terms + "</All></Terms>");
        return TermTree.alternatives(document.getDocumentElement()).stream()
                .map(way -> way.stream().map(e -> e.getLocalName()).collect(Collectors.joining()))
                .toList();
    }
}
