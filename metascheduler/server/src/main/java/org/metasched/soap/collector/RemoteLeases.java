package org.metasched.soap.collector;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;
import org.metasched.trust.ClientCredentials;
import org.metasched.wsag.collector.RenewMatch;
import org.metasched.wsag.collector.SettleMatch;
import org.metasched.wsag.collector.TakeMatch;

/**
 * Leases of a server, whose collector counts them in its site ads. Thread-safe; each call is one message, and opens a connection of its own. A call
 * without an answer may be repeated; a repeated {@link #acquire} may take a second lease. The first then ends after {@link
 * MatchLeases#LEASE_TIME} unless its holder exists by then.
 *
 * @param server base URL of a metasched server, such as {@code http://127.0.0.1:8080}
 * @param caller credentials of the user at the server
 */
public record RemoteLeases(URI server, ClientCredentials caller) implements MatchLeases {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Override
    public Optional<UUID> acquire(LeaseRequest request) {
        var message = new TakeMatch();
        message.setSite(request.site());
        message.setHolder(request.holder());
        message.setNodes(request.nodes());
        try {
            return Optional.ofNullable(call(port -> port.takeMatch(message)).getMatch())
                    .map(UUID::fromString);
        } catch (UncheckedIOException e) {
            // A caller without the right or the quota gets a fault whose text begins with NOT_ALLOWED.
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                String text = String.valueOf(cause.getMessage());
                if (text.startsWith("NOT_ALLOWED: ")) {
                    throw new IllegalStateException(
                            "The server (" + server + ") gives no match of site " + request.site() + ": " + text, e);
                }
            }
            throw e;
        }
    }

    @Override
    public boolean renew(UUID lease) {
        var message = new RenewMatch();
        message.setMatch(lease.toString());
        return call(port -> port.renewMatch(message)).isHeld();
    }

    @Override
    public boolean commit(UUID lease) {
        return settle(lease, true);
    }

    @Override
    public boolean release(UUID lease) {
        return settle(lease, false);
    }

    private boolean settle(UUID lease, boolean keep) {
        var message = new SettleMatch();
        message.setMatch(lease.toString());
        message.setKeep(keep);
        return call(port -> port.settleMatch(message)).isHeld();
    }

    private <T> T call(RemoteCollector.Message<T> message) {
        try (var collector = RemoteCollector.at(server, TIMEOUT, caller)) {
            return collector.call(message);
        }
    }
}
