package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;

/** Offers against templates: our rules, and the verdicts of WSAG4J where those are at hand. */
class CreationConstraintsTest {

    private static final Path VERDICTS =
            Path.of(System.getProperty("metasched.shared", "../../../shared"), "wsag/wsag4j-verdicts");

    /** Where we differ from WSAG4J on purpose. */
    private static final Map<String, String> ON_PURPOSE = Map.of(
            "T1/22-exact-epsilon", "JSDL allows an epsilon on Exact; a facet bounds the value, not its attributes",
            "T2/22-exact-epsilon", "JSDL allows an epsilon on Exact; a facet bounds the value, not its attributes");

    private static final OfferSchema SCHEMA = new OfferSchema();

    @Test
    void judgesOffersAsWsag4jDoes() throws Exception {
        assumeTrue(
                Files.isDirectory(VERDICTS), "the verdicts of WSAG4J are not beside this checkout (" + VERDICTS + ")");
        var different = new TreeMap<String, String>();
        int compared = 0;

        for (var line : Files.readAllLines(VERDICTS.resolve("verdicts.tsv"))) {
            var fields = line.split("\t", -1);
            if (fields.length < 3 || fields[0].equals("template")) {
                continue;
            }
            var problems = problems(template(fields[0]), offer(fields[1]));
            compared++;
            if (problems.isEmpty() != fields[2].equals("ACCEPT")) {
                different.put(fields[0] + "/" + fields[1], fields[2] + " by WSAG4J; ours: " + problems);
            }
        }

        assertThat(compared).isGreaterThan(40);
        assertThat(different.keySet()).as(different.toString()).isEqualTo(ON_PURPOSE.keySet());
    }

    @Test
    void compilesEveryTemplateThatWsag4jTook() throws Exception {
        assumeTrue(
                Files.isDirectory(VERDICTS), "the verdicts of WSAG4J are not beside this checkout (" + VERDICTS + ")");
        var offer = offer("01-exact16");

        // An empty constraint says presence only, where WSAG4J fails by a null pointer; attributes are checked as text.
        assertThat(problems(template("T10-empty-constraint-mult1"), offer)).isEmpty();
        assertThat(problems(template("T14-attribute-facet"), offer)).isEmpty();
        assertThat(problems(template("T12-no-items"), offer)).isEmpty();
        assertThat(problems(template("T5-duration-max30"), offer))
                .singleElement()
                .asString()
                .contains("item dur");
        assertThat(problems(template("T7-start-window"), offer)).isEmpty();
        assertThat(problems(template("T8-name-pattern"), offer)).isEmpty();
        assertThat(problems(template("T3-hostenum"), offer)).isEmpty();
    }

    @Test
    void readsAPlainPathWithThePrefixesInScope() throws Exception {
        var constraints = constraints(
                "<wsag:Item wsag:Name='n'><wsag:Location>/wsag:AgreementOffer//j:Exact</wsag:Location><wsag:ItemConstraint>"
                        + "<xs:maxInclusive value='1'/></wsag:ItemConstraint></wsag:Item>");

        assertThat(violations(constraints, golden()))
                .singleElement()
                .asString()
                .startsWith("item n: ")
                .contains("the value (2) must be at most 1.");
    }

    @Test
    void comparesByTheTypeOfTheValueAndNotByItsText() throws Exception {
        var constraints =
                constraints("<wsag:Item wsag:Name='n'><wsag:Location>//j:Exact</wsag:Location><wsag:ItemConstraint>"
                        + "<xs:enumeration value='2.0'/></wsag:ItemConstraint></wsag:Item>");

        assertThat(violations(constraints, golden())).isEmpty();
    }

    @Test
    void countsHowOftenALocationIsThere() throws Exception {
        var constraints =
                constraints("<wsag:Item wsag:Name='n'><wsag:Location>//j:Absent</wsag:Location><wsag:ItemConstraint/>"
                        + "<e:ConstraintAnnotation xmlns:e='" + XmlNames.WSAG4J_ENGINE
                        + "'><e:Multiplicity>1</e:Multiplicity></e:ConstraintAnnotation></wsag:Item>");

        assertThat(violations(constraints, golden()))
                .singleElement()
                .asString()
                .contains("must be there exactly once, and is there 0 times");
    }

    @Test
    void refusesATemplateThatNobodyCouldCheck() {
        assertThatThrownBy(
                        () -> constraints(
                                "<wsag:Item wsag:Name='n'><wsag:Location>//[</wsag:Location><wsag:ItemConstraint/></wsag:Item>"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an XPath expression");
        assertThatThrownBy(() -> constraints("<wsag:Constraint>a &lt; b</wsag:Constraint>"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("global constraint");
    }

    private static List<String> violations(CreationConstraints constraints, Document offer) {
        var findings = SCHEMA.examine(offer.getDocumentElement());
        assertThat(findings.complaints()).isEmpty();
        return constraints.violations(offer, findings).stream()
                .map(Object::toString)
                .toList();
    }

    private static List<String> problems(Document template, Document offer) {
        var findings = SCHEMA.examine(offer.getDocumentElement());
        var problems = new ArrayList<>(findings.complaints());
        if (problems.isEmpty()) {
            CreationConstraints.of(template.getDocumentElement(), SCHEMA)
                    .violations(offer, findings)
                    .forEach(v -> problems.add(v.toString()));
        }
        return problems;
    }

    private static CreationConstraints constraints(String items) {
        var template = "<wsag:Template xmlns:wsag='" + XmlNames.WSAG + "' xmlns:j='" + XmlNames.JSDL
                + "' xmlns:xs='http://www.w3.org/2001/XMLSchema'><wsag:Context><wsag:ServiceProvider>AgreementResponder"
                + "</wsag:ServiceProvider></wsag:Context><wsag:Terms/><wsag:CreationConstraints>" + items
                + "</wsag:CreationConstraints></wsag:Template>";
        return CreationConstraints.of(XmlTrees.parse("template", template).getDocumentElement(), SCHEMA);
    }

    /** The offer of the golden request. */
    private static Document golden() throws Exception {
        var message = XmlTrees.parse("golden", WsagServer.golden("create-agreement.soap12.xml"));
        var offer = (org.w3c.dom.Element)
                message.getElementsByTagNameNS(XmlNames.WSAG, "AgreementOffer").item(0);
        var document = XmlTrees.newDocument();
        XmlTrees.adopt(document, offer);
        return document;
    }

    private static Document template(String name) throws Exception {
        return XmlTrees.parse(name, Files.readString(VERDICTS.resolve("templates/" + name + ".template.xml")));
    }

    private static Document offer(String name) throws Exception {
        return XmlTrees.parse(name, Files.readString(VERDICTS.resolve("offers/" + name + ".offer.xml")));
    }
}
