package org.metasched.agreement.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.fakes.TestGrid;

class RuntimeBindingTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestGrid grid = new TestGrid();
    private final SimulatedScheduler fzj = nodes("fzj", 8);
    private final SimulatedScheduler scai = nodes("scai", 4);
    private final SimulatedScheduler viola = grid.open(
            clock -> new SimulatedSite(new SiteId("viola")).bandwidth(10_000).open(clock));
    private final TestGrid.Started started = grid.start();

    @AfterEach
    void end() {
        grid.close();
    }

    @Test
    void theNetworkLearnsTheNodesWhenTheJobStartsAndNotBefore() throws Exception {
        busyForAnHour();
        var made = create("fzj", "scai", "viola");

        started.monitor.poll();
        var before = viola.bound(idAt(made, 2));
        grid.clock.advance(HOUR);
        started.monitor.poll();

        assertThat(before).isEmpty();
        assertThat(viola.bound(idAt(made, 2))).isEqualTo(nodesOf(made)).hasSize(4);
    }

    @Test
    void eachComputeSiteGetsAMachineFileOverAllOfThem() throws Exception {
        var made = create("fzj", "scai", "viola");

        started.monitor.poll();

        String expected = String.join("\n", nodesOf(made)) + "\n";
        assertThat(fzj.published(idAt(made, 0))).containsEntry("machinefile", expected);
        assertThat(scai.published(idAt(made, 1))).containsEntry("machinefile", expected);
        assertThat(viola.published(idAt(made, 2))).isEmpty();
    }

    @Test
    void theNetworkIsToldOnceForEachChange() throws Exception {
        var made = create("fzj", "scai", "viola");
        started.monitor.poll();
        viola.bind(idAt(made, 2), List.of("mark"));
        started.monitor.poll();
        var unchanged = viola.bound(idAt(made, 2));
        var broken = nodesOf(made).get(0);

        fzj.failNodes(Set.of(broken));
        started.monitor.poll();

        assertThat(unchanged).containsExactly("mark");
        assertThat(viola.bound(idAt(made, 2)))
                .doesNotContain("mark", broken)
                .hasSize(4)
                .isEqualTo(nodesOf(stored(made)));
        assertThat(scai.published(idAt(made, 1)).get("machinefile")).doesNotContain(broken);
    }

    @Test
    void aNetworkThatIsDownWhenTheJobStartsIsToldWhenItIsBack() throws Exception {
        busyForAnHour();
        var made = create("fzj", "scai", "viola");
        grid.clock.advance(HOUR);

        viola.goesDown();
        started.monitor.poll();
        var whileDown = viola.bound(idAt(made, 2));
        viola.comesBack();
        started.monitor.poll();

        assertThat(whileDown).isEmpty();
        assertThat(viola.bound(idAt(made, 2))).isEqualTo(nodesOf(made));
    }

    @Test
    void aChangeThatANetworkDidNotTakeIsToldAgain() throws Exception {
        var made = create("fzj", "scai", "viola");
        started.monitor.poll();
        var first = viola.bound(idAt(made, 2));

        fzj.failNodes(Set.of(nodesOf(made).get(0)));
        viola.goesDown();
        started.monitor.poll();
        var whileDown = viola.bound(idAt(made, 2));
        viola.comesBack();
        started.monitor.poll();

        assertThat(whileDown).isEqualTo(first);
        assertThat(viola.bound(idAt(made, 2))).isEqualTo(nodesOf(stored(made))).isNotEqualTo(first);
    }

    @Test
    void afterARestartTheNetworkIsToldOnceMore() throws Exception {
        var made = create("fzj", "scai", "viola");
        started.monitor.poll();
        viola.bind(idAt(made, 2), List.of("stale"));

        grid.start().monitor.poll();

        assertThat(viola.bound(idAt(made, 2))).isEqualTo(nodesOf(made));
    }

    @Test
    void aSiteThatNamesNoNodesAndTakesNoFilesHoldsUpNobody() throws Exception {
        grid.site("plain", 8);
        var both = grid.start();
        var made = create(both, "plain", "fzj", "viola");

        both.monitor.poll();

        assertThat(viola.bound(idAt(made, 2))).isEqualTo(nodesOf(made)).hasSize(2);
    }

    @Test
    void anAgreementWithoutANetworkIsLeftAlone() throws Exception {
        var made = create("fzj", "scai");

        started.monitor.poll();

        assertThat(fzj.published(idAt(made, 0))).isEmpty();
    }

    private SimulatedScheduler nodes(String name, int count) {
        return grid.open(
                clock -> new SimulatedSite(new SiteId(name)).nodes(count).open(clock));
    }

    private void busyForAnHour() throws Exception {
        fzj.reserve(new RequestKey("busy"), ResourceRequest.nodes(8, HOUR), grid.clock.instant());
    }

    private Agreement create(String... sites) throws InterruptedException {
        return create(started, sites);
    }

    private Agreement create(TestGrid.Started server, String... sites) throws InterruptedException {
        var parts = new ArrayList<RequestedPart>();
        for (var site : sites) {
            Need need = site.equals("viola") ? new Need.Bandwidth(1000) : new Need.Nodes(2);
            parts.add(RequestedPart.at(site, new ResourceRequest(need, HOUR, Optional.empty())));
        }
        return ((Created) server.service.offer(grid.offer("o1", parts))).agreement();
    }

    private Agreement stored(Agreement agreement) {
        return grid.memory.find(agreement.id()).orElseThrow();
    }

    private static ReservationId idAt(Agreement agreement, int part) {
        return agreement.commitments().get(part).reservation().id();
    }

    private static List<String> nodesOf(Agreement agreement) {
        return agreement.commitments().stream()
                .flatMap(c -> c.reservation().nodeNames().stream())
                .toList();
    }
}
