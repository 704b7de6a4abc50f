package org.metasched.overview;

import java.util.List;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.trust.Authorizer;

/** Offers of a test that makes none; a test overrides what it needs. */
public class NoDocumentOffers implements DocumentOffers {

    @Override
    public List<AgreementTemplate> templates(Authorizer.Call call) {
        return List.of();
    }

    @Override
    public OfferAdvice plan(String document, Authorizer.Call call, int most, boolean nearest)
            throws InterruptedException {
        throw new AssertionError("no plan is asked for");
    }

    @Override
    public CreationOutcome decide(String document, Authorizer.Call call, Decision<CreationOutcome> decision)
            throws InterruptedException {
        throw new AssertionError("nothing is decided");
    }
}
