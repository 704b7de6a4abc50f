package org.metasched.agreement;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Requester;

/**
 * An initiator's offer of an agreement: its meaning, and the document itself.
 *
 * @param key makes repeating it harmless
 * @param name for people, or empty; the label
 * @param template it was made from
 * @param alternatives what is asked for; where an offer leaves a choice, each way in the order of the document, of
 *     which the first that can be had is taken
 * @param guarantees with unique names; of an agreement, those of the way that was agreed on
 * @param expiration when the agreement ends in any case
 * @param document as it arrived
 * @param acceptance where the initiator of a pending agreement wants to hear the decision: an endpoint reference as it
 *     arrived, or nothing
 * @param onDegraded what is done when nodes are lost before the slot; nothing for what is usual here
 */
public record AgreementOffer(
        OfferKey key,
        String name,
        TemplateKey template,
        List<AgreementRequest> alternatives,
        List<GuaranteeTerm> guarantees,
        Optional<Instant> expiration,
        OfferDocument document,
        Optional<OfferDocument> acceptance,
        Optional<OnDegraded> onDegraded) {

    /** In characters. */
    public static final int LONGEST_NAME = 200;

    /** More branches than this are not tried. */
    public static final int MOST_ALTERNATIVES = 64;

    /** With what is usual for lost nodes. */
    public AgreementOffer(
            OfferKey key,
            String name,
            TemplateKey template,
            List<AgreementRequest> alternatives,
            List<GuaranteeTerm> guarantees,
            Optional<Instant> expiration,
            OfferDocument document,
            Optional<OfferDocument> acceptance) {
        this(key, name, template, alternatives, guarantees, expiration, document, acceptance, Optional.empty());
    }

    /** The initiator's name for it, unless that is the name of its template. */
    public Optional<String> label() {
        return Optional.of(name).filter(text -> !text.isBlank() && !text.equals(template.name()));
    }

    /** Whether the initiator calls it so, by id or label. */
    public boolean isCalled(String text) {
        return key.id().equals(text) || label().filter(text::equals).isPresent();
    }

    /** For whom it is, with the others who may use it and the account that is charged. */
    public Optional<Requester> requester() {
        return alternatives.get(0).parts().get(0).request().requester();
    }

    /** Without the guarantees of ways other than the first that has these terms. */
    AgreementOffer agreedOn(Set<String> terms) {
        var kept = alternatives.stream()
                .filter(way -> way.terms().equals(terms))
                .findFirst()
                .flatMap(AgreementRequest::alternative)
                .map(TermAlternative::guarantees);
        return kept.isEmpty()
                ? this
                : new AgreementOffer(
                        key,
                        name,
                        template,
                        alternatives,
                        guarantees.stream()
                                .filter(term -> kept.get().contains(term.name()))
                                .toList(),
                        expiration,
                        document,
                        acceptance,
                        onDegraded);
    }

    public AgreementOffer {
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The name of the agreement, its label (" + DisplayText.of(name)
                    + "), must have at most " + LONGEST_NAME + " printable characters.");
        }
        alternatives = List.copyOf(alternatives);
        guarantees = List.copyOf(guarantees);
        if (alternatives.isEmpty() || alternatives.size() > MOST_ALTERNATIVES) {
            throw new IllegalArgumentException("The number of alternatives (" + alternatives.size()
                    + ") must be from 1 to " + MOST_ALTERNATIVES + ".");
        }
        var names = new HashSet<String>();
        for (var guarantee : guarantees) {
            if (!names.add(guarantee.name())) {
                throw new IllegalArgumentException(
                        "The guarantee term's name (" + guarantee.name() + ") occurs twice; names must be unique.");
            }
        }
    }
}
