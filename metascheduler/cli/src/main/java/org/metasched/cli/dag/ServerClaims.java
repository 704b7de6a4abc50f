package org.metasched.cli.dag;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.metasched.classad.ClassAd;
import org.metasched.cli.output.Failure;
import org.metasched.cli.server.CollectorCalls;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.SiteClaims;
import org.metasched.soap.collector.RemoteCollector;

/** Matches counted by a server, whose collector shows the count in its site ads already. */
public final class ServerClaims implements SiteClaims {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final URI server;

    public ServerClaims(URI server) {
        this.server = server;
    }

    @Override
    public String where() {
        return server.toString();
    }

    @Override
    public ClassAd counted(ClassAd siteAd) {
        return siteAd;
    }

    @Override
    public Optional<String> take(ClassAd siteAd, String holder) {
        return call(collector -> collector.take(BoundDag.siteName(siteAd), holder))
                .map(UUID::toString);
    }

    @Override
    public boolean settle(String match, boolean keep) {
        return call(collector -> collector.settle(LedgerClaims.idOf(match), keep));
    }

    private <T> T call(Function<RemoteCollector, T> call) {
        try (var collector = RemoteCollector.at(server, PATIENCE)) {
            return call.apply(collector);
        } catch (UncheckedIOException e) {
            throw Failure.world(CollectorCalls.messageOf(e));
        }
    }
}
