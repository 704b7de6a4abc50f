package org.metasched.claims;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Function;
import org.metasched.dag.binding.Rebinding;
import org.metasched.dag.binding.SiteClaims;
import org.metasched.publisher.BindingEvidence;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.MatchLedger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the counts of matches: ledgers of this machine by their {@code file:} address, servers by any other.
 * Thread-safe.
 */
public final class MatchCounts implements Rebinding.Counts {

    private static final Logger LOG = LoggerFactory.getLogger(MatchCounts.class);

    private final Clock clock;
    private final Function<URI, ? extends SiteClaims> servers;

    /** @param servers opens the count of a server; without one, {@link #onThisMachine} */
    public MatchCounts(Clock clock, Function<URI, ? extends SiteClaims> servers) {
        this.clock = clock;
        this.servers = servers;
    }

    /** Ledgers only: the address of a server is refused with an {@link IllegalArgumentException}. */
    public static MatchCounts onThisMachine(Clock clock) {
        return new MatchCounts(clock, server -> {
            throw new IllegalArgumentException("a server's");
        });
    }

    /** @throws IllegalArgumentException if the address is none */
    @Override
    public SiteClaims at(String where) throws IOException {
        try {
            URI at = URI.create(where);
            return "file".equals(at.getScheme()) ? opened(Path.of(at)) : servers.apply(at);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The count (" + where + ") that the DAG's match is in is no address.", e);
        }
    }

    /**
     * The ledger of a folder, in order: what killed binders left half done is ended, and holders that have come to
     * their end have given their matches back, so far as their directories are in sight.
     */
    public SiteClaims ledger(Path directory) throws IOException {
        var matches = matches(directory);
        recoverHolders(matches);
        matches.releaseEnded(new EndedHolders(clock));
        return new LedgerClaims(directory, matches);
    }

    private SiteClaims opened(Path directory) throws IOException {
        return new LedgerClaims(directory, matches(directory));
    }

    private MatchLedger matches(Path directory) throws IOException {
        return new MatchLedger(directory, clock, new BindingEvidence());
    }

    /** The ledger must know where each DAG is. A DAG that moves at this moment is left alone. */
    private void recoverHolders(MatchLedger matches) {
        matches.held().stream().map(HeldMatch::holder).distinct().forEach(holder -> {
            try {
                Rebinding.recover(Path.of(holder), this);
            } catch (IOException | IllegalArgumentException | IllegalStateException e) {
                LOG.debug("{} is on its way still", holder, e);
            }
        });
    }
}
