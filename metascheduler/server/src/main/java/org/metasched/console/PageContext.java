package org.metasched.console;

import java.time.Instant;
import org.metasched.agreement.Agreement;
import org.metasched.overview.DocumentOffers;
import org.metasched.overview.MatchService.Match;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/**
 * One request of one person for a page.
 *
 * @param home address of the console
 * @param changes number of changes of agreements since the server began
 * @param guard authorizer that decides what the person may see and do
 * @param call subject and network address of the reader
 * @param csrfToken text that proves a form to be this person's
 * @param times labels of times in the zone of the person
 */
record PageContext(
        String home,
        Instant now,
        long changes,
        Authorizer guard,
        Authorizer.Call call,
        String csrfToken,
        TimeLabels times) {

    /** Whether an agreement is the person's own. A person who has not signed in owns all. */
    boolean owns(Agreement agreement) {
        return !call.subject().isKnown()
                || agreement.offer().key().initiator().equals(call.subject().name());
    }

    boolean sees(Agreement agreement) {
        return guard.shows(call.during("Agreement/GetResourceProperty"), DocumentOffers.resource(agreement));
    }

    boolean mayEnd(Agreement agreement) {
        return !agreement.state().isFinal()
                && guard.shows(call.during("Agreement/Terminate"), DocumentOffers.resource(agreement));
    }

    boolean looksAfterServer() {
        return guard.looksAfterServer(call.subject());
    }

    static ProtectedResource resource(Match match) {
        return new ProtectedResource("Match", match.id(), match.owner());
    }
}
