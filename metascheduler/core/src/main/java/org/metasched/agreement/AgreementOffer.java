package org.metasched.agreement;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Requester;

/**
 * An initiator's offer of an agreement: its contents as understood, and the document itself.
 *
 * @param key key by which a repeated offer is recognised
 * @param name name for people, or empty
 * @param template key of the template from which the offer was made
 * @param alternatives requests of which one is to be granted, in the order of the document; the first that can be had is taken. In an
 *     agreement, the one that was agreed on
 * @param guarantees terms with unique names; in an agreement, those of the alternative that was agreed on
 * @param expiration time at which the agreement ends in any case; empty if it has no such time
 * @param document the offer as it arrived
 * @param acceptance endpoint reference, as it arrived, to which the decision about a pending agreement is sent; empty if the offer
 *     has none
 * @param onDegraded reaction to nodes that are lost before the slot; empty for the service's default
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

    /** The longest name of an offer, in characters. */
    public static final int LONGEST_NAME = 200;

    /** Most alternatives of an offer. */
    public static final int MOST_ALTERNATIVES = 64;

    /** The initiator's name for the offer, unless it is empty or the name of the template. */
    public Optional<String> label() {
        return Optional.of(name).filter(text -> !text.isBlank() && !text.equals(template.name()));
    }

    /** Whether the offer has terms beside its requests: guarantees, or a time at which the agreement ends in any case. */
    public boolean hasMoreTerms() {
        return !guarantees.isEmpty() || expiration.isPresent();
    }

    /** Whether a text is the initiator's id or label of this offer. */
    public boolean isCalled(String text) {
        return key.id().equals(text) || label().filter(text::equals).isPresent();
    }

    /** The requester, with the other users of the reservations and the account that is charged; the same in all parts. */
    public Optional<Requester> requester() {
        return alternatives.get(0).parts().get(0).request().requester();
    }

    /** The offer with the alternative that was agreed on, and its guarantees, only; with all if that one is not known. */
    AgreementOffer agreedOn(Optional<AgreementRequest> agreed) {
        var kept = agreed.flatMap(AgreementRequest::alternative).map(TermAlternative::guarantees);
        return with(
                agreed.map(List::of).orElse(alternatives),
                guarantees.stream()
                        .filter(term -> kept.isEmpty() || kept.get().contains(term.name()))
                        .toList());
    }

    /** The same offer with some of its alternatives and guarantees only. */
    public AgreementOffer with(List<AgreementRequest> requests, List<GuaranteeTerm> terms) {
        return new AgreementOffer(key, name, template, requests, terms, expiration, document, acceptance, onDegraded);
    }

    AgreementOffer withDocuments(OfferDocument other, Optional<OfferDocument> reference) {
        return new AgreementOffer(
                key, name, template, alternatives, guarantees, expiration, other, reference, onDegraded);
    }

    /** An offer of requests alone. */
    public static AgreementOffer of(
            OfferKey key, TemplateKey template, List<AgreementRequest> alternatives, OfferDocument document) {
        var none = Optional.<OfferDocument>empty();
        return new AgreementOffer(
                key, "", template, alternatives, List.of(), Optional.empty(), document, none, Optional.empty());
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
