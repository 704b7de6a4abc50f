package org.metasched.soap;

import java.util.List;
import org.metasched.adapter.Shown;
import org.metasched.trust.Guard;
import org.metasched.trust.Subject;
import org.metasched.trust.Thing;

/** Whose an offer is: the subject that proved itself is the initiator, unless it is a server that speaks for others. */
record Initiator(Guard guard, Guard.Call call) {

    /**
     * @param named in the offer; empty if no name stands there
     * @throws InvalidOfferException when the sender may not offer for it
     */
    Subject of(String named) {
        var speaker = call.subject();
        boolean forAnother = speaker.isKnown() && !named.isEmpty() && !named.equals(speaker.name());
        String owner = forAnother ? named : speaker.name();
        if (!guard.permits(call, Thing.agreement("offered", owner), forAnother ? named : "")) {
            throw forAnother
                    ? new InvalidOfferException("The AgreementInitiator (" + Shown.of(named) + ") must be the sender ("
                            + Shown.of(speaker.name()) + "), or be left out.")
                    : new InvalidOfferException(
                            ErrorCode.NOT_ALLOWED, List.of("The sender may not make agreements here."));
        }
        return forAnother ? speaker.as(named) : speaker;
    }
}
