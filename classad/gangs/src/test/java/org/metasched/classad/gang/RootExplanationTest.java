package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.match.PoolVerdict;

class RootExplanationTest {

    private static final long SEED = Long.getLong("metasched.gang.seed", 1L);

    @Test
    void countsForEachPortWhatItsClausesAndTheOffersOwnConditionsCost() throws Exception {
        var root = root("[ Name = \"j\"; Type = \"Job\"; Image = 90; Ports = {"
                + " [ Label = cpu; Constraint = cpu.Memory >= 64 && cpu.Arch == \"ALPHA\" ] } ]");
        var pool = pool(
                "[ Name = \"a\"; Memory = 32; Arch = \"ALPHA\"; Requirements = true ]",
                "[ Name = \"b\"; Memory = 64; Arch = \"ALPHA\"; Requirements = TARGET.Image < 50 ]",
                "[ Name = \"c\"; Memory = 64; Arch = \"ALPHA\"; Ports = {"
                        + " [ Label = requester; Constraint = requester.Image < 70 ] } ]",
                "[ Name = \"d\"; Memory = 64; Arch = \"SUN\"; Requirements = true ]");

        RootExplanation explanation = RootExplanation.of(root, pool);

        PoolVerdict cpu = explanation.ports().get(0).verdict();
        assertThat(cpu.clauses()).extracting(PoolVerdict.Clause::met).containsExactly(3, 3);
        assertThat(cpu.clauses()).extracting(PoolVerdict.Clause::alone).containsExactly(1, 1);
        assertThat(cpu.clauses().get(0).relaxations())
                .containsExactly(new PoolVerdict.Relaxation("cpu.Memory >= 32", 1));
        assertThat(cpu.refusals())
                .containsExactly(
                        new PoolVerdict.Refusal("TARGET.Image < 50", 1, 1, "Image is 90"),
                        new PoolVerdict.Refusal("requester.Image < 70", 1, 1, "Image is 90"));
        assertThat(explanation.reasons()).contains("Port cpu: 0 of 4 offers may dock.");
    }

    /** An offer with several ports is one offer in every count. */
    @Test
    void anOfferThatMatchesAtOnePortIsNotCountedAgainAtAnother() throws Exception {
        var root = root("[ Name = \"j\"; Ports = {"
                + " [ Label = cpu; Constraint = cpu.Memory >= 32 && cpu.Arch == \"ALPHA\" ] } ]");
        var pool = pool(
                "[ Name = \"m\"; Ports = { [ Label = a; Memory = 64; Arch = \"ALPHA\"; Constraint = true ],"
                        + " [ Label = b; Memory = 16; Arch = \"ALPHA\"; Constraint = true ] } ]",
                "[ Name = \"n\"; Ports = { [ Label = a; Memory = 8; Arch = \"ALPHA\"; Constraint = true ],"
                        + " [ Label = b; Memory = 16; Arch = \"ALPHA\"; Constraint = true ],"
                        + " [ Label = c; Memory = 64; Arch = \"SUN\"; Constraint = true ] } ]");

        PoolVerdict cpu = RootExplanation.of(root, pool).ports().get(0).verdict();

        assertThat(cpu.offers()).isEqualTo(2);
        assertThat(cpu.matching()).isEqualTo(1);
        assertThat(cpu.clauses())
                .extracting(PoolVerdict.Clause::matchingWithout)
                .containsExactly(2, 2);
        assertThat(cpu.clauses()).extracting(PoolVerdict.Clause::alone).containsExactly(1, 1);
        assertThat(cpu.clauses().get(0).relaxations())
                .containsExactly(new PoolVerdict.Relaxation("cpu.Memory >= 16", 2));
        assertThat(cpu.clauses().get(1).relaxations())
                .extracting(PoolVerdict.Relaxation::matching)
                .containsExactly(2);
    }

    @Test
    void namesThePortThatRunsOutOnceOthersAreBound() throws Exception {
        var root = root("[ Name = \"j\"; Ports = { [ Label = cpu; Constraint = cpu.Kind == \"m\" ],"
                + " [ Label = licence; Constraint = licence.Kind == \"l\" && licence.Part == cpu.Part ] } ]");
        var pool = pool(
                "[ Name = \"m1\"; Kind = \"m\"; Part = 1; Requirements = true ]",
                "[ Name = \"m2\"; Kind = \"m\"; Part = 2; Requirements = true ]",
                "[ Name = \"l3\"; Kind = \"l\"; Part = 3; Requirements = true ]");

        RootExplanation explanation = RootExplanation.of(root, pool);

        assertThat(explanation.ports())
                .extracting(port -> port.verdict().matching())
                .containsExactly(2, 1);
        assertThat(explanation.ports().get(1).verdict().waiting())
                .containsExactly(new PoolVerdict.Waiting("licence.Part == cpu.Part", List.of("cpu")));
        RootExplanation.DeadEnd end = explanation.deadEnds().get(0);
        assertThat(end.port()).isEqualTo("cpu");
        assertThat(end.given()).containsExactly(new RootExplanation.Bound("licence", "l3"));
        assertThat(end.verdict().clauses())
                .anySatisfy(clause -> assertThat(clause.sees()).isEqualTo("licence.Part is 3"));
    }

    @Test
    void anOfferWhoseOwnPortNobodyFillsIsNamed() throws Exception {
        var root = root("[ Name = \"j\"; Ports = { [ Label = tree; Constraint = tree.Kind == \"t\" ] } ]");
        var pool = pool(
                "[ Name = \"oak\"; Kind = \"t\"; Ports = { [ Label = requester; Constraint = true ],"
                        + " [ Label = leaf; Constraint = leaf.Kind == \"leaf\" ] } ]",
                "[ Name = \"m1\"; Kind = \"m\"; Requirements = true ]");

        RootExplanation.DeadEnd end = RootExplanation.of(root, pool).deadEnds().get(0);

        assertThat(end.port()).isEqualTo("leaf of oak");
        assertThat(end.given()).containsExactly(new RootExplanation.Bound("tree", "oak"));
    }

    @Test
    void whatOthersTookBeforeIsToldApartFromWhatIsNotThere() throws Exception {
        var root = root("[ Name = \"j\"; Ports = { [ Label = cpu; Constraint = cpu.Kind == \"m\" ] } ]");
        var pool = pool("[ Name = \"m1\"; Kind = \"m\"; Requirements = true ]");
        pool.consume(new DynamicGangmatcher().marshal(root, pool).gang().orElseThrow());

        RootExplanation explanation = RootExplanation.of(root, pool);

        assertThat(explanation.ports().get(0).available()).isZero();
        assertThat(explanation.reasons())
                .containsExactly(
                        "Port cpu: 1 of 1 offers may dock; others before took all of them.",
                        "Alone it would get a gang: others before it took what it needs.");
        assertThat(pool.isAvailable(0)).isFalse();
    }

    @Test
    void aClauseCostsTheOffersThatWouldMatchWithoutItWhateverPortsTheyHave() throws Exception {
        int costly = 0;
        for (long seed = SEED * 5_000_011; seed < SEED * 5_000_011 + 300; seed++) {
            var pools = new RandomPools(seed);
            var pool = new GangPool(pools.offers());
            for (ClassAd ad : pools.roots()) {
                for (var port : RootExplanation.of(PortedAd.of(ad), pool).ports()) {
                    PoolVerdict verdict = port.verdict();
                    for (PoolVerdict.Clause clause : verdict.clauses()) {
                        costly += clause.alone() > 0 ? 1 : 0;
                        assertThat(clause.alone())
                                .as("seed %d: %s", seed, clause)
                                .isEqualTo(clause.matchingWithout() - verdict.matching());
                        assertThat(clause.relaxations())
                                .as("seed %d: %s", seed, clause)
                                .allSatisfy(weaker -> assertThat(weaker.matching())
                                        .isBetween(verdict.matching() + 1, clause.matchingWithout()));
                    }
                }
            }
        }
        assertThat(costly).isGreaterThan(100);
    }

    /** With one port, and offers without more, what may dock is what a gang can be made with. */
    @Test
    void theOffersThatMayDockAreThoseTheDefinitionTakesOneByOne() throws Exception {
        System.out.println("Explained pools, seed " + SEED);
        int compared = 0;
        for (long seed = SEED * 3_000_017; seed < SEED * 3_000_017 + 1_500; seed++) {
            var pools = new RandomPools(seed);
            List<ClassAd> roots = pools.roots();
            List<ClassAd> offers = pools.offers();
            offers.removeIf(offer -> PortedAd.of(offer).ports().size() > 1);
            for (ClassAd ad : roots) {
                PortedAd root = PortedAd.of(ad);
                if (root.ports().size() == 1) {
                    compared++;
                    int alone = 0;
                    for (ClassAd offer : offers) {
                        alone += new NaiveGangmatcher()
                                        .marshal(ad, List.of(offer))
                                        .isPresent()
                                ? 1
                                : 0;
                    }
                    assertThat(RootExplanation.of(root, new GangPool(offers))
                                    .ports()
                                    .get(0)
                                    .verdict()
                                    .matching())
                            .as("seed %d: %s among %s", seed, ad, offers)
                            .isEqualTo(alone);
                }
            }
        }
        assertThat(compared).isGreaterThan(300);
    }

    @Test
    void everyRootWithoutGangIsToldWhichPortFailsIt() throws Exception {
        for (long seed = SEED * 5_000_011; seed < SEED * 5_000_011 + 1_000; seed++) {
            var pools = new RandomPools(seed);
            List<ClassAd> roots = pools.roots();
            var pool = new GangPool(pools.offers());
            for (ClassAd ad : roots) {
                PortedAd root = PortedAd.of(ad);
                if (new NaiveGangmatcher().marshal(root, pool).gang().isEmpty()) {
                    RootExplanation explanation = RootExplanation.of(root, pool);
                    boolean portAlone = explanation.ports().stream()
                            .anyMatch(port -> port.verdict().matching() < port.least());
                    assertThat(portAlone || !explanation.deadEnds().isEmpty())
                            .as("seed %d: %s, %s", seed, ad, explanation)
                            .isTrue();
                }
            }
        }
    }

    private static PortedAd root(String text) throws ClassAdSyntaxException {
        return PortedAd.of(ClassAd.parse(text));
    }

    private static GangPool pool(String... texts) throws ClassAdSyntaxException {
        var ads = new ArrayList<ClassAd>();
        for (String text : texts) {
            ads.add(ClassAd.parse(text));
        }
        return new GangPool(ads);
    }
}
