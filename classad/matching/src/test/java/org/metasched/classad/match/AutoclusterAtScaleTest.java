package org.metasched.classad.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;

/** Pools large enough that offers are found in the order of rank, and ranges by steps: small ones take other ways. */
class AutoclusterAtScaleTest {

    private static final int OFFERS = 2_000;
    private static final int JOBS = 120;

    @Tag("full")
    @Test
    void theBestOfferIsTheOneTheEvaluatorLikesBestAmongThoseLeft() throws Exception {
        for (long seed = 1; seed <= 3; seed++) {
            var random = new SplittableRandom(seed);
            List<ClassAd> offers = new ArrayList<>();
            for (int i = 0; i < OFFERS; i++) {
                offers.add(offer(random));
            }
            var pool = OfferPool.of(offers);
            if (seed > 1) {
                pool.prepare();
            }
            var clusters = new Autoclusters(pool);
            int matched = 0;

            for (int i = 0; i < JOBS; i++) {
                ClassAd job = job(random);
                int expected = bestByDefinition(job, offers, pool);

                int found = clusters.of(job).best(job).map(Match::number).orElse(-1);

                assertThat(found).as("seed %d, job %s", seed, job.print()).isEqualTo(expected);
                if (found >= 0) {
                    pool.consume(found);
                    matched++;
                }
            }
            assertThat(matched).as("matches, seed %d", seed).isBetween(JOBS / 4, JOBS - 1);
        }
    }

    /** An element of the other side's list means what the caller has: customers with another value are another autocluster. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void listsOfTheOtherSideAreReadInThePlaceOfTheCall(boolean offersAsk) throws Exception {
        var random = new SplittableRandom(9);
        List<ClassAd> offers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            offers.add(ClassAd.parse("[ Boss = \"b%d\"; Friends = { \"x\", %s }; Rank = 0; Requirements = %s ]"
                    .formatted(
                            random.nextInt(4),
                            pick(random, "Boss", "\"b1\"", "Chief", "{ Boss }"),
                            offersAsk
                                    ? pick(random, "member(Boss, TARGET.Friends)", "size(TARGET.Friends) < 3")
                                    : "true")));
        }
        var pool = OfferPool.of(offers);
        pool.prepare();
        var clusters = new Autoclusters(pool);

        for (int i = 0; i < 60; i++) {
            ClassAd job = ClassAd.parse(
                    "[ Boss = \"b%d\"; %s Friends = { Boss, \"b0\" }; Rank = %s; Requirements = member(\"b%d\", TARGET.Friends) ]"
                            .formatted(
                                    random.nextInt(4),
                                    pick(random, "", "Chief = \"b2\";"),
                                    pick(random, "0", "join(TARGET.Friends) == \"xb3\""),
                                    random.nextInt(4)));

            int found = clusters.of(job).best(job).map(Match::number).orElse(-1);

            assertThat(found).as("job %s", job.print()).isEqualTo(bestByDefinition(job, offers, pool));
        }
    }

    private static int bestByDefinition(ClassAd job, List<ClassAd> offers, OfferPool pool) {
        int best = -1;
        double bestRank = 0.0;
        for (int i = 0; i < offers.size(); i++) {
            ClassAd offer = offers.get(i);
            Scope mine = Scope.matching(job, offer, LookupMode.OLD);
            if (pool.isAvailable(i)
                    && job.evaluate("Requirements", mine).satisfies()
                    && offer.evaluate("Requirements", Scope.matching(offer, job, LookupMode.OLD))
                            .satisfies()) {
                double rank = job.evaluate("Rank", mine).rank();
                if (best < 0 || rank > bestRank) {
                    best = i;
                    bestRank = rank;
                }
            }
        }
        return best;
    }

    private static ClassAd offer(SplittableRandom random) throws ClassAdSyntaxException {
        String speed = random.nextInt(20) == 0 ? "\"fast\"" : String.valueOf(random.nextInt(30));
        String disk = random.nextInt(50) == 0 ? "" : "Disk = " + random.nextInt(1_500) + "; ";
        String memory = pick(random, "1", "2", "4.0", "8", "\"much\"", "undefined");
        return ClassAd.parse("[ Memory = " + memory + "; " + disk + "Speed = " + speed + "; Limit = "
                + random.nextInt(3) * 50 + "; Rank = 0; Requirements = TARGET.Size <= "
                + pick(random, "50", "100", "MY.Limit") + " ]");
    }

    private static ClassAd job(SplittableRandom random) throws ClassAdSyntaxException {
        String requirements = "TARGET.Memory " + pick(random, ">=", "==", "!=", "<", "=?=", "=!=") + " "
                + pick(random, "2", "4", "8.0", "\"MUCH\"") + " && TARGET.Disk "
                + pick(random, "<", "<=", ">", ">=", "!=") + " " + random.nextInt(1_500);
        return ClassAd.parse("[ Size = " + random.nextInt(130) + "; Rank = "
                + pick(random, "TARGET.Speed", "-TARGET.Speed", "TARGET.Disk", "1") + "; Requirements = "
                + requirements + " ]");
    }

    private static String pick(SplittableRandom random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
