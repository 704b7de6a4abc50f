package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchRoom;

class LeaseLocatorTest {

    @TempDir
    private Path folder;

    @Test
    void aProgramBindsClaimsAndGivesBackWithoutTheCommandLine() throws Exception {
        var locator = LeaseLocator.onThisMachine(Clock.systemUTC());
        var binder = new LeasingBinder(
                new DagBinder(DagBinder.Options.of(Map.of())), locator.settle(folder.resolve("ledger")), locator);
        List<ClassAd> ads =
                List.of(ClassAd.parse("[Name=\"wisc\"; MaxMatches=1; CurMatches=0; Requirements=CurMatches<MaxMatches;"
                        + " SiteEnvironment=\"\"]"));
        NestedDag dag = dag();
        DagJobAd job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        Path out = folder.resolve("out");

        assertThat(binder.plan(dag, job, ads).orElseThrow().directory()).isEmpty();
        assertThat(out).doesNotExist();
        BoundDag bound = binder.bind(dag, job, ads, out).orElseThrow();
        assertThat(bound.record().site()).isEqualTo("wisc");
        assertThat(binder.plan(dag, job, ads)).isEmpty();
        assertThat(binder.bind(dag, job, ads, folder.resolve("second"))).isEmpty();
        assertThat(LeasingBinder.release(out, locator)).isTrue();
        assertThat(binder.plan(dag, job, ads)).isPresent();
    }

    @Test
    void whoeverOpensALedgerGivesBackWhatHasEndedAndNothingThatIsOutOfSight() throws Exception {
        var locator = LeaseLocator.onThisMachine(Clock.systemUTC());
        Path ledger = folder.resolve("ledger");
        var binder = new LeasingBinder(new DagBinder(DagBinder.Options.of(Map.of())), locator.settle(ledger), locator);
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; MaxMatches=1; Requirements=true; SiteEnvironment=\"\"]");
        NestedDag dag = dag();
        DagJobAd job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        Path out = Files.createDirectories(folder.resolve("mount")).resolve("out");
        assertThat(binder.bind(dag, job, List.of(ad), out)).isPresent();

        Files.move(folder.resolve("mount"), folder.resolve("elsewhere"));
        assertThat(locator.at(locator.settle(ledger)).acquire(request(ad))).isEmpty();
        Files.createDirectory(folder.resolve("mount"));
        assertThat(locator.at(locator.settle(ledger)).acquire(request(ad))).isEmpty();

        Files.delete(folder.resolve("mount"));
        Files.move(folder.resolve("elsewhere"), folder.resolve("mount"));
        Files.createFile(out.resolve("metasched-finished"));
        assertThat(locator.at(FileLeases.whereOf(ledger)).acquire(request(ad))).isEmpty();
        assertThat(locator.at(locator.settle(ledger)).acquire(request(ad))).isPresent();
    }

    @Test
    void anAddressThatIsNoFileIsAServers() throws Exception {
        var asked = new ArrayList<URI>();
        MatchLeases server = new FileLeases(folder, Clock.systemUTC(), lease -> Sight.UNSEEN);
        var locator = new LeaseLocator(Clock.systemUTC(), where -> {
            asked.add(where);
            return server;
        });

        assertThat(locator.at("http://grid:8080")).isSameAs(server);
        assertThat(asked).containsExactly(URI.create("http://grid:8080"));
        assertThat(locator.at(FileLeases.whereOf(folder))).isInstanceOf(FileLeases.class);
        assertThat(asked).hasSize(1);
    }

    @Test
    void whatIsNoAddressIsNamed() {
        var locator = LeaseLocator.onThisMachine(Clock.systemUTC());

        assertThatThrownBy(() -> locator.at("http://grid:8080"))
                .hasMessage("The ledger (http://grid:8080) of the DAG's match cannot be opened:"
                        + " it is a server's, and only files of this machine are opened here.");
        for (String bad : List.of("not an address", "file:relative", "http://grid:8080")) {
            assertThatThrownBy(() -> locator.at(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("The ledger (" + bad + ") of the DAG's match cannot be opened: ");
        }
    }

    private static LeaseRequest request(ClassAd ad) {
        return new LeaseRequest("wisc", MatchRoom.of(ad), "/dags/2", Claimant.here(), 1);
    }

    @Test
    void aMatchWithoutANameIsNamed() {
        var note = new MatchNote("none", "wisc", "file:///x", MatchNote.KEEP_FAILED, ClassAd.EMPTY);

        assertThatThrownBy(note::lease)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The match (none) in the DAG's note must be the id of a lease.");
    }

    private NestedDag dag() throws IOException {
        Path own = Files.createDirectories(folder.resolve("dag"));
        Files.writeString(own.resolve("run.sh"), "");
        Files.writeString(own.resolve("step.sub"), "executable = run.sh\nqueue\n");
        Files.writeString(own.resolve("group.dag"), "JOB A step.sub\n");
        return NestedDag.read(own.resolve("group.dag"));
    }
}
