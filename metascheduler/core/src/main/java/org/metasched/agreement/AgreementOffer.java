package org.metasched.agreement;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Requester;
import org.metasched.adapter.TimeSlot;

/**
 * An initiator's offer of an agreement: its meaning, and the document itself.
 *
 * @param key makes repeating it harmless
 * @param name for people, or empty; the label
 * @param template it was made from
 * @param alternatives what is asked for; where an offer leaves a choice, each way in the order of the document, of
 *     which the first that can be had is taken
 * @param guarantees with unique names; of an agreement, those of the way that was agreed on
 * @param expiration time at which the agreement ends in any case
 * @param document as it arrived
 * @param acceptance where the initiator of a pending agreement wants to hear the decision: an endpoint reference as it
 *     arrived, or nothing
 * @param onDegraded reaction to nodes that are lost before the slot; nothing for the service's default
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

    /** More branches than this are not tried. */
    public static final int MOST_ALTERNATIVES = 64;

    /** An offer with the usual rule for lost nodes. */
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

    /** The requester, with the others who may use the reservations and the account that is charged. */
    public Optional<Requester> requester() {
        return alternatives.get(0).parts().get(0).request().requester();
    }

    /** Without the guarantees of ways other than the first that these reservations fulfil. */
    AgreementOffer agreedOn(List<SiteCommitment> made, TimeSlot slot) {
        var terms = made.stream().map(SiteCommitment::term).collect(Collectors.toSet());
        var ways =
                alternatives.stream().filter(way -> way.terms().equals(terms)).toList();
        var kept = ways.stream()
                .filter(way -> way.isFulfilledBy(made, slot))
                .findFirst()
                .or(() -> ways.stream().findFirst())
                .flatMap(AgreementRequest::alternative)
                .map(TermAlternative::guarantees);
        return kept.isEmpty()
                ? this
                : with(
                        alternatives,
                        guarantees.stream()
                                .filter(term -> kept.get().contains(term.name()))
                                .toList());
    }

    /** The same offer of fewer alternatives or guarantees. */
    public AgreementOffer with(List<AgreementRequest> ways, List<GuaranteeTerm> promises) {
        return new AgreementOffer(key, name, template, ways, promises, expiration, document, acceptance, onDegraded);
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
