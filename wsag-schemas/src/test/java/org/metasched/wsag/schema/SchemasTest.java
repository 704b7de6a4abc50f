package org.metasched.wsag.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringReader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Our schemas against our documents, and against the published schemas where those are at hand. */
class SchemasTest {

    private static final Path SHARED = Path.of(System.getProperty("metasched.shared", "../../shared"), "wsag");
    private static final List<String> OURS = List.of(
            "ws-agreement.xsd",
            "wsrf-properties.xsd",
            "wsrf-resource.xsd",
            "wsrf-lifetime.xsd",
            "jsdl.xsd",
            "time-constraint.xsd",
            "allocation-time.xsd",
            "metasched-agreement.xsd",
            "site.xsd");

    private static Schema ours;

    @BeforeAll
    static void compile() throws Exception {
        var sources = new ArrayList<Source>();
        for (var name : OURS) {
            URL url = SchemasTest.class.getResource("/org/metasched/wsdl/" + name);
            sources.add(new StreamSource(url.toExternalForm()));
        }
        ours = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(sources.toArray(Source[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"offer.xml", "agreement-properties.xml"})
    void ourDocumentsAreValidByOurSchemas(String name) throws Exception {
        assertThat(verdict(ours, golden(name))).isEqualTo("valid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"offer.xml", "agreement-properties.xml"})
    void ourDocumentsAreValidByThePublishedSchemas(String name) throws Exception {
        var published = published();

        assertThat(verdict(published, golden(name))).isEqualTo("valid");
    }

    @Test
    void judgesForeignOffersAndTemplatesAsThePublishedSchemasDo() throws Exception {
        var published = published();
        var different = new TreeMap<String, String>();
        int seen = 0;

        for (var folder : List.of("wsag4j-verdicts/offers", "wsag4j-verdicts/templates", "examples-constructed")) {
            for (var file : xmlFilesIn(SHARED.resolve(folder))) {
                var text = payload(Files.readString(file));
                seen++;
                var theirs = verdict(published, text);
                var mine = verdict(ours, text);
                if (theirs.equals("valid") != mine.equals("valid")) {
                    different.put(file.getFileName().toString(), "published: " + theirs + ", ours: " + mine);
                }
            }
        }

        // On purpose: real clients send an empty TerminateInput, so we take it.
        assertThat(different.keySet()).containsExactly("terminate-input-empty.INVALID.xml");
        assertThat(seen).isGreaterThan(20);
    }

    @Test
    void refusesAttributesThatAreNotQualified() throws Exception {
        var offer = golden("offer.xml").replace("wsag:AgreementId=", "AgreementId=");

        assertThat(verdict(ours, offer)).contains("AgreementId");
    }

    @Test
    void refusesAServiceDescriptionThatNoSchemaKnows() throws Exception {
        var offer = golden("offer.xml").replace("t:TimeConstraint>", "t:Sundial>");

        assertThat(verdict(ours, offer)).contains("Sundial");
    }

    private static Schema published() throws SAXException {
        var driver = SHARED.resolve("schemas/all-local.xsd");
        assumeTrue(Files.exists(driver), "the published schemas are not beside this checkout (" + driver + ")");
        return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(driver.toFile());
    }

    private static List<Path> xmlFilesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".xml")).sorted().toList();
        }
    }

    /** The first element of the body, where the document is a SOAP message. */
    private static Source payload(String xml) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        var root = factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml.strip())))
                .getDocumentElement();
        if (!root.getLocalName().equals("Envelope")) {
            return new DOMSource(root);
        }
        var body = root.getElementsByTagNameNS(root.getNamespaceURI(), "Body").item(0);
        var child = body.getFirstChild();
        while (child.getNodeType() != org.w3c.dom.Node.ELEMENT_NODE) {
            child = child.getNextSibling();
        }
        return new DOMSource(child);
    }

    private static String golden(String name) throws IOException {
        return new String(
                SchemasTest.class.getResourceAsStream("/golden/" + name).readAllBytes(),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    private static String verdict(Schema schema, String xml) throws Exception {
        return verdict(schema, payload(xml));
    }

    private static String verdict(Schema schema, Source source) throws IOException {
        try {
            schema.newValidator().validate(source);
            return "valid";
        } catch (SAXException e) {
            return e.getMessage();
        }
    }
}
