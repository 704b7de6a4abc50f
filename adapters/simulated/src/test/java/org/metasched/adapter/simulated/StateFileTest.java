package org.metasched.adapter.simulated;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.durable.FullDiskContract;

class StateFileTest extends FullDiskContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    @Override
    protected Keeper open(Path folder) throws Exception {
        var site = new SimulatedSite(new SiteId("fzj"))
                .nodes(64)
                .stateFile(folder.resolve("fzj.state"))
                .open(SimulatedGrid.at(NOW.toString()).clock());
        return new Keeper() {
            @Override
            public void change(int number) throws Exception {
                site.reserve(
                        new RequestKey("meta-" + number),
                        ResourceRequest.nodes(2, Duration.ofHours(1)),
                        NOW.plusSeconds(3600L * (number + 1)));
            }

            @Override
            public List<Integer> changes() throws Exception {
                return site.held().stream()
                        .map(one -> (int) Duration.between(
                                                NOW, one.reservation().slot().start())
                                        .toHours()
                                - 1)
                        .sorted()
                        .toList();
            }
        };
    }
}
