package org.metasched.negotiation;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import org.metasched.adapter.LocalScheduler;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;

/**
 * Co-allocation inside a program, without a server: the given sites, the engine of the product, and a journal in memory. The journal ends
 * with the process, so it suits simulations, examples and tools that release their reservations. Thread-safe. {@link #close} stops calls
 * to sites; the schedulers stay open, as they belong to the caller.
 */
public final class EmbeddedGrid implements AutoCloseable {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofMinutes(10);
    private static final int CALLS_PER_SITE = 64;

    private final ExecutorService threads = FanOutExecutor.create();
    private final InMemoryJournal journal = new InMemoryJournal();
    private final ParallelNegotiation engine;

    /**
     * @param sites schedulers of the sites, each with another name
     * @param strategy the search for a common start
     * @param budget bounds of one negotiation
     * @param clock clock of the negotiations and of the sites
     */
    public EmbeddedGrid(
            Collection<? extends LocalScheduler> sites,
            SearchStrategy strategy,
            NegotiationBudget budget,
            Clock clock) {
        var calls = new SiteCalls(SiteDirectory.of(List.copyOf(sites)), threads, CALL_TIMEOUT, CALLS_PER_SITE);
        var sweeper = new OrphanSweeper(journal, calls, clock, GRACE);
        engine = new ParallelNegotiation(
                new NegotiationContext(calls, journal, sweeper, budget, clock), strategy, new Random());
    }

    public NegotiationEngine engine() {
        return engine;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
