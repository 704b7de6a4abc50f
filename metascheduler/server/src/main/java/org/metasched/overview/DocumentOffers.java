package org.metasched.overview;

import java.util.List;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/** Plans and decides offers that are written as documents, for the subject that sends them. The package {@code soap} implements it. Thread-safe. */
public interface DocumentOffers {

    /** Templates that a sender may use; auditors see all. */
    List<AgreementTemplate> templates(Authorizer.Call call);

    /**
     * Plans an offer; nothing is held.
     *
     * @param most greatest number of ways to grant the offer that are returned
     * @param nearest whether to search the nearest feasible requests if the offer would be refused
     * @throws org.metasched.agreement.making.UnusableOfferException when the document is no offer that can be taken
     */
    OfferAdvice plan(String document, Authorizer.Call call, int most, boolean nearest) throws InterruptedException;

    /**
     * Decides an offer, within the quota of its sender.
     *
     * @param decision what is done with the offer that was read, such as {@code OfferService::offer} or {@code OfferService::offerPending}
     * @throws org.metasched.agreement.making.UnusableOfferException when the document is no offer that can be taken
     */
    CreationOutcome decide(String document, Authorizer.Call call, Decision<CreationOutcome> decision)
            throws InterruptedException;

    /** The agreement as the authorizer knows it. */
    static ProtectedResource resource(Agreement agreement) {
        return ProtectedResource.agreement(
                agreement.id().value(), agreement.offer().key().initiator());
    }
}
