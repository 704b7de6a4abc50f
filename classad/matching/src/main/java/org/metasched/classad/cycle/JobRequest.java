package org.metasched.classad.cycle;

import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Advertisement;

/**
 * Request of a submitter: a number of offers for one ad.
 *
 * @param submitter the submitter that is charged
 * @param ad the customer's ad
 * @param ticket the customer's ticket, which the matched offer gets; may be empty
 * @param count number of offers, at least 1
 * @param priority priority among the submitter's own requests, higher first
 */
public record JobRequest(String submitter, ClassAd ad, String ticket, int count, double priority) {

    /** The most offers in one request. */
    static final int MOST = 10_000_000;

    public JobRequest {
        if (submitter.isBlank()) {
            throw new IllegalArgumentException("A request must name its submitter.");
        }
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException(
                    "The count (" + count + ") of a request of " + submitter + " must be from 1 to " + MOST + ".");
        }
    }

    /**
     * Reads a job's advertisement: {@code AccountingGroup}, {@code User} or {@code Owner} is charged, {@code Count} is the number of offers
     * (1 by default), {@code JobPrio} the priority.
     */
    public static JobRequest of(Advertisement advertisement) {
        ClassAd ad = advertisement.ad();
        return new JobRequest(
                submitterOf(ad, advertisement.key().name()),
                ad,
                Introduction.ticketOf(advertisement.privateAd()),
                OfferFacts.value(ad, "Count") instanceof Value.Int count
                        ? (int) Math.max(1, Math.min(MOST, count.value()))
                        : 1,
                OfferFacts.value(ad, "JobPrio").rank());
    }

    /** The same request with another spelling of its submitter's name. */
    JobRequest by(String spelling) {
        return new JobRequest(spelling, ad, ticket, count, priority);
    }

    /** The name of the customer's ad; empty if it has none. */
    public String name() {
        return OfferFacts.value(ad, "Name") instanceof Value.Text text ? text.text() : "";
    }

    /** The submitter that is charged for the use of an ad's customer; {@code otherwise} if the ad names none. */
    public static String submitterOf(ClassAd ad, String otherwise) {
        for (String attribute : new String[] {"AccountingGroup", "User", "Owner"}) {
            if (OfferFacts.value(ad, attribute) instanceof Value.Text text
                    && !text.text().isBlank()) {
                return text.text();
            }
        }
        return otherwise;
    }
}
