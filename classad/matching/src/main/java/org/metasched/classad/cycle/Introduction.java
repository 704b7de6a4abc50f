package org.metasched.classad.cycle;

import java.util.UUID;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.collector.PrivateAttributes;
import org.metasched.classad.match.Match;

/**
 * A match as its parties learn of it: each gets the other's ad, and the customer the offer's authorisation ticket, with which it
 * claims. It allocates nothing.
 *
 * @param match names it, for both parties and in the count of claims: by that name it is claimed
 * @param submitter the submitter that is charged
 * @param customer the customer's ad
 * @param offer the offer's ad as it was when it was matched
 * @param offerTicket for the customer
 * @param customerTicket for the offer
 * @param preempts whether the offer is to give up a customer it ranks lower
 */
public record Introduction(
        UUID match,
        String submitter,
        ClassAd customer,
        ClassAd offer,
        String offerTicket,
        String customerTicket,
        boolean preempts) {

    /** @param match its lease */
    static Introduction of(UUID match, JobRequest request, Match made, ClassAd privateOffer) {
        return new Introduction(
                match,
                request.submitter(),
                request.ad(),
                made.offer(),
                ticketOf(privateOffer),
                request.ticket(),
                made.preempts());
    }

    /** The ticket in the private part of an ad, or an empty text. */
    public static String ticketOf(ClassAd privateAd) {
        for (String attribute : new String[] {PrivateAttributes.TICKET, "ClaimId", "Capability"}) {
            if (privateAd.evaluate(attribute) instanceof Value.Text ticket) {
                return ticket.text();
            }
        }
        return "";
    }
}
