package org.metasched.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.choice.FeasibleStarts;
import org.metasched.choice.PlaceOption;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.gang.DynamicGangmatcher;
import org.metasched.fakes.FakeSite;
import org.metasched.sites.SiteDirectory;

/** The selector over the ads of one moment, of which one offer asks several questions. */
class SelectorOfNowTest {

    private final List<ClassAd> ads = new ArrayList<>();
    private int readings;

    @BeforeEach
    void advertise() throws Exception {
        site("fzj", "ARM");
        site("scai", "ARM");
        site("kth", "X86_64");
    }

    @Test
    void readsTheAdsOnceForAllQuestions() throws Exception {
        var now = selector().ofNow();
        ads.remove(2);

        assertThat(sites(now.candidates(request(part("a", "true"))))).containsExactlyInAnyOrder("fzj", "scai", "kth");
        assertThat(sites(now.candidates(request(part("b", "Arch == \"ARM\"")))))
                .containsExactlyInAnyOrder("fzj", "scai");
        assertThat(now.clauses(request(part("c", "Arch == \"ARM\"")), List.of(part("c", "Arch == \"ARM\""))))
                .singleElement()
                .satisfies(clause -> assertThat(clause.words()).contains("2 of 3 ads meet it"));
        assertThat(readings).isEqualTo(1);
    }

    @Test
    void answersWhatIsAdvertisedWhenItIsAskedUnlessItIsOfOneMoment() throws Exception {
        var selector = selector();
        ads.remove(2);

        assertThat(sites(selector.candidates(request(part("a", "true"))))).containsExactlyInAnyOrder("fzj", "scai");
        assertThat(sites(selector.candidates(request(part("a", "true"))))).containsExactlyInAnyOrder("fzj", "scai");
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void rulesAreThoseOfTheirRequestAfterAnotherRequest() throws Exception {
        var now = selector().ofNow();
        var two = now.candidates(request(part("a", "true"), part("b", "Arch == part0.Arch")));
        var other = now.candidates(request(part("a", "Arch == \"X86_64\"")));

        assertThat(sites(other)).containsExactly("kth");
        var rule = two.rules().get(0);
        assertThat(rule.holds().test(List.of(option(two, 0, "fzj"), option(two, 1, "scai"))))
                .isTrue();
        assertThat(rule.holds().test(List.of(option(two, 0, "fzj"), option(two, 1, "kth"))))
                .isFalse();
    }

    @Test
    void partsThatSpeakOfOthersShareNoCandidatesWithPartsOfAnotherRequest() throws Exception {
        var now = selector().ofNow();

        // Of one part only, the clause speaks of a part that is not there.
        assertThat(sites(now.candidates(request(part("b", "Arch == part1.Arch")))))
                .isEmpty();
        assertThat(sites(now.candidates(request(part("b", "Arch == part1.Arch"), part("a", "true")))))
                .containsExactlyInAnyOrder("fzj", "scai", "kth");
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1_000})
    void aSiteThatNeedsManyNeighboursItselfIsACandidate(int neighbours) throws Exception {
        ads.clear();
        ads.add(ClassAd.parse(
                "[Name=\"fzj\"; MyType=\"Machine\"; TotalNodes=64; Ports={[Label=requester; Constraint=true],"
                        + " [Label=licence; Count=" + neighbours + "; Constraint=licence.MyType == \"License\"]}]"));
        for (int i = 0; i < neighbours; i++) {
            ads.add(ClassAd.parse("[Name=\"l" + i + "\"; Site=\"scai\"; MyType=\"License\"; Requirements=true]"));
        }

        assertThat(sites(selector().candidates(request(part("a", "true"))))).containsExactly("fzj");
    }

    private static PlaceOption option(Candidates candidates, int part, String site) {
        var place = candidates.places().get(part).stream()
                .filter(one -> one.site().value().equals(site))
                .findFirst()
                .orElseThrow();
        return new PlaceOption(place.advertised(), 1, FeasibleStarts.of(0, 10), 0, 0, place);
    }

    /** The sites of the first part. */
    private static List<String> sites(Candidates candidates) {
        return candidates.places().get(0).stream()
                .map(place -> place.site().value())
                .toList();
    }

    private SiteSelector selector() {
        var sites = Stream.of("fzj", "scai", "kth")
                .map(name -> new FakeSite(name, 1, Clock.systemUTC()))
                .toList();
        return new ClassAdSiteSelector(
                () -> {
                    readings++;
                    return List.copyOf(ads);
                },
                SiteDirectory.of(sites),
                new DynamicGangmatcher());
    }

    private void site(String name, String arch) throws ClassAdSyntaxException {
        ads.add(ClassAd.parse("[Name=\"" + name + "\"; MyType=\"Machine\"; TotalNodes=64; Arch=\"" + arch
                + "\"; Requirements=true]"));
    }

    private static RequestedPart part(String term, String requirements) {
        return new RequestedPart(
                term,
                "service",
                Optional.empty(),
                ResourceRequest.nodes(4, Duration.ofHours(1)),
                Optional.of(requirements),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static AgreementRequest request(RequestedPart... parts) {
        return new AgreementRequest(List.of(parts), Optional.empty(), Optional.empty());
    }
}
