package org.metasched.classad.cycle;

import java.util.UUID;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.collector.PrivateAttributes;
import org.metasched.classad.match.Match;

/**
 * A match as its parties get it: each gets the other's ad and ticket. The customer claims the offer with the offer's ticket; the
 * introduction itself allocates nothing.
 *
 * @param match id of the match, by which it is claimed
 * @param submitter the submitter that is charged
 * @param customer the customer's ad
 * @param offer the offer's ad as it was when it was matched
 * @param offerTicket the offer's ticket, which the customer gets
 * @param customerTicket the customer's ticket, which the offer gets
 * @param preempts whether the offer must give up a customer that it ranks lower
 */
public record Introduction(
        UUID match,
        String submitter,
        ClassAd customer,
        ClassAd offer,
        String offerTicket,
        String customerTicket,
        boolean preempts) {

    /** The introduction of a match; {@code match} is the id of its lease. */
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
