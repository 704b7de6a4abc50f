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
 * Co-allocation inside a program, without a server: the given sites, the engine of the product, and a journal in memory. What it holds
 * at a site is forgotten when the process dies, so it suits simulations, examples and tools that release what they reserve. Thread-safe;
 * {@link #close} stops calls to sites that are still under way and leaves the schedulers open, which belong to the caller.
 */
public final class EmbeddedGrid implements AutoCloseable {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofMinutes(10);
    private static final int CALLS_PER_SITE = 64;

    private final ExecutorService threads = FanOutExecutor.create();
    private final InMemoryJournal journal = new InMemoryJournal();
    private final ParallelNegotiation engine;

    /**
     * @param sites each under a name of its own
     * @param strategy the search for a common start
     * @param budget bounds of one negotiation
     * @param clock clock that the sites follow, too
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
