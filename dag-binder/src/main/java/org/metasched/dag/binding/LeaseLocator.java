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
import org.slf4j.LoggerFactory;

/** Opens the leases that notes of matches name: files of this machine by a {@code file:} address, servers by any other. Thread-safe. */
public final class LeaseLocator {

    private final Clock clock;
    private final Function<URI, ? extends MatchLeases> servers;
    private final Map<Path, FileLeases> files = new ConcurrentHashMap<>();

    /** @param servers opener of the leases of a server, by its address; without servers use {@link #onThisMachine} */
    public LeaseLocator(Clock clock, Function<URI, ? extends MatchLeases> servers) {
        this.clock = clock;
        this.servers = servers;
    }

    /** Files only: the address of a server is refused with an {@link IllegalArgumentException}. */
    public static LeaseLocator onThisMachine(Clock clock) {
        return new LeaseLocator(clock, server -> {
            throw new IllegalArgumentException("it is a server's, and only files of this machine are opened here");
        });
    }

    /** @throws IllegalArgumentException if {@code where} is no address, or the address cannot be opened here */
    public MatchLeases at(String where) {
        try {
            URI address = URI.create(where);
            return "file".equals(address.getScheme()) ? file(Path.of(address)) : servers.apply(address);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The ledger (" + where + ") of the DAG's match cannot be opened: " + e.getMessage() + ".", e);
        }
    }

    private FileLeases file(Path directory) {
        return files.computeIfAbsent(directory, path -> new FileLeases(path, clock, new BindingEvidence()));
    }

    /**
     * Settles the leases of a folder: completes or undoes what killed binders left unfinished, and releases the matches of ended
     * holders whose directories are visible.
     *
     * @return the folder's address
     */
    public String settle(Path directory) {
        FileLeases leases = file(directory);
        leases.held().stream().map(Lease::holder).distinct().forEach(this::recover);
        leases.releaseEnded(new EndedHolders(clock));
        return FileLeases.whereOf(directory);
    }

    /** Recovers one DAG before the ledger is read: its lease may name a directory that it has left. A DAG being moved is left alone. */
    private void recover(String holder) {
        try {
            RebindTransaction.recover(Path.of(holder), this);
        } catch (IOException | UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            LoggerFactory.getLogger(LeaseLocator.class).debug("{} is still being moved", holder, e);
        }
    }
}
