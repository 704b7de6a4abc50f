package org.metasched.adapter.simulated;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.testkit.KitSettings;
import org.metasched.adapter.testkit.LocalSchedulerContract;

/** The numbered rules against simulated sites of all kinds. */
class SimulatedContractTest {

    abstract static class OnAGrid extends LocalSchedulerContract {
        private final SimulatedGrid grid = SimulatedGrid.at("2026-01-05T08:00:07.250Z");

        abstract SimulatedSite describe(SimulatedSite site);

        ResourceRequest request() {
            return ResourceRequest.nodes(8, Duration.ofHours(2));
        }

        @Override
        protected LocalScheduler scheduler() {
            return grid.site(describe(new SimulatedSite(new SiteId("fzj")))).site("fzj");
        }

        @Override
        protected KitSettings settings() {
            return new KitSettings(request(), Duration.ofMinutes(30), grid.clock(), Optional.of(grid::advance));
        }
    }

    @Nested
    class IdleSite extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(64);
        }
    }

    @Nested
    class BusySiteWithConservativeBackfilling extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(64).workload(LublinFeitelson.generate(64, 2000, 7).withLoad(0.7));
        }
    }

    @Nested
    class BusySiteWithEasyBackfilling extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(64)
                    .backfilling(SimulatedSite.Backfilling.EASY)
                    .workload(LublinFeitelson.generate(64, 2000, 8).withLoad(0.6));
        }
    }

    @Nested
    class BusySiteThatNamesNodesAtTheStart extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(64)
                    .namesNodesWhenTheyStart()
                    .backfilling(SimulatedSite.Backfilling.EASY)
                    .workload(LublinFeitelson.generate(64, 2000, 8).withLoad(0.6));
        }
    }

    @Nested
    class SiteThatBooksWholeMinutes extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(64)
                    .window(new PreviewWindow(Duration.ofDays(7), Duration.ofMinutes(1)))
                    .workload(LublinFeitelson.generate(64, 2000, 9).withLoad(0.7));
        }

        @Override
        ResourceRequest request() {
            return ResourceRequest.nodes(5, Duration.ofSeconds(4_711));
        }
    }

    @Nested
    class DedicatedNodes extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(60)
                    .dedicatedNodes(4, 8, Set.of("viz"))
                    .workload(LublinFeitelson.generate(60, 1000, 3).withLoad(0.9));
        }

        @Override
        ResourceRequest request() {
            var need = new Need.Nodes(2, 8, Collections.unmodifiableSortedSet(new TreeSet<>(Set.of("viz"))));
            return new ResourceRequest(need, Duration.ofMinutes(10), Optional.empty());
        }
    }

    @Nested
    class NetworkLink extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.bandwidth(10_000);
        }

        @Override
        ResourceRequest request() {
            return new ResourceRequest(new Need.Bandwidth(2_500), Duration.ofMinutes(10), Optional.empty());
        }
    }

    @Nested
    class Licences extends OnAGrid {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.licences("fluent", 12);
        }

        @Override
        ResourceRequest request() {
            return new ResourceRequest(new Need.Licences("fluent", 4), Duration.ofMinutes(10), Optional.empty());
        }
    }
}
