package org.metasched.classad.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;

class MatchmakerTest {

    private final RankedMatchmaker matchmaker = new RankedMatchmaker();

    @Test
    void bestByRankThenByTheOffersRankThenFirst() {
        var job = ad("[ Size = 1; Requirements = TARGET.Memory >= 2; Rank = TARGET.Memory ]");
        var few = ad("[ Memory = 1; Requirements = true ]");
        var four = ad("[ Memory = 4; Requirements = true ]");
        var keen = ad("[ Memory = 4; Requirements = true; Rank = TARGET.Size ]");

        assertThat(best(job, few, four, keen, keen)).hasValue(2);
        assertThat(best(job, few, four, four)).hasValue(1);
        assertThat(best(job, few)).isEmpty();
        assertThat(best(job.with("Rank", "a word"), few, four, keen)).hasValue(2);
    }

    @Test
    void aClaimedOfferIsPreEmptedOnlyForWhomItLikesBetter() {
        var job = ad("[ Owner = \"raman\"; Requirements = true; Rank = TARGET.Memory ]");
        var idle = ad("[ Memory = 1; State = \"Unclaimed\"; Requirements = true; Rank = 0 ]");
        var content = ad("[ Memory = 9; State = \"Claimed\"; CurrentRank = 5; Requirements = true; Rank = 5 ]");
        var willing = content.with("Rank", 6);

        assertThat(best(job, idle, content)).hasValue(0);
        assertThat(matchmaker.match(job, List.of(idle, willing)).orElseThrow().preempts())
                .isTrue();
    }

    @Test
    void jobsThatDifferOnlyInWhatNobodyLooksAtAreOneAutocluster() {
        var pool = OfferPool.of(List.of(
                ad("[ Memory = 4; Requirements = TARGET.Owner == \"a\" ]"), ad("[ Memory = 1; Requirements = true ]")));
        pool.prepare();
        var clusters = new Autoclusters(pool);
        var job = ad("[ Owner = \"a\"; Name = \"1\"; Need = 2; Requirements = TARGET.Memory >= MY.Need ]");

        Autocluster cluster = clusters.of(job);

        assertThat(clusters.of(job.with("Name", "2").with("QDate", 5))).isSameAs(cluster);
        assertThat(clusters.of(job.with("Owner", "b"))).isNotSameAs(cluster);
        assertThat(clusters.of(job.with("Need", 3))).isNotSameAs(cluster);
        assertThat(clusters.all()).hasSize(3);
        assertThat(cluster.best(job).orElseThrow().number()).isZero();
    }

    @Test
    void customersThatOffersCouldTellApartShareNoAutocluster() {
        String need = "[ Need = %d; Requirements = %s; X = %s; Rank = %s ]";
        String[][] cases = {
            // attributes of the offer, then Requirements, X and Rank of the customers
            {"Policy = \"Need <= 64\"; Requirements = true", "eval(TARGET.Policy)", "0", "0"},
            {"Policy = TARGET.Need <= 64; Requirements = true", "TARGET.Policy", "0", "0"},
            {"Policy = TARGET.Need <= 64; Requirements = true", "strcat(TARGET.Policy) == \"true\"", "0", "0"},
            {"Requirements = true", "ad.Need <= 64", "0", "0"},
            {"Requirements = true", "LEFT.Need <= 64", "0", "0"},
            {"Requirements = true", "TARGET.other.Need <= 64", "0", "0"},
            {"Requirements = true", "leftRankValue <= 64", "0", "Need"},
            {"Requirements = eval(\"TARGET.Need <= 64\")", "true", "0", "0"},
            {"Memory = 64; Requirements = TARGET.X", "true", "MY.Need <= TARGET.Memory", "0"},
            {"Policy = TARGET.Need <= 64; Requirements = TARGET.X", "true", "TARGET.Policy", "0"},
        };
        for (String[] each : cases) {
            var pool = OfferPool.of(List.of(ad("[ " + each[0] + " ]")));
            pool.prepare();
            var clusters = new Autoclusters(pool);
            var large = ad(need.formatted(100, each[1], each[2], each[3]));
            var small = ad(need.formatted(10, each[1], each[2], each[3]));

            assertThat(clusters.of(large).best(large))
                    .as(String.join("; ", each))
                    .isEmpty();
            assertThat(clusters.of(small).best(small))
                    .as(String.join("; ", each))
                    .isPresent();
        }
    }

    @Test
    void customersThatNoOfferCouldTellApartShareAnAutocluster() {
        var machine = ad(
                "[ Memory = 64; Since = 5; Requirements = MY.Missing =?= undefined && CurrentTime > Since"
                        + " && self.Missing =!= 3 && TARGET.Need > 1; Rank = TARGET.Need * (MY.Missing =?= undefined ? 1 : 2) ]");
        var job = ad("[ Name = \"1\"; Need = Usage ?: 9; Requirements = TARGET.Memory > 5 && CurrentTime > 3"
                + " && MY.Missing =?= undefined; Rank = TARGET.Memory ]");
        var pool = OfferPool.of(List.of(machine));
        pool.prepare();
        var clusters = new Autoclusters(pool);

        Autocluster cluster = clusters.of(job);

        assertThat(cluster.best(job)).isPresent();
        assertThat(clusters.of(job.with("Name", "2"))).isSameAs(cluster);
        var other = job.with("Requirements", true).with("Missing", 5);
        assertThat(clusters.of(other).best(other))
                .as("MY is never the other ad")
                .isPresent();
    }

    @Test
    void anOfferRanksEachCustomerByWhatItsOwnAttributesMakeOfIt() {
        var pool = OfferPool.of(List.of(
                ad("[ Speed = 5; Rank = 0; Requirements = true ]"),
                ad("[ Speed = TARGET.Need; Rank = 0; Requirements = true ]")));
        pool.prepare();
        var clusters = new Autoclusters(pool);
        for (int need : List.of(10, 3, 10, 3)) {
            var job = ad("[ Need = %d; Requirements = true; Rank = TARGET.Speed ]".formatted(need));

            assertThat(clusters.of(job).best(job).orElseThrow().number()).isEqualTo(need > 5 ? 1 : 0);
        }
    }

    @Test
    void offersAreReadByEachNameOfTheOtherAd() {
        var small = ad("[ Memory = 32; Requirements = true ]");
        var large = ad("[ Memory = 128; Requirements = true ]");
        for (String name : List.of("RIGHT", "rCtx.ad", "lCtx.other", "ad.TARGET", "LEFT.other")) {
            var job = ad("[ Requirements = " + name + ".Memory >= 64 ]");

            for (var offers : List.of(List.of(small, large), List.of(large, small))) {
                assertThat(matchmaker.matchAll(job, OfferPool.of(offers)))
                        .as(name)
                        .extracting(Match::offer)
                        .containsExactly(large);
            }
        }
    }

    @Test
    void anOfferWhoseAdChangesDuringACycleIsSeenAsItIsNow() {
        var site = ad("[ CurMatches = 0; MaxMatches = 2; Requirements = CurMatches < MaxMatches; Rank = 0 ]");
        var job = ad("[ Requirements = true; Rank = -TARGET.CurMatches ]");
        var pool = OfferPool.of(List.of(site, site));
        pool.prepare();

        pool.replace(0, site.with("CurMatches", 1));
        Match second = matchmaker.match(job, pool).orElseThrow();
        pool.replace(1, site.with("CurMatches", 2));
        Match third = matchmaker.match(job, pool).orElseThrow();

        assertThat(second.number()).isEqualTo(1);
        assertThat(third.number()).isZero();
    }

    @Test
    void anOfferThatIsReplacedStandsForNoneOfThoseThatWereEqual() {
        var offer = ad("[ Low = 0; Memory = 2; Requirements = MY.Low + TARGET.Size > 0 ]");
        var small = offer.with("Memory", 1);
        var pool = OfferPool.of(List.of(offer, offer, offer, offer, small, small, small, small));
        pool.prepare();
        assertThat(matchmaker.match(ad("[ Size = 1; Requirements = TARGET.Memory == 2 ]"), pool))
                .isPresent();

        pool.replace(0, ad("[ Low = -9; Memory = 0; Requirements = MY.Low + TARGET.Size > 0 ]"));

        assertThat(best(pool, "[ Size = 2; Requirements = true ]")).isEqualTo(1);
        assertThat(best(pool, "[ Size = 10; Requirements = floor(TARGET.Memory) == 2 ]"))
                .isEqualTo(1);
        assertThat(best(pool, "[ Size = 10; Requirements = true; Rank = TARGET.Memory ]"))
                .isEqualTo(1);
    }

    @Test
    void anIndexFindsSpansOfMinusZero() {
        List<ClassAd> offers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            offers.add(ad(
                    "[ Span = " + (i == 70 ? "-relTime(0)" : "relTime(" + (i + 1) + ")") + "; Requirements = true ]"));
        }
        for (String zero : List.of("relTime(0)", "-relTime(0)")) {
            var pool = OfferPool.of(offers);
            pool.prepare();
            assertThat(best(pool, "[ Requirements = TARGET.Span == " + zero + " ]"))
                    .isEqualTo(70);
        }
    }

    private int best(OfferPool pool, String customer) {
        return matchmaker.match(ad(customer), pool).orElseThrow().number();
    }

    @Test
    void agreesWithTheEvaluatorOnRandomPools() {
        for (long seed = 0; seed < 1500; seed++) {
            var ads = new RandomAds(seed);
            List<ClassAd> offers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                offers.add(ads.ad());
            }
            ClassAd job = ads.ad();

            Optional<Integer> found = best(job, offers.toArray(ClassAd[]::new));

            assertThat(found).as("seed %d: %s among %s", seed, job, offers).isEqualTo(byDefinition(job, offers));
            PoolVerdict verdict = matchmaker.explain(job, OfferPool.of(offers));
            assertThat(verdict.matching())
                    .as("seed %d: %s among %s, %s", seed, job, offers, verdict)
                    .isEqualTo(countMatching(job, offers));
        }
    }

    /** Each count is what the evaluator finds when the customer's constraint is rewritten by hand. */
    @Test
    void theExplanationCountsWhatTheEvaluatorFindsWithoutAClauseOrWithAWeakerOne() throws Exception {
        int relaxed = 0;
        for (long seed = 0; seed < 1500; seed++) {
            var ads = new RandomAds(seed);
            List<ClassAd> offers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                offers.add(ads.ad());
            }
            ClassAd job = ads.ad();
            List<ClassAd> willing =
                    offers.stream().map(o -> o.with("Requirements", true)).toList();

            List<PoolVerdict.Clause> clauses =
                    matchmaker.explain(job, OfferPool.of(offers)).clauses();

            int matching = countMatching(job, offers);
            for (int i = 0; i < clauses.size(); i++) {
                PoolVerdict.Clause clause = clauses.get(i);
                String what = "seed %d: %s of %s among %s".formatted(seed, clause, job, offers);
                String rest = without(i, clauses);
                assertThat(clause.met())
                        .as(what)
                        .isEqualTo(countMatching(requiring(job, clause.expression()), willing));
                assertThat(clause.matchingWithout()).as(what).isEqualTo(countMatching(requiring(job, rest), offers));
                assertThat(clause.alone()).as(what).isEqualTo(clause.matchingWithout() - matching);
                for (PoolVerdict.Relaxation weaker : clause.relaxations()) {
                    relaxed++;
                    assertThat(weaker.matching())
                            .as(what)
                            .isGreaterThan(matching)
                            .isEqualTo(countMatching(
                                    requiring(job, "(" + rest + ") && (" + weaker.expression() + ")"), offers));
                }
            }
        }
        assertThat(relaxed).isGreaterThan(100);
    }

    private static String without(int dropped, List<PoolVerdict.Clause> clauses) {
        var rest = new StringJoiner(" && ").setEmptyValue("true");
        for (int i = 0; i < clauses.size(); i++) {
            if (i != dropped) {
                rest.add("(" + clauses.get(i).expression() + ")");
            }
        }
        return rest.toString();
    }

    private static ClassAd requiring(ClassAd job, String constraint) throws ClassAdSyntaxException {
        return job.with("Requirements", Expr.parse(constraint));
    }

    private static Optional<Integer> byDefinition(ClassAd job, List<ClassAd> offers) {
        record Liked(int number, double rank, double offerRank) {}
        var liked = new ArrayList<Liked>();
        for (int i = 0; i < offers.size(); i++) {
            var context = new MatchContext(LookupMode.OLD);
            context.left(job);
            context.right(offers.get(i));
            if (context.symmetricMatch()) {
                liked.add(new Liked(i, context.leftRank(), context.rightRank()));
            }
        }
        return liked.stream()
                .min(Comparator.comparingDouble(Liked::rank)
                        .thenComparingDouble(Liked::offerRank)
                        .reversed()
                        .thenComparingInt(Liked::number))
                .map(Liked::number);
    }

    private static int countMatching(ClassAd job, List<ClassAd> offers) {
        int count = 0;
        for (ClassAd offer : offers) {
            var context = new MatchContext(LookupMode.OLD);
            context.left(job);
            context.right(offer);
            count += context.symmetricMatch() ? 1 : 0;
        }
        return count;
    }

    private Optional<Integer> best(ClassAd job, ClassAd... offers) {
        var pool = OfferPool.of(List.of(offers));
        Optional<Integer> byPass = matchmaker.match(job, pool).map(Match::number);
        pool.prepare();
        Optional<Integer> byIndex = matchmaker.match(job, pool).map(Match::number);
        assertThat(byIndex).as("%s among %s", job, List.of(offers)).isEqualTo(byPass);
        return byIndex;
    }

    static ClassAd ad(String text) {
        try {
            return ClassAd.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new AssertionError(text, e);
        }
    }

    /** Ads with constraints of every kind the index knows, and of some it does not. */
    private static final class RandomAds {
        private final SplittableRandom random;

        RandomAds(long seed) {
            random = new SplittableRandom(seed);
        }

        ClassAd ad() {
            var text = new StringBuilder("[ ");
            for (String name : new String[] {"A", "B", "C"}) {
                if (random.nextInt(5) > 0) {
                    text.append(name).append(" = ").append(value()).append("; ");
                }
            }
            text.append("Start = ")
                    .append(clause())
                    .append("; Rank = ")
                    .append(pick("0", "TARGET.A", "B", "A - TARGET.C"));
            text.append("; Requirements = ").append(clause());
            for (int i = random.nextInt(3); i > 0; i--) {
                text.append(" && ").append(random.nextInt(8) == 0 ? "Start" : clause());
            }
            return MatchmakerTest.ad(text + " ]");
        }

        private String clause() {
            return switch (random.nextInt(10)) {
                case 0 -> "true";
                case 1 -> "TARGET.A " + operator() + " " + value();
                case 2 -> value() + " " + operator() + " other.B";
                case 3 -> "TARGET.A " + operator() + " MY.B";
                case 4 -> "C " + operator() + " TARGET.C";
                case 5 -> "(TARGET.A == 1 || TARGET.B > 1)";
                case 6 -> "member(TARGET.C, { 1, \"x\", 2.0 })";
                case 7 -> "!TARGET.B";
                case 8 -> "TARGET.A + C " + operator() + " B";
                default -> "(TARGET.Start ?: true)";
            };
        }

        private String value() {
            return pick("0", "1", "2", "1.0", "true", "\"x\"", "\"X\"", "undefined", "TARGET.A", "C");
        }

        private String operator() {
            return pick("==", "!=", "<", "<=", ">", ">=", "=?=", "=!=");
        }

        private String pick(String... choices) {
            return choices[random.nextInt(choices.length)];
        }
    }
}
