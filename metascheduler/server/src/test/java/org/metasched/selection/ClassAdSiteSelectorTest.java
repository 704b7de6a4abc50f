package org.metasched.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.gang.DynamicGangmatcher;
import org.metasched.sites.SiteDirectory;

class ClassAdSiteSelectorTest {

    private final List<ClassAd> ads = new ArrayList<>();

    @Test
    void placesEveryOpenPartAtADifferentSiteTheLeastLoadedFirst() throws Exception {
        site("fzj", 4, 10, "X86_64");
        site("scai", 1, 10, "X86_64");
        site("cesca", 9, 10, "X86_64");

        var placings = selector("fzj", "scai", "cesca").place(request(nodes("a", "true"), nodes("b", "true")), 10);

        assertThat(placings.get(0).parts().stream()
                        .map(part -> part.site().orElseThrow().value()))
                .containsExactly("scai", "fzj");
        assertThat(placings).hasSize(6);
        assertThat(placings).doesNotHaveDuplicates();
        assertThat(placings)
                .allSatisfy(placing -> assertThat(placing.parts().stream().map(RequestedPart::site))
                        .doesNotHaveDuplicates());
    }

    @Test
    void laterPlacingsAreNeverLikedBetterThanEarlierOnes() throws Exception {
        int[] load = {5, 2, 8, 1, 9, 3};
        for (int i = 0; i < load.length; i++) {
            site("s" + i, load[i], 10, "X86_64");
        }

        var placings = selector("s0", "s1", "s2", "s3", "s4", "s5")
                .place(request(nodes("a", "true"), nodes("b", "true"), nodes("c", "true")), 100);

        var loads = placings.stream()
                .map(placing -> placing.parts().stream()
                        .mapToInt(part -> load[part.site().orElseThrow().value().charAt(1) - '0'])
                        .sum())
                .toList();
        assertThat(loads).isSorted().hasSize(100);
    }

    @Test
    void fullSitesAndSitesThatDoNotSatisfyAreLeftOut() throws Exception {
        site("full", 10, 10, "X86_64");
        site("arm", 0, 10, "ARM");
        site("good", 5, 10, "X86_64");
        site("unconfigured", 0, 10, "X86_64");

        var selector = selector("full", "arm", "good");

        assertThat(sitesOf(selector.place(request(nodes("a", "Arch == \"X86_64\"")), 10)))
                .containsExactly("good");
        assertThat(sitesOf(selector.place(request(nodes("a", "TARGET.Arch == \"ARM\"")), 10)))
                .containsExactly("arm");
        assertThat(selector.place(request(nodes("a", "Arch == \"VAX\"")), 10)).isEmpty();
    }

    @Test
    void aLicenceIsChosenThatIsValidAtTheChosenSite() throws Exception {
        site("fzj", 0, 10, "X86_64");
        site("scai", 1, 10, "X86_64");
        ads.add(ClassAd.parse("[Name=\"matlab@scai\"; Site=\"licences\"; MyType=\"License\"; App=\"matlab\";"
                + " ValidSite=\"scai\"; Requirements=true]"));
        var licence = new RequestedPart(
                "licence",
                "all",
                Optional.empty(),
                new ResourceRequest(new Need.Licences("matlab", 1), Duration.ofHours(1), Optional.empty()),
                Duration.ZERO,
                Optional.of("ValidSite == part0.Name"));

        var placings = selector("fzj", "scai", "licences").place(request(nodes("a", "true"), licence), 10);

        assertThat(placings)
                .singleElement()
                .satisfies(placing -> assertThat(
                                placing.parts().stream().map(part -> part.site().orElseThrow()))
                        .containsExactly(new SiteId("scai"), new SiteId("licences")));
    }

    @Test
    void partsThatNameTheirSiteStayWhereTheyAre() throws Exception {
        site("fzj", 0, 10, "X86_64");
        site("scai", 1, 10, "X86_64");

        var placings = selector("fzj", "scai")
                .place(
                        request(
                                RequestedPart.at("fzj", ResourceRequest.nodes(4, Duration.ofHours(1))),
                                nodes("b", "Name != \"fzj\"")),
                        10);

        assertThat(placings)
                .singleElement()
                .satisfies(placing -> assertThat(placing.parts().stream()
                                .map(part -> part.site().orElseThrow().value()))
                        .containsExactly("fzj", "scai"));
    }

    @Test
    void aConstraintThatDoesNotParseIsNamedWithItsTerm() throws Exception {
        site("fzj", 0, 10, "X86_64");

        assertThatThrownBy(() -> selector("fzj").place(request(nodes("a", "Arch ==")), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("term a");
    }

    private static List<String> sitesOf(List<AgreementRequest> placings) {
        return placings.stream()
                .map(placing -> placing.parts().get(0).site().orElseThrow().value())
                .toList();
    }

    private ClassAdSiteSelector selector(String... configured) {
        List<SiteId> ids = java.util.Arrays.stream(configured).map(SiteId::new).toList();
        var directory = new SiteDirectory() {
            @Override
            public List<SiteId> sites() {
                return ids;
            }

            @Override
            public Optional<LocalScheduler> find(SiteId site) {
                return Optional.empty();
            }
        };
        return new ClassAdSiteSelector(() -> ads, directory, new DynamicGangmatcher());
    }

    private void site(String name, int cur, int max, String arch) throws ClassAdSyntaxException {
        ads.add(ClassAd.parse("[Name=\"" + name + "\"; MyType=\"Machine\"; CurMatches=" + cur + "; MaxMatches=" + max
                + "; TotalNodes=64; Arch=\"" + arch + "\"; Requirements = CurMatches < MaxMatches]"));
    }

    private static AgreementRequest request(RequestedPart... parts) {
        return new AgreementRequest(List.of(parts), Optional.empty(), Optional.empty());
    }

    private static RequestedPart nodes(String term, String requirements) {
        return new RequestedPart(
                term,
                "all",
                Optional.empty(),
                ResourceRequest.nodes(16, Duration.ofHours(1)),
                Duration.ZERO,
                Optional.of(requirements));
    }
}
