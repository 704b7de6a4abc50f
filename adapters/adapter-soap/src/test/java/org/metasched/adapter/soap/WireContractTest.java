package org.metasched.adapter.soap;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedGrid;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.testkit.KitSettings;
import org.metasched.adapter.testkit.LocalSchedulerContract;

/** The numbered rules against simulated sites with the wire between: RemoteScheduler, SOAP, AdapterEndpoint. */
class WireContractTest {

    abstract static class BehindSoap extends LocalSchedulerContract {
        private final SimulatedGrid grid = SimulatedGrid.at("2026-01-05T08:00:07.250Z");
        private Optional<AdapterHost> host = Optional.empty();

        abstract SimulatedSite describe(SimulatedSite site);

        /** What local users have there. */
        void occupy(SimulatedGrid busy) {}

        ResourceRequest request() {
            return ResourceRequest.nodes(8, Duration.ofHours(2));
        }

        @Override
        protected LocalScheduler scheduler() {
            var site = new SiteId("fzj");
            var scheduler = grid.site(describe(new SimulatedSite(site))).site("fzj");
            occupy(grid);
            host = Optional.of(AdapterHost.start(scheduler, 0));
            return RemoteScheduler.at(site, host.get().endpoint());
        }

        @Override
        protected KitSettings settings() {
            return new KitSettings(request(), Duration.ofMinutes(30), grid.clock(), Optional.of(grid::advance));
        }

        @AfterEach
        void stop() {
            host.ifPresent(AdapterHost::close);
        }
    }

    @Nested
    class BusySite extends BehindSoap {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(64);
        }

        @Override
        void occupy(SimulatedGrid busy) {
            busy.busy("fzj", 60, "PT20M", "PT3H").busy("fzj", 30, "PT5H", "PT10H");
        }
    }

    @Nested
    class SiteThatBooksWholeMinutes extends BehindSoap {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.nodes(64).window(new PreviewWindow(Duration.ofDays(7), Duration.ofMinutes(1)));
        }

        @Override
        ResourceRequest request() {
            return new ResourceRequest(
                    new Need.Nodes(5, 1, new TreeSet<>(Collections.emptySet())),
                    Duration.ofSeconds(4_711),
                    Optional.empty());
        }
    }

    @Nested
    class NetworkLink extends BehindSoap {
        @Override
        SimulatedSite describe(SimulatedSite site) {
            return site.bandwidth(10_000);
        }

        @Override
        ResourceRequest request() {
            return new ResourceRequest(new Need.Bandwidth(1000), Duration.ofHours(1), Optional.empty());
        }
    }
}
