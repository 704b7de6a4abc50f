package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Dialect;
import org.metasched.classad.match.RankedMatchmaker;

class PaperGangTest {

    private static final Path PAPERS = Path.of(System.getProperty("metasched.shared", "../../shared"), "papers");

    @BeforeEach
    void needsThePapersAds() {
        assumeTrue(Files.isDirectory(PAPERS), "The papers' ads are not beside the checkout.");
    }

    @ParameterizedTest
    @EnumSource(GangAlgorithm.class)
    void jobWorkstationAndLicenceOfThe2003PaperFormAGang(GangAlgorithm algorithm) throws Exception {
        ClassAd job = ad("gangmatching-2003-fig2-job.ad");
        ClassAd workstation = ad("gangmatching-2003-fig3-workstation.ad");
        ClassAd license = ad("gangmatching-2003-fig4-license.ad");

        var outcome = GangCycle.run(List.of(PortedAd.of(job)), new GangPool(List.of(license, workstation)), algorithm);

        assertThat(outcome.gangs()).isEqualTo(1);
        Gang gang = outcome.assignments().get(0).gang().orElseThrow();
        assertThat(gang.root().dockings().get(0).members().get(0).ad().ad()).isEqualTo(workstation);
        assertThat(gang.root().dockings().get(1).members().get(0).ad().ad()).isEqualTo(license);
        assertThat(Definition.violations(gang)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(GangAlgorithm.class)
    void aLicenceForAnotherHostMakesNoGang(GangAlgorithm algorithm) throws Exception {
        ClassAd job = ad("gangmatching-2003-fig2-job.ad");
        ClassAd workstation = ad("gangmatching-2003-fig3-workstation.ad");
        ClassAd license = ad("gangmatching-2003-fig4-license.ad").with("ValidHost", "bar.cs.wisc.edu");

        var outcome = GangCycle.run(List.of(PortedAd.of(job)), new GangPool(List.of(workstation, license)), algorithm);

        assertThat(outcome.gangs()).isZero();
    }

    @Test
    void theJobOfThe1998PaperMatchesItsWorkstation() throws Exception {
        ClassAd job = ad("matchmaking-1998-fig2-job.ad");
        ClassAd workstation = ad("matchmaking-1998-fig1-workstation.ad");
        var matchmaker = new RankedMatchmaker();

        var match = matchmaker.match(job, List.of(workstation)).orElseThrow();

        assertThat(match.rank()).isEqualTo(21893 / 1E3 + 64 / 32);
        assertThat(match.offerRank()).isEqualTo(10.0);
        assertThat(matchmaker.match(job.with("Owner", "riffraff"), List.of(workstation)))
                .isEmpty();
        assertThat(matchmaker.match(job.with("Owner", "tannenba"), List.of(workstation)))
                .isPresent();
        assertThat(matchmaker.match(job.with("Owner", "tannenba"), List.of(workstation.with("KeyboardIdle", 900))))
                .isEmpty();
    }

    private static ClassAd ad(String file) throws IOException, ClassAdSyntaxException {
        return ClassAd.parse(Files.readString(PAPERS.resolve(file)), Dialect.PAPER);
    }
}
