package org.metasched.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.choice.Choice;
import org.metasched.choice.ChoiceBranch;
import org.metasched.choice.ChoicePart;
import org.metasched.choice.FeasibleStarts;
import org.metasched.choice.PlaceOption;
import org.metasched.choice.Preference;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.gang.DynamicGangmatcher;
import org.metasched.fakes.FakeSite;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.sites.SiteDirectory;

class ClassAdSiteSelectorTest {

    private static final int WORLDS = Integer.getInteger("metasched.worlds", 1_000);

    private final List<ClassAd> ads = new ArrayList<>();

    @Test
    void placesAlikePartsAtEachSetOfSitesOnceTheLeastLoadedFirst() throws Exception {
        site("fzj", 4, 10, "X86_64");
        site("scai", 1, 10, "X86_64");
        site("cesca", 9, 10, "X86_64");

        var placings = places(selector("fzj", "scai", "cesca"), request(nodes("a", "true"), nodes("b", "true")), 10);

        assertThat(placings.get(0)).containsExactlyInAnyOrder("scai", "fzj");
        assertThat(placings).hasSize(3);
        assertThat(placings).doesNotHaveDuplicates();
        assertThat(placings).allSatisfy(placing -> assertThat(placing).doesNotHaveDuplicates());
    }

    @Test
    void laterPlacingsAreNeverLikedBetterThanEarlierOnes() throws Exception {
        int[] load = {5, 2, 8, 1, 9, 3};
        for (int i = 0; i < load.length; i++) {
            site("s" + i, load[i], 10, "X86_64");
        }

        var placings = places(
                selector("s0", "s1", "s2", "s3", "s4", "s5"),
                request(nodes("a", "true"), nodes("b", "true"), nodes("c", "true")),
                100);

        var loads = placings.stream()
                .map(placing -> placing.stream()
                        .mapToInt(site -> load[site.charAt(1) - '0'])
                        .sum())
                .toList();
        assertThat(loads).isSorted().hasSize(20);
    }

    @Test
    void aRankOfThePartsOwnTakesThePlaceOfTheMatchesThatAreLeft() throws Exception {
        site("small", 0, 10, "X86_64");
        site("large", 9, 30, "X86_64");
        site("arm", 0, 20, "ARM");
        var selector = selector("small", "large", "arm");

        assertThat(ranks(selector, "MaxMatches - 2 * DurationSeconds / 3600"))
                .containsExactlyInAnyOrder("small 8.0", "large 28.0", "arm 18.0");
        assertThat(ranks(selector, "TARGET.Arch == \"ARM\"")).contains("arm 1.0", "large 0.0");
        assertThatThrownBy(() -> selector.check(request(nodes("a", "Arch =="))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The constraint of term a is not a ClassAd expression");
        assertThatThrownBy(() -> ranks(selector, "MaxMatches -"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The rank of term a is not a ClassAd expression");
    }

    private static List<String> ranks(ClassAdSiteSelector selector, String rank) {
        var plain = nodes("a", "true");
        var part = new RequestedPart(
                plain.term(),
                plain.service(),
                plain.site(),
                plain.request(),
                plain.requirements(),
                Optional.of(rank),
                Optional.empty(),
                Optional.empty());
        return selector.candidates(request(part)).places().get(0).stream()
                .map(place -> place.site() + " " + place.rank())
                .toList();
    }

    @Test
    void fullSitesAndSitesThatDoNotSatisfyAreLeftOut() throws Exception {
        site("full", 10, 10, "X86_64");
        site("arm", 0, 10, "ARM");
        site("good", 5, 10, "X86_64");
        site("unconfigured", 0, 10, "X86_64");

        var selector = selector("full", "arm", "good");

        assertThat(places(selector, request(nodes("a", "Arch == \"X86_64\"")), 10))
                .containsExactly(List.of("good"));
        assertThat(places(selector, request(nodes("a", "TARGET.Arch == \"ARM\"")), 10))
                .containsExactly(List.of("arm"));
        assertThat(selector.candidates(request(nodes("a", "Arch == \"VAX\""))).whyNone())
                .hasValueSatisfying(why -> assertThat(why).contains("Term a", "VAX"));
    }

    @Test
    void eachClauseSaysWhatItCostsAndWhichValuesWouldHelp() throws Exception {
        site("fzj", 0, 10, "X86_64");
        site("scai", 0, 10, "ARM");
        site("cesca", 0, 10, "ARM");

        var clauses = clauses(selector("fzj", "scai", "cesca"), nodes("a", "Arch == \"VAX\" && MaxMatches >= 20"));

        assertThat(clauses).hasSize(2);
        assertThat(clauses.get(0).words())
                .contains("Clause Arch == \"VAX\": 0 of 3 ads meet it; without it 0 would do instead of 0")
                .contains("ARM");
        assertThat(clauses(selector("fzj", "scai"), nodes("a", "(Arch == \"ARM\")")))
                .extracting(SiteSelector.Clause::words)
                .containsExactly("Clause Arch == \"ARM\": 1 of 2 ads meet it; without it 2 would do instead of 1.");
        assertThat(clauses(selector("fzj", "scai"), nodes("a", "Arch == \"ARM\""))
                        .get(0)
                        .easier())
                .containsExactly("(Arch is \"X86_64\" || Arch == \"ARM\")", "true");
        assertThat(clauses(selector("fzj", "scai"), nodes("a", "MaxMatches >= 20 && Arch == \"ARM\""))
                        .get(0)
                        .easier())
                .containsExactly("(MaxMatches >= 10) && (Arch == \"ARM\")", "(Arch == \"ARM\")");
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
                Optional.of("ValidSite == part0.Name"));

        var placings = places(selector("fzj", "scai", "licences"), request(nodes("a", "true"), licence), 10);

        assertThat(placings).containsExactly(List.of("scai", "licences"));
    }

    @Test
    void partsThatNameTheirSiteAreNotAskedAbout() throws Exception {
        site("fzj", 0, 10, "X86_64");
        site("scai", 1, 10, "X86_64");

        var placings = places(
                selector("fzj", "scai"),
                request(
                        RequestedPart.at("fzj", ResourceRequest.nodes(4, Duration.ofHours(1))),
                        nodes("b", "Name != \"fzj\"")),
                10);

        assertThat(placings).containsExactly(List.of("scai"));
    }

    @Test
    void aConstraintThatDoesNotParseIsNamedWithItsTerm() throws Exception {
        site("fzj", 0, 10, "X86_64");

        assertThatThrownBy(() -> selector("fzj").candidates(request(nodes("a", "Arch =="))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("term a");
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1_000, 1_001, 1_500, 2_000})
    void everyAdThatMatchesIsACandidateHoweverManyThereAre(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            site("s" + i, i, count, "X86_64");
        }

        var candidates = selector(names()).candidates(request(nodes("a", "true")));

        assertThat(candidates.places().get(0).stream().map(place -> place.site().value()))
                .containsExactly(names());
    }

    /** One of the wishes that random worlds are asked for: in ClassAds, and in Java. */
    private record Wanted(String requirements, Predicate<RandomSite> holds) {}

    private record RandomSite(String name, boolean arm, int total, int accepted) {
        static RandomSite of(String name, Random random) {
            return new RandomSite(name, random.nextInt(3) == 0, random.nextInt(40), random.nextInt(40));
        }

        /** Ads that differ by their name only are parsed once. */
        ClassAd ad(Map<RandomSite, ClassAd> parsed) throws ClassAdSyntaxException {
            var kind = new RandomSite("", arm, total, accepted);
            if (!parsed.containsKey(kind)) {
                parsed.put(
                        kind,
                        ClassAd.parse("[Name=\"\"; MyType=\"Machine\"; TotalNodes=" + total + "; Arch=\""
                                + (arm ? "ARM" : "X86_64") + "\"; Requirements = TARGET.RequestNodes <= " + accepted
                                + "]"));
            }
            return parsed.get(kind).with("Name", name);
        }
    }

    @Test
    void candidatesOfRandomWorldsAreThoseOfAPlainLoop() throws Exception {
        int[] blocks = {0, 1, 2, 63, 64, 65, 998, 999, 1_000, 1_001, 1_002, 1_998, 1_999, 2_000};
        var wanted = List.of(
                new Wanted("Arch == \"ARM\"", RandomSite::arm),
                new Wanted("true", site -> true),
                new Wanted("TotalNodes % 7 == 3 || Arch == \"ARM\"", site -> site.total % 7 == 3 || site.arm),
                new Wanted("TotalNodes < 30 && Arch != \"ARM\"", site -> site.total < 30 && !site.arm));
        var parsed = new HashMap<RandomSite, ClassAd>();
        for (int seed = 0; seed < WORLDS; seed++) {
            var random = new Random(seed);
            int count = seed % 3 < 2 ? blocks[random.nextInt(blocks.length)] : random.nextInt(2_001);
            var wish = wanted.get(seed % wanted.size());
            ads.clear();
            var expected = new ArrayList<String>();
            for (int i = 0; i < count; i++) {
                var site = RandomSite.of("s" + i, random);
                ads.add(site.ad(parsed));
                if (wish.holds.test(site) && site.total >= 16 && site.accepted >= 16) {
                    expected.add(site.name);
                }
            }

            var candidates = selector(names()).candidates(request(nodes("a", wish.requirements)));

            assertThat(candidates.places().get(0).stream()
                            .map(place -> place.site().value())
                            .toList())
                    .as("seed %s, %s ads", seed, count)
                    .isEqualTo(expected);
        }
    }

    @Test
    void equalPartsShareTheirCandidatesAndTenThousandAreRankedInOnePass() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            site("s" + i, i % 97, 100, "X86_64");
        }
        var selector = selector(names());
        var request = request(nodes("a", "true"), nodes("b", "true"), nodes("c", "true"), nodes("d", "true"));
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();

        var places = selector.candidates(request).places();

        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(places.get(0)).hasSize(10_000).isSortedAccordingTo(Comparator.comparingDouble(p -> -p.rank()));
        assertThat(places).allSatisfy(one -> assertThat(one).isSameAs(places.get(0)));
    }

    @Test
    void theClausesOfEqualPartsAreToldOnce() throws Exception {
        site("fzj", 0, 10, "X86_64");
        var parts =
                List.of(nodes("a", "TotalNodes >= 99"), nodes("b", "TotalNodes >= 99"), nodes("c", "TotalNodes >= 98"));

        assertThat(selector("fzj").clauses(request(parts.toArray(RequestedPart[]::new)), parts))
                .extracting(SiteSelector.Clause::words)
                .satisfiesExactly(
                        words -> assertThat(words).startsWith("Clause TotalNodes >= 99: 0 of 1 ads"),
                        words -> assertThat(words).startsWith("Clause TotalNodes >= 98: 0 of 1 ads"));
    }

    @Test
    void aClauseThatSpeaksOfAnotherPartIsJudgedWithIt() throws Exception {
        ads.add(ClassAd.parse("[Name=\"fzj\"; MyType=\"Machine\"; Region=\"west\"; Requirements=true]"));
        ads.add(ClassAd.parse("[Name=\"scai\"; MyType=\"Machine\"; Region=\"west\"; Requirements=true]"));
        var selector = selector("fzj", "scai");

        var near = nodes("b", "Region == part0.Region");
        var far = nodes("b", "Region != part0.Region && Region isnt undefined");

        assertThat(selector.clauses(request(nodes("a", "true"), near), List.of(near))
                        .get(0)
                        .words())
                .isEqualTo("Clause Region == part0.Region: some ads of part0 and part1 meet it together.");
        assertThat(selector.clauses(request(nodes("a", "true"), far), List.of(far)))
                .extracting(SiteSelector.Clause::words)
                .satisfiesExactly(
                        words -> assertThat(words)
                                .isEqualTo(
                                        "Clause Region != part0.Region: none of the 2 ads that suit the rest of term b meets it with any ad of part0."),
                        words -> assertThat(words).startsWith("Clause Region isnt undefined: 2 of 2 ads meet it"));
    }

    @Test
    void whatAnotherPartMustHaveDoesNotCostAPartItsCandidates() throws Exception {
        site("fzj", 0, 10, "X86_64");
        site("scai", 1, 10, "X86_64");

        var placings = places(
                selector("fzj", "scai"),
                request(nodes("a", "true"), nodes("b", "part0.Name isnt undefined && Name != part0.Name")),
                10);

        assertThat(placings).containsExactlyInAnyOrder(List.of("fzj", "scai"), List.of("scai", "fzj"));
    }

    @Test
    void aRuleBetweenTwoPartsIsJudgedWithoutTheRulesThatTheyHaveWithOthers() throws Exception {
        site("fzj", 0, 10, "ARM");
        site("scai", 1, 10, "ARM");
        site("cesca", 2, 10, "ARM");
        site("kth", 3, 10, "X86_64");

        var placings = places(
                selector("fzj", "scai", "cesca", "kth"),
                request(
                        nodes("a", "true"),
                        nodes("b", "Arch == part0.Arch"),
                        nodes("c", "Arch == part1.Arch"),
                        nodes("d", "Arch != part2.Arch")),
                1);

        assertThat(placings).hasSize(1);
        assertThat(placings.get(0).subList(0, 3)).containsExactlyInAnyOrder("fzj", "scai", "cesca");
        assertThat(placings.get(0).get(3)).isEqualTo("kth");
    }

    private static List<SiteSelector.Clause> clauses(SiteSelector selector, RequestedPart part) {
        return selector.clauses(request(part), List.of(part));
    }

    private String[] names() {
        return ads.stream()
                .map(ad -> ClassAdSiteSelector.siteOf(ad).orElseThrow())
                .toArray(String[]::new);
    }

    /** The sites of the best ways to place the open parts, if every site is free at all times. */
    private static List<List<String>> places(ClassAdSiteSelector selector, AgreementRequest request, int most) {
        var candidates = selector.candidates(request);
        var parts = candidates.places().stream()
                .map(places -> ChoicePart.oneOf(places.stream()
                        .map(place -> new PlaceOption(
                                place.advertised(), 1, FeasibleStarts.of(0, 10), place.rank(), place.cost(), place))
                        .toList()))
                .toList();
        var branch = new ChoiceBranch(parts, candidates.rules());
        return Choice.decide(List.of(branch), 0, 10, Preference.RANK, most, Choice.MOST_STEPS).plans().stream()
                .map(plan -> plan.picks().stream()
                        .map(picks -> ((Place) picks.get(0).tag()).site().value())
                        .toList())
                .toList();
    }

    private ClassAdSiteSelector selector(String... configured) {
        var sites = Stream.of(configured)
                .map(name -> new FakeSite(name, 1, Clock.systemUTC()))
                .toList();
        return new ClassAdSiteSelector(() -> ads, SiteDirectory.of(sites), new DynamicGangmatcher());
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
                Optional.of(requirements));
    }
}
