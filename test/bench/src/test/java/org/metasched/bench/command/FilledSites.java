package org.metasched.bench.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedGrid;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;

/**
 * Simulated sites whose plans are filled at random, under a clock that stands still. Others hold powers of two of
 * nodes, for six hours to three days; a quarter more than the wanted load now, a quarter less at the end of the window.
 */
final class FilledSites {

    static final Duration WINDOW = Duration.ofDays(7);
    private static final int NODES = 128;
    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final int MOST_MISSES = 1000;
    private static final Duration SHORTEST = Duration.ofHours(6);
    private static final Duration LONGEST = Duration.ofHours(72);

    private final SimulatedGrid grid;

    FilledSites(int count, double load, long seed) throws LocalSchedulerException {
        // Begins earlier, so that what others hold has no beginning at now.
        grid = SimulatedGrid.at(NOW.minus(LONGEST).toString());
        for (int i = 0; i < count; i++) {
            String name = "site" + (i + 1);
            grid.site(
                    new SimulatedSite(new SiteId(name)).nodes(NODES).window(new PreviewWindow(WINDOW.multipliedBy(2))));
            fill(grid.site(name), load, new Random(seed * 1_000_003 + i));
        }
        grid.advance(LONGEST);
    }

    List<SimulatedScheduler> sites() {
        return List.copyOf(grid.sites());
    }

    Instant now() {
        return NOW;
    }

    private static void fill(SimulatedScheduler site, double load, Random random) throws LocalSchedulerException {
        double wanted = load * NODES * WINDOW.plus(LONGEST).toSeconds();
        int number = 0;
        for (int misses = 0; wanted > 0 && misses < MOST_MISSES; ) {
            var lead = lead(random);
            int nodes = 1 << random.nextInt(7);
            double stretch = Math.pow((double) LONGEST.toSeconds() / SHORTEST.toSeconds(), random.nextDouble());
            var length = Duration.ofSeconds((long) (SHORTEST.toSeconds() * stretch));
            var request = ResourceRequest.nodes(nodes, length);
            try {
                site.reserve(new RequestKey("other-" + number), request, NOW.plus(lead));
                number++;
                wanted -= nodes * (double) length.toSeconds();
            } catch (LocalSchedulerException.Refused full) {
                misses++;
            }
        }
    }

    /** From the past on; more often soon than late: the density falls in a line from 5/4 to 3/4 of its mean. */
    private static Duration lead(Random random) {
        while (true) {
            double x = random.nextDouble();
            if (random.nextDouble() * 1.25 <= 1.25 - 0.5 * x) {
                long seconds = (long) (x * WINDOW.plus(LONGEST).toSeconds());
                return Duration.ofSeconds(seconds).minus(LONGEST);
            }
        }
    }
}
