package org.metasched.soap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.AgreementClient;
import org.metasched.client.TemplateOffer;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Reader of the templates that operators wrote: files {@code *.xml} of a folder, each a {@code wsag:Template}. An offer must repeat all terms of
 * such a template, except at the locations of its constraint items. Thread-safe.
 */
public final class OperatorTemplates {

    private final OfferSchema schema = new OfferSchema();

    /**
     * The templates of a folder, in the order of their file names.
     *
     * @throws IllegalArgumentException when a template cannot be used, with the file and the reason
     */
    public List<AgreementTemplate> read(Path folder) {
        Map<String, Path> names = new HashMap<>(Map.of(CoAllocationTemplate.NAME, Path.of("the server")));
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".xml"))
                    .sorted()
                    .map(file -> {
                        var template = template(file);
                        Path other = names.put(template.key().name(), file);
                        if (other != null) {
                            throw invalid(file, "the name (" + template.key().name() + ") is taken by " + other + ".");
                        }
                        return template;
                    })
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw invalid(folder, "the folder of templates cannot be read: " + e.getMessage());
        }
    }

    private AgreementTemplate template(Path file) {
        try {
            if (Files.size(file) > OfferDocument.LONGEST) {
                throw invalid(file, "a template must not be longer than " + OfferDocument.LONGEST + " bytes.");
            }
            var root = XmlTrees.parse(file.toString(), Files.readString(file)).getDocumentElement();
            if (!XmlTrees.is(root, XmlNames.WSAG, "Template")) {
                throw invalid(file, "the root element must be wsag:Template, and is " + root.getNodeName() + ".");
            }
            return new AgreementTemplate(checked(file, root), new OfferDocument(XmlTrees.print(root)));
        } catch (IOException e) {
            throw invalid(file, "the file cannot be read: " + e.getMessage());
        }
    }

    private TemplateKey checked(Path file, Element template) {
        try {
            Document offer = TemplateOffer.of(template);
            CreationConstraints.of(template, schema).tryOn(offer, schema.examine(offer.getDocumentElement()));
            var terms = XmlTrees.child(offer.getDocumentElement(), XmlNames.WSAG, "Terms")
                    .orElseThrow(() -> new IllegalArgumentException("The template has no Terms."));
            ServiceReferences.check(terms);
            TermTree.alternatives(terms).stream()
                    .filter(RequestReader::asksForResources)
                    .forEach(way -> RequestReader.requests(0, way, Optional.empty()));
            var key = AgreementClient.keyOf(new OfferDocument(XmlTrees.print(template)));
            if (key.name().isEmpty()) {
                throw new IllegalArgumentException("The TemplateName of its Context is missing.");
            }
            return key;
        } catch (InvalidOfferException | IllegalArgumentException e) {
            throw invalid(file, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException invalid(Path file, String why) {
        return new IllegalArgumentException(file + ": " + why);
    }
}
