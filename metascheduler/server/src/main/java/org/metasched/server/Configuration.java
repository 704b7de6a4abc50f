package org.metasched.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.Settings;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.soap.introduction.ContactPolicy;
import org.metasched.store.DatabaseSettings;

/**
 * What a server is told, checked. Read from YAML by {@link ConfigurationFile}; the keys and their usual values stand in
 * {@code docs/operations.md}.
 *
 * @param listen where HTTP is served, port 0 for any free one
 * @param data folder of the embedded database and of what the matchmaker remembers
 * @param adapters folder of jars with more kinds of local schedulers
 * @param sites one mapping for each, read by {@link ConfiguredSites}
 * @param intervals of what is done by the clock
 * @param drain how long a stop waits for offers under way, and as long again for those it cuts off
 */
public record Configuration(
        InetSocketAddress listen,
        Path data,
        DatabaseSettings database,
        Optional<Path> adapters,
        List<Settings> sites,
        Negotiation negotiation,
        Matchmaking matchmaking,
        Intervals intervals,
        Duration drain) {

    public Configuration {
        sites = List.copyOf(sites);
    }

    /**
     * @param callTimeout of each message to a site
     * @param callsPerSite under way at the same time; more wait
     */
    public record Negotiation(
            SearchStrategy strategy, NegotiationBudget budget, Duration callTimeout, int callsPerSite) {}

    /**
     * @param cycleEvery between two matchmaking cycles
     * @param advertiseEvery between two ads of a site that the server advertises itself
     * @param usageHalfLife of the fair share
     * @param contacts which parties of a match are told of it, empty for none
     */
    public record Matchmaking(
            Duration cycleEvery, Duration advertiseEvery, Duration usageHalfLife, Optional<ContactPolicy> contacts) {}

    /**
     * @param monitorEvery between two looks at the reservations of living agreements
     * @param sweepEvery between two sweeps
     * @param grace how long a call may be under way to a site after its caller gave up
     * @param keepEnded how long agreements that came to their end are remembered
     */
    public record Intervals(Duration monitorEvery, Duration sweepEvery, Duration grace, Duration keepEnded) {}

    /** The same at another port. */
    public Configuration onPort(int port) {
        var address = new InetSocketAddress(listen.getAddress(), port);
        return new Configuration(address, data, database, adapters, sites, negotiation, matchmaking, intervals, drain);
    }
}
