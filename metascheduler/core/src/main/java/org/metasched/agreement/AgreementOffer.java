package org.metasched.agreement;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * An initiator's wish for an agreement: what we understood of it, and the document itself.
 *
 * @param key makes repeating it harmless
 * @param name for people, or empty
 * @param template it was made from
 * @param alternatives what is asked for; where an offer leaves a choice, each branch in the order of the document, of
 *     which the first that can be had is taken
 * @param guarantees with unique names
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

    public AgreementOffer {
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
