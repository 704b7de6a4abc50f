package org.metasched.soap;

import java.util.List;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.SubjectName;
import org.metasched.agreement.TemplateKey;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;
import org.metasched.trust.Subject;

/** Decides who the initiator of an offer is: the authenticated subject, unless it is a server that speaks for others. */
record InitiatorIdentity(Authorizer guard, Authorizer.Call call) {

    /** Whether the sender may make offers from a template. */
    boolean mayUse(TemplateKey template) {
        return guard.shows(
                call.during(AgreementFactoryEndpoint.NAME + "/CreateAgreement"),
                new ProtectedResource(
                        "Template", template.name(), call.subject().name()));
    }

    /**
     * @param named name of the initiator in the offer; empty if no name stands there
     * @throws InvalidOfferException when the sender may not offer for the named one
     */
    Subject of(String named) {
        var speaker = call.subject();
        boolean forAnother = speaker.isKnown() && !named.isEmpty() && !SubjectName.isSame(named, speaker.name());
        String owner = forAnother ? named : speaker.name();
        if (!guard.permits(call, ProtectedResource.agreement("offered", owner), forAnother ? named : "")) {
            throw forAnother
                    ? new InvalidOfferException("The AgreementInitiator (" + DisplayText.of(named)
                            + ") must be the sender (" + DisplayText.of(speaker.name()) + "), or be left out.")
                    : new InvalidOfferException(
                            ErrorCode.NOT_ALLOWED, List.of("The sender may not make agreements here."));
        }
        return forAnother ? speaker.as(named) : speaker;
    }
}
