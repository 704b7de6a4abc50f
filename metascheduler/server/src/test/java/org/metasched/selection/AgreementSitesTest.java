package org.metasched.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;
import org.metasched.client.AgreementView;
import org.metasched.client.AgreementView.SiteView;

class AgreementSitesTest {

    private static final Instant START = Instant.parse("2026-01-05T16:00:00Z");

    @Test
    void onlyItsSitesAreLeftAndEachSaysWhatIsReserved() throws Exception {
        var reserved = AgreementSites.of(
                agreement("fzj", "scai"),
                List.of(ClassAd.parse("[Name=\"cesca\"]"), ClassAd.parse("[Name=\"queue@fzj\"; Site=\"fzj\"]")));

        assertThat(reserved).hasSize(1);
        ClassAd ad = reserved.get(0);
        assertThat(ad.evaluate("Name").print()).isEqualTo("\"queue@fzj\"");
        assertThat(ad.evaluate("ReservationId").print()).isEqualTo("\"R;fzj\"");
        assertThat(ad.evaluate("ReservationStart").print()).isEqualTo(Long.toString(START.getEpochSecond()));
        assertThat(ad.evaluate("ReservationEnd").print()).isEqualTo(Long.toString(START.getEpochSecond() + 3600));
        assertThat(ad.evaluate("ReservationNodes").print()).isEqualTo("16");
    }

    @Test
    void theEnvironmentKeepsTheSitesSyntaxAndNoReservationEscapesFromIt() throws Exception {
        assertThat(environment("[Name=\"fzj\"]")).isEqualTo("METASCHED_RESERVATION=R_fzj");
        assertThat(environment("[Name=\"fzj\"; SiteEnvironment=\"A=/a\"]"))
                .isEqualTo("A=/a;METASCHED_RESERVATION=R_fzj");
        assertThat(environment("[Name=\"fzj\"; SiteEnvironment=\"\\\"A=/a B=b\\\"\"]"))
                .isEqualTo("\"A=/a B=b METASCHED_RESERVATION=R_fzj\"");
    }

    @Test
    void anAgreementThatHoldsNothingThereSaysWhatItIs() {
        var elsewhere = List.of(ClassAd.EMPTY.with("Name", "cesca"));

        assertThatThrownBy(() -> AgreementSites.of(agreement("fzj", "scai"), elsewhere))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The agreement (a-1) is Observed and holds nothing at a site that has an ad; its sites are"
                        + " [fzj, scai].");
    }

    private static String environment(String ad) throws Exception {
        ClassAd reserved =
                AgreementSites.of(agreement("fzj"), List.of(ClassAd.parse(ad))).get(0);
        return ((org.metasched.classad.Value.Text) reserved.evaluate("SiteEnvironment")).text();
    }

    private static AgreementView agreement(String... sites) {
        return new AgreementView(
                "a-1",
                "Observed",
                Optional.of(START),
                Optional.of(START.plusSeconds(3600)),
                Stream.of(sites)
                        .map(site -> new SiteView(
                                site,
                                "R;" + site,
                                16,
                                START,
                                START.plusSeconds(3600),
                                "PENDING",
                                List.of(),
                                List.of(),
                                Optional.empty()))
                        .toList(),
                1,
                2,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }
}
