package org.metasched.soap.collector;

import java.util.Map;
import org.metasched.leases.Lease;
import org.metasched.matches.OwnMatches;
import org.metasched.publisher.MatchmakerMonitor;
import org.metasched.trust.Authorizer;

/** A collector's endpoint that lets any caller do anything. */
final class OpenCollector {

    private OpenCollector() {}

    static CollectorEndpoint of(MatchmakerMonitor monitor) {
        return new CollectorEndpoint(
                monitor,
                new OwnMatches(monitor, Lease::owner, Authorizer.OPEN),
                new AdOwners(Map.of(), monitor),
                Authorizer.OPEN);
    }
}
