package org.metasched.soap;

import java.util.List;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.SubjectName;
import org.metasched.agreement.TemplateKey;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;
import org.metasched.trust.Subject;

/** Decides who the initiator of an offer is: the authenticated subject, unless the policy lets it offer for others, as it does for the role SERVER. */
record InitiatorIdentity(Authorizer guard, Authorizer.Call call) {

    /** Whether the sender may make offers from a template. */
    boolean mayUse(TemplateKey template) {
        var resource = new ProtectedResource(
                "Template", template.name(), call.subject().name());
        return guard.shows(call.during(AgreementFactoryEndpoint.NAME + "/CreateAgreement"), resource);
    }

    /**
     * The initiator of an offer.
     *
     * @param named name of the initiator in the offer; empty if the offer has none
     * @throws InvalidOfferException when the sender may not offer for the named one
     */
    Subject of(String named) {
        var sender = call.subject();
        boolean isForAnother = sender.isKnown() && !named.isEmpty() && !SubjectName.isSame(named, sender.name());
        String owner = isForAnother ? named : sender.name();
        // An offer has no id yet; the audit record says "offered".
        if (!guard.permits(call, ProtectedResource.agreement("offered", owner), isForAnother ? named : "")) {
            throw isForAnother
                    ? new InvalidOfferException("The AgreementInitiator (" + DisplayText.of(named)
                            + ") must be the sender (" + DisplayText.of(sender.name()) + "), or be left out.")
                    : new InvalidOfferException(
                            ErrorCode.NOT_ALLOWED, List.of("The sender may not make agreements here."));
        }
        return isForAnother ? sender.as(SubjectName.canonical(named)) : sender;
    }
}
