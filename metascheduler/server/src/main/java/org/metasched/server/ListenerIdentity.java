package org.metasched.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.metasched.server.Configuration.Security;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.PasswordFile;
import org.metasched.trust.ReplayCache;
import org.metasched.trust.TokenVerifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authentication and authorization of a listener's callers. The files that it uses stay open until it is closed. */
public final class ListenerIdentity implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerIdentity.class);

    private final Optional<ChainVerifier> chains;
    private final AuditLog audit;
    private final Authentication authentication;
    /** Kept reachable, as it is followed only as long as it is. */
    private Optional<FollowedConfiguration> followed = Optional.empty();

    private ListenerIdentity(Security security, AuditLog audit, ReplayCache replays, Clock clock) {
        this.audit = audit;
        chains = security.authorities().map(ChainVerifier::new);
        authentication = new Authentication(
                security.tls(),
                chains,
                security.issuers().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new TokenVerifier(security.issuers(), security.audiences(), clock)),
                messages(security, replays, clock),
                !security.people().isOpen(),
                new Authorizer(security.policy(), security.quotas(), audit));
    }

    private Optional<MessageVerifier> messages(Security security, ReplayCache replays, Clock clock) {
        return security.signatures() || security.passwords().isPresent()
                ? Optional.of(new MessageVerifier(
                        security.signatures() ? chains : Optional.empty(),
                        security.passwords().map(PasswordFile::new),
                        replays,
                        clock))
                : Optional.empty();
    }

    /**
     * @param address address of the listener, for the warning when it is open to strangers
     * @param usual folder of the record of decisions where the settings name none; empty for no record
     */
    public static ListenerIdentity open(
            Security security, InetSocketAddress address, Optional<Path> usual, Clock clock) {
        return open(security, address, usual, ReplayCache.inThisProcess(clock), clock);
    }

    /** @param replays cache of proofs seen by this server, or by all servers of the database */
    static ListenerIdentity open(
            Security security, InetSocketAddress address, Optional<Path> usual, ReplayCache replays, Clock clock) {
        if (security.people().isOpen() && !address.getAddress().isLoopbackAddress()) {
            LOG.warn(
                    "THE LISTENER IS OPEN: any caller that reaches {} may do everything. Set security.anonymous to false.",
                    address);
        }
        var folder = security.audit().or(() -> usual);
        try {
            return new ListenerIdentity(
                    security,
                    folder.isPresent() ? AuditLog.in(folder.get(), security.syslog(), clock) : AuditLog.NONE,
                    replays,
                    clock);
        } catch (IOException e) {
            throw new UncheckedIOException("The audit folder (" + folder.get() + ") cannot be used: " + e, e);
        }
    }

    void follow(FollowedConfiguration configuration) {
        followed = Optional.of(configuration);
    }

    /** Takes roles, virtual organisations, rules and quotas; whether strangers are let in stays. */
    void use(Security changed) {
        var people = new People(changed.people().roles(), changed.people().vos(), !authentication.isRequired());
        authentication.guard().use(new AccessPolicy(people, changed.rules()), changed.quotas());
    }

    public Authentication authentication() {
        return authentication;
    }

    /** Whether decisions can be recorded; after a failure, tries it. */
    boolean takesLines() {
        return audit.takesLines();
    }

    @Override
    public void close() {
        chains.ifPresent(ChainVerifier::close);
        audit.close();
    }
}
