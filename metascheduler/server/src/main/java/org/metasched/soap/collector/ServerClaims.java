package org.metasched.soap.collector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.metasched.classad.ClassAd;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.SiteClaims;
import org.metasched.trust.Caller;

/**
 * Matches counted by a server, whose collector shows the count in its site ads already. Thread-safe; each call is one
 * message, and opens a connection of its own.
 */
public final class ServerClaims implements SiteClaims {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final URI server;
    private final Caller caller;

    /** @param server base URL of a metasched server, as it prints it */
    public ServerClaims(URI server) {
        this(server, Caller.ANONYMOUS);
    }

    /** @param caller who we are there */
    public ServerClaims(URI server, Caller caller) {
        this.server = server;
        this.caller = caller;
    }

    @Override
    public String where() {
        return server.toString();
    }

    @Override
    public List<ClassAd> counted(List<ClassAd> siteAds) {
        return siteAds;
    }

    /** @throws ServerSilentException if the server gives no answer: a match that it took nevertheless lapses */
    @Override
    public Optional<String> take(ClassAd siteAd, String holder, int nodes) throws ServerSilentException {
        return call(collector -> collector.take(BoundDag.siteName(siteAd), holder, nodes))
                .map(UUID::toString);
    }

    @Override
    public boolean renew(String match) throws ServerSilentException {
        UUID id = MatchNote.idOf(match);
        return call(collector -> collector.renew(id));
    }

    /** @throws ServerSilentException if the server gives no answer; the call may be repeated */
    @Override
    public boolean settle(String match, boolean keep) throws ServerSilentException {
        UUID id = MatchNote.idOf(match);
        return call(collector -> collector.settle(id, keep));
    }

    private <T> T call(Function<RemoteCollector, T> call) throws ServerSilentException {
        try (var collector = RemoteCollector.at(server, PATIENCE, caller)) {
            return call.apply(collector);
        } catch (UncheckedIOException e) {
            throw new ServerSilentException(e);
        }
    }

    /** The server that counts the matches gave no answer. */
    public static final class ServerSilentException extends IOException {

        private static final long serialVersionUID = 1L;

        private ServerSilentException(UncheckedIOException cause) {
            super(messageOf(cause), cause);
        }

        private static String messageOf(UncheckedIOException problem) {
            IOException cause = problem.getCause();
            return String.valueOf(cause == null ? problem.getMessage() : cause.getMessage());
        }
    }
}
