package org.metasched.adapter.simulated;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;

/**
 * Several simulated sites under one clock that stands still until a test moves it.
 *
 * <pre>{@code
 * var grid = SimulatedGrid.at("2026-01-05T08:00:00Z").site("fzj", 64).site("scai", 32);
 * grid.site("scai").suffers(InjectedFault.FILL_UP);
 * }</pre>
 *
 * Thread-safe once all sites are there.
 */
public final class SimulatedGrid {

    private final SettableClock clock;
    private final Map<SiteId, SimulatedScheduler> sites = new LinkedHashMap<>();

    private SimulatedGrid(Instant now) {
        this.clock = new SettableClock(now);
    }

    /**
     * A grid at an instant.
     *
     * @param now instant in ISO 8601, such as {@code 2026-01-05T08:00:00Z}
     */
    public static SimulatedGrid at(String now) {
        return new SimulatedGrid(Instant.parse(now));
    }

    /** Adds a site of alike nodes without users of its own. */
    public SimulatedGrid site(String name, int nodes) {
        return site(new SimulatedSite(new SiteId(name)).nodes(nodes));
    }

    public SimulatedGrid site(SimulatedSite description) {
        sites.put(description.id, description.open(clock));
        return this;
    }

    /** @throws IllegalArgumentException when there is no such site */
    public SimulatedScheduler site(String name) {
        var site = sites.get(new SiteId(name));
        if (site == null) {
            throw new IllegalArgumentException(
                    "The site (" + name + ") is not in the grid; its sites are " + sites.keySet() + ".");
        }
        return site;
    }

    /** The sites in the order in which they were added. */
    public Collection<SimulatedScheduler> sites() {
        return Collections.unmodifiableCollection(sites.values());
    }

    /**
     * Lets another user hold nodes of a site.
     *
     * @param from time from now, in ISO 8601 such as {@code PT2H}
     * @param length duration, in the same form
     */
    public SimulatedGrid busy(String site, int nodes, String from, String length) {
        var key = new RequestKey("busy" + site(site).reservations().size());
        try {
            site(site).reserve(key, ResourceRequest.nodes(nodes, Duration.parse(length)), nowPlus(from));
        } catch (LocalSchedulerException e) {
            throw new IllegalArgumentException("Site " + site + " cannot be made busy: " + e.getMessage(), e);
        }
        return this;
    }

    public Clock clock() {
        return clock;
    }

    public Instant now() {
        return clock.instant();
    }

    /**
     * An instant after now.
     *
     * @param length duration in ISO 8601, such as {@code PT2H}
     */
    public Instant nowPlus(String length) {
        return now().plus(Duration.parse(length));
    }

    /** Moves the time of all sites. */
    public void advance(Duration time) {
        clock.advance(time);
    }
}
