package org.metasched.soap;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Requester;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.soap.CreationConstraints.Violation;
import org.metasched.trust.Subject;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Reader that translates an offer's document into the offer that the service decides. It checks the schema first, then the creation constraints
 * of the template, then the meaning of the terms. Thread-safe.
 */
final class OfferReader {

    private final OfferSchema schema = new OfferSchema();
    private final Supplier<List<AgreementTemplate>> templates;
    private volatile Compiled compiled;

    /** The constraints of one set of templates, compiled once. */
    private record Compiled(List<AgreementTemplate> templates, Map<TemplateKey, CreationConstraints> constraints) {}

    /** @throws IllegalArgumentException when a template is not valid */
    OfferReader(Supplier<List<AgreementTemplate>> templates) {
        this.templates = templates;
        this.compiled = compile(templates.get());
    }

    private Compiled compile(List<AgreementTemplate> current) {
        return new Compiled(
                current, current.stream().collect(Collectors.toUnmodifiableMap(AgreementTemplate::key, this::compile)));
    }

    private CreationConstraints compile(AgreementTemplate template) {
        var root = XmlTrees.parse(
                        "template " + template.key(), template.document().text())
                .getDocumentElement();
        var constraints = CreationConstraints.of(root, schema);
        return template.key().name().equals(CoAllocationTemplate.NAME) ? constraints : constraints.withFixedTerms(root);
    }

    private Map<TemplateKey, CreationConstraints> constraints() {
        var current = templates.get();
        var known = compiled;
        if (!known.templates.equals(current)) {
            known = compile(current);
            compiled = known;
        }
        return known.constraints;
    }

    /** Reads an offer whose decision is told in the answer, and which has no message id. */
    AgreementOffer read(Document offer, InitiatorIdentity initiator) {
        return read(offer, initiator, Optional.empty(), Optional.empty());
    }

    /**
     * Reads an offer.
     *
     * @param offer document with a {@code wsag:AgreementOffer} as its root
     * @param initiator decider of the initiator; an anonymous sender is taken for the initiator that the offer names
     * @param messageId id of the message that brought the offer, if it had one
     * @param acceptance endpoint at which the decision about a pending offer is to be told
     * @throws InvalidOfferException with all faults that one check finds; later checks are then not made
     */
    AgreementOffer read(
            Document offer,
            InitiatorIdentity initiator,
            Optional<String> messageId,
            Optional<OfferDocument> acceptance) {
        var root = offer.getDocumentElement();
        var findings = schema.examine(root);
        if (!findings.complaints().isEmpty()) {
            throw new InvalidOfferException(ErrorCode.OFFER_INVALID, findings.complaints());
        }
        var context = XmlTrees.child(root, XmlNames.WSAG, "Context").orElseThrow();
        var template = templateOf(context);
        var violations = constraintsOf(template, initiator).violations(offer, findings);
        var terms = XmlTrees.child(root, XmlNames.WSAG, "Terms").orElseThrow();
        var document = new OfferDocument(XmlTrees.print(root));
        var complaints = violations.stream().map(Violation::toString).toList();
        var ways = TermTree.allowed(terms, violations);
        if (ways.isEmpty()) {
            boolean isSiteUnknown = violations.stream().allMatch(v -> v.item().equals(CoAllocationTemplate.SITE_ITEM));
            throw new InvalidOfferException(
                    isSiteUnknown ? ErrorCode.SITE_UNKNOWN : ErrorCode.OFFER_INVALID, complaints);
        }
        checkProvider(context);
        ServiceReferences.check(terms);
        var subject = initiator.of(initiator(context));
        return InvalidOfferException.checking(() -> new AgreementOffer(
                key(root, context, subject, messageId),
                XmlTrees.childText(root, XmlNames.WSAG, "Name").orElse(""),
                template,
                alternatives(ways, requester(context, subject)),
                GuaranteeReader.read(terms),
                expiration(context),
                document,
                acceptance,
                XmlTrees.childText(context, XmlNames.METASCHED, "Degraded").map(OfferReader::onDegraded)));
    }

    private static OnDegraded onDegraded(String word) {
        return OnDegraded.of(word)
                .orElseThrow(() -> new InvalidOfferException("What is to be done when nodes are lost ("
                        + DisplayText.of(word, 40) + ") must be tell, end, replace or renegotiate."));
    }

    /** The constraints of a template; a template that the sender may not use is as unknown as a missing one. */
    private CreationConstraints constraintsOf(TemplateKey template, InitiatorIdentity initiator) {
        var constraints = constraints();
        var usable = constraints.get(template);
        if (usable == null || !initiator.mayUse(template)) {
            throw new InvalidOfferException(
                    ErrorCode.TEMPLATE_UNKNOWN,
                    List.of("The offer is not made from a template of ours: its context names template ("
                            + template.name()
                            + ") with id (" + template.id() + "); on offer are "
                            + constraints.keySet().stream()
                                    .filter(initiator::mayUse)
                                    .map(TemplateKey::toString)
                                    .sorted()
                                    .toList()
                            + "."));
        }
        return usable;
    }

    private static TemplateKey templateOf(Element context) {
        return new TemplateKey(
                XmlTrees.childText(context, XmlNames.WSAG, "TemplateName").orElse(""),
                XmlTrees.childText(context, XmlNames.WSAG, "TemplateId").orElse(""));
    }

    private static void checkProvider(Element context) {
        var provider =
                XmlTrees.childText(context, XmlNames.WSAG, "ServiceProvider").orElse("");
        if (!provider.equals("AgreementResponder")) {
            throw new InvalidOfferException("The service provider (" + provider
                    + ") must be the AgreementResponder: this service provides and does not consume.");
        }
    }

    private static Optional<Instant> expiration(Element context) {
        return XmlTrees.childText(context, XmlNames.WSAG, "ExpirationTime")
                .map(t -> TimeTerm.instant("Context", "ExpirationTime", t));
    }

    /** The key of an offer; one without any name of its own cannot be repeated. */
    private static OfferKey key(Element root, Element context, Subject subject, Optional<String> messageId) {
        var own = Optional.of(root.getAttributeNS(XmlNames.WSAG, "AgreementId").strip())
                .filter(i -> !i.isEmpty());
        return new OfferKey(
                subject.isKnown() ? subject.name() : initiator(context),
                own.or(() -> messageId).orElseGet(() -> "urn:uuid:" + UUID.randomUUID()));
    }

    /** The initiator as text; anything else stays as its XML. */
    private static String initiator(Element context) {
        return XmlTrees.child(context, XmlNames.WSAG, "AgreementInitiator")
                .map(i -> XmlTrees.children(i).isEmpty() ? i.getTextContent().strip() : XmlTrees.print(i))
                .orElse("");
    }

    private static Optional<Requester> requester(Element context, Subject subject) {
        var users = XmlTrees.children(context, XmlNames.METASCHED, "User")
                .map(user -> user.getTextContent().strip())
                .toList();
        var project = XmlTrees.childText(context, XmlNames.METASCHED, "Project");
        var initiator = subject.isKnown()
                ? Optional.of(subject.name())
                : XmlTrees.child(context, XmlNames.WSAG, "AgreementInitiator")
                        .filter(i -> XmlTrees.children(i).isEmpty())
                        .map(i -> i.getTextContent().strip())
                        .filter(t -> !t.isEmpty());
        if (initiator.isEmpty() && (!users.isEmpty() || project.isPresent())) {
            throw new InvalidOfferException("The offer names further users or a project, but no initiator.");
        }
        return initiator.map(name -> new Requester(name, users, project));
    }

    /** The alternatives that ask for something; all if none does. */
    private static List<AgreementRequest> alternatives(List<List<Element>> ways, Optional<Requester> requester) {
        boolean isAnyAsking = ways.stream().anyMatch(RequestReader::asksForResources);
        return IntStream.range(0, ways.size())
                .boxed()
                .filter(order -> !isAnyAsking || RequestReader.asksForResources(ways.get(order)))
                .flatMap(order -> RequestReader.requests(order, ways.get(order), requester).stream())
                .toList();
    }
}
