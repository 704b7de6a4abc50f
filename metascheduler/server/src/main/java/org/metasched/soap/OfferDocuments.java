package org.metasched.soap;

import java.util.List;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.agreement.making.UnusableOfferException;
import org.metasched.client.AgreementClient;
import org.metasched.overview.DocumentOffers;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Role;

/**
 * Offers that arrive as documents by any interface. They are translated here, and decided by the {@link OfferService} for their sender. Thread-safe.
 */
public final class OfferDocuments implements DocumentOffers {

    private final OfferService offers;
    private final OfferReader reader;
    private final Authorizer guard;

    /** @throws IllegalArgumentException when a template of the service is not valid */
    public OfferDocuments(OfferService offers, Authorizer guard) {
        this.offers = offers;
        this.reader = new OfferReader(offers::templates);
        this.guard = guard;
    }

    @Override
    public List<AgreementTemplate> templates(Authorizer.Call call) {
        var sender = new InitiatorIdentity(guard, call);
        boolean seesAll = guard.policy().rolesOf(call.subject()).contains(Role.AUDITOR);
        return offers.templates().stream()
                .filter(template -> seesAll || sender.mayUse(template.key()))
                .toList();
    }

    OfferReader reader() {
        return reader;
    }

    @Override
    public OfferAdvice plan(String document, Authorizer.Call call, int most, boolean nearest)
            throws InterruptedException {
        try {
            return offers.plan(read(document, call), most, nearest);
        } catch (InvalidOfferException e) {
            throw unusable(e);
        }
    }

    @Override
    public CreationOutcome decide(String document, Authorizer.Call call, Decision<CreationOutcome> decision)
            throws InterruptedException {
        try {
            return offers.within(new SenderQuota(guard, call.subject()), () -> read(document, call), decision);
        } catch (InvalidOfferException e) {
            throw unusable(e);
        }
    }

    private AgreementOffer read(String document, Authorizer.Call call) {
        var initiator = new InitiatorIdentity(guard, call.during(AgreementFactoryEndpoint.NAME + "/CreateAgreement"));
        return reader.read(AgreementClient.offer("offer", document), initiator);
    }

    private static UnusableOfferException unusable(InvalidOfferException problem) {
        return new UnusableOfferException(problem.code.name(), problem.complaints, problem);
    }
}
