package org.metasched.dag.binding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;
import org.metasched.leases.MatchLeases;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the leases that notes of matches name: files of this machine by a {@code file:} address, servers by any other. Thread-safe. */
public final class LeaseLocator {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLocator.class);

    private final Clock clock;
    private final Function<URI, ? extends MatchLeases> servers;
    private final Map<Path, FileLeases> files = new ConcurrentHashMap<>();

    /** @param servers opens the leases of a server; without one, {@link #onThisMachine} */
    public LeaseLocator(Clock clock, Function<URI, ? extends MatchLeases> servers) {
        this.clock = clock;
        this.servers = servers;
    }

    /** Files only: the address of a server is refused with an {@link IllegalArgumentException}. */
    public static LeaseLocator onThisMachine(Clock clock) {
        return new LeaseLocator(clock, server -> {
            throw new IllegalArgumentException("a server's");
        });
    }

    /** @throws IllegalArgumentException if the address is none */
    public MatchLeases at(String where) {
        try {
            URI at = URI.create(where);
            return "file".equals(at.getScheme()) ? file(Path.of(at)) : servers.apply(at);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The count (" + where + ") that the DAG's match is in is no address.", e);
        }
    }

    private FileLeases file(Path directory) {
        return files.computeIfAbsent(directory, path -> new FileLeases(path, clock, new BindingEvidence()));
    }

    /**
     * The leases of a folder, in order: what killed binders left half done is ended, and holders that have come to
     * their end have given their matches back, so far as their directories are in sight. Its address.
     */
    public String settled(Path directory) {
        FileLeases leases = file(directory);
        leases.held().stream().map(Lease::holder).distinct().forEach(this::recover);
        leases.releaseEnded(new EndedHolders(clock));
        return FileLeases.whereOf(directory);
    }

    /** The file must know where each DAG is. A DAG that moves at this moment is left alone. */
    private void recover(String holder) {
        try {
            RebindTransaction.recover(Path.of(holder), this);
        } catch (IOException | UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            LOG.debug("{} is on its way still", holder, e);
        }
    }
}
