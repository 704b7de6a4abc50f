package org.metasched.claims;

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
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.dag.DagLimits;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.ClaimingBinder;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.SiteClaims;

class MatchCountsTest {

    @TempDir
    private Path folder;

    @Test
    void aProgramBindsClaimsAndGivesBackWithoutTheCommandLine() throws Exception {
        var counts = MatchCounts.onThisMachine(Clock.systemUTC());
        var claims = counts.ledger(folder.resolve("ledger"));
        var binder = new ClaimingBinder(
                new DagBinder(DagBinder.Options.of(Map.of())), new RankedMatchmaker(), claims, counts);
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
        assertThat(ClaimingBinder.release(out, counts)).isTrue();
        assertThat(binder.plan(dag, job, ads)).isPresent();
    }

    @Test
    void whoeverOpensALedgerGivesBackWhatHasEndedAndNothingThatIsOutOfSight() throws Exception {
        var counts = MatchCounts.onThisMachine(Clock.systemUTC());
        Path ledger = folder.resolve("ledger");
        var binder = new ClaimingBinder(
                new DagBinder(DagBinder.Options.of(Map.of())), new RankedMatchmaker(), counts.ledger(ledger), counts);
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; MaxMatches=1; Requirements=true; SiteEnvironment=\"\"]");
        NestedDag dag = dag();
        DagJobAd job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        Path out = Files.createDirectories(folder.resolve("mount")).resolve("out");
        assertThat(binder.bind(dag, job, List.of(ad), out)).isPresent();

        Files.move(folder.resolve("mount"), folder.resolve("elsewhere"));
        assertThat(counts.ledger(ledger).take(ad, "/dags/2", 1)).isEmpty();
        Files.createDirectory(folder.resolve("mount"));
        assertThat(counts.ledger(ledger).take(ad, "/dags/2", 1)).isEmpty();

        Files.delete(folder.resolve("mount"));
        Files.move(folder.resolve("elsewhere"), folder.resolve("mount"));
        Files.createFile(out.resolve("metasched-finished"));
        assertThat(counts.at(LedgerClaims.whereOf(ledger)).take(ad, "/dags/2", 1))
                .isEmpty();
        assertThat(counts.ledger(ledger).take(ad, "/dags/2", 1)).isPresent();
    }

    @Test
    void anAddressThatIsNoFileIsAServers() throws Exception {
        var asked = new ArrayList<URI>();
        SiteClaims server = MatchCounts.onThisMachine(Clock.systemUTC()).ledger(folder);
        var counts = new MatchCounts(Clock.systemUTC(), where -> {
            asked.add(where);
            return server;
        });

        assertThat(counts.at("http://grid:8080")).isSameAs(server);
        assertThat(asked).containsExactly(URI.create("http://grid:8080"));
        assertThat(counts.at(LedgerClaims.whereOf(folder)).where()).isEqualTo(LedgerClaims.whereOf(folder));
        assertThat(asked).hasSize(1);
    }

    @Test
    void whatIsNoAddressIsNamed() {
        var counts = MatchCounts.onThisMachine(Clock.systemUTC());

        for (String bad : List.of("not an address", "file:relative", "http://grid:8080")) {
            assertThatThrownBy(() -> counts.at(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The count (" + bad + ") that the DAG's match is in is no address.");
        }
    }

    private NestedDag dag() throws IOException {
        Path own = Files.createDirectories(folder.resolve("dag"));
        Files.writeString(own.resolve("step.sub"), "executable = run.sh\nqueue\n");
        Files.writeString(own.resolve("group.dag"), "JOB A step.sub\n");
        return NestedDag.read(own.resolve("group.dag"), DagLimits.DEFAULT);
    }
}
