package org.metasched.console;

import java.time.Instant;
import org.metasched.agreement.Agreement;
import org.metasched.overview.MatchService.Match;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/**
 * One request of one person for a page.
 *
 * @param home address of the console
 * @param changes of agreements until now
 * @param call subject and network address of the reader
 * @param stamp that each form of this person carries
 * @param times in the zone of the person
 */
record PageContext(
        String home,
        Instant now,
        long changes,
        Authorizer guard,
        Authorizer.Call call,
        String stamp,
        TimeLabels times) {

    /** Whether an agreement is of the person who looks; of a server that asks for no proof, any is. */
    boolean owns(Agreement agreement) {
        return !call.subject().isKnown()
                || agreement.offer().key().initiator().equals(call.subject().name());
    }

    boolean sees(Agreement agreement) {
        return guard.shows(call.during("Agreement/GetResourceProperty"), thing(agreement));
    }

    boolean mayEnd(Agreement agreement) {
        return !agreement.state().isFinal() && guard.shows(call.during("Agreement/Terminate"), thing(agreement));
    }

    boolean looksAfterTheServer() {
        return guard.looksAfterServer(call.subject());
    }

    static ProtectedResource thing(Match match) {
        return new ProtectedResource("Match", match.id(), match.owner());
    }

    static ProtectedResource thing(Agreement agreement) {
        return ProtectedResource.agreement(
                agreement.id().value(), agreement.offer().key().initiator());
    }
}
