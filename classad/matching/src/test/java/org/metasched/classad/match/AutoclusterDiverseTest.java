package org.metasched.classad.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;

/** Ads that have nothing in common: the autoclusters choose what a loop over all offers chooses, and soon. */
class AutoclusterDiverseTest {

    /** Generous: choosing again from the start after each refuted offer takes half a minute. */
    private static final long BOUND = 5_000_000_000L;

    private static ClassAd offer(int i, boolean requirements, boolean names, boolean ranks) throws Exception {
        return ClassAd.parse("[Memory%s = %d; Memory = %d; Flops = %d; Rank = %s; Requirements = %s]"
                .formatted(
                        names ? "Of" + i : "",
                        i,
                        i % 4000,
                        1_000_000 + i * 37,
                        ranks ? "TARGET.Prio * %d + 0.%d".formatted(i % 7, i % 3) : "0",
                        requirements
                                ? "TARGET.Size <= MY.Memory + %1$d && (TARGET.Owner != \"u%1$d\" || TARGET.Prio < %1$d)"
                                        .formatted(i)
                                : "TARGET.Size <= MY.Memory"));
    }

    private static ClassAd customer(int j) throws Exception {
        return ClassAd.parse("""
                [Owner = "u%1$d"; Prio = %1$d; Size = 1000 + %1$d; Rank = TARGET.Flops * (%1$d + 1) %% 1009;
                 Requirements = TARGET.Memory >= MY.Size + %1$d && TARGET.Flops %% (500 + %1$d) == 3]""".formatted(j));
    }

    private static OptionalInt bestByLoop(ClassAd customer, List<ClassAd> offers, OfferPool pool) {
        var pair = new MatchContext(LookupMode.OLD);
        pair.left(customer);
        int best = -1;
        double bestRank = 0;
        double bestOfferRank = 0;
        for (int i = 0; i < offers.size(); i++) {
            pair.right(offers.get(i));
            if (!pool.isAvailable(i) || !pair.symmetricMatch()) {
                continue;
            }
            double rank = pair.leftRank();
            double offerRank = pair.rightRank();
            if (best < 0 || rank > bestRank || rank == bestRank && offerRank > bestOfferRank) {
                best = i;
                bestRank = rank;
                bestOfferRank = offerRank;
            }
        }
        return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    @ParameterizedTest
    @CsvSource({
        "false,false,false",
        "true,false,false",
        "false,true,false",
        "false,false,true",
        "true,true,true",
    })
    void choosesWhatALoopChoosesAndSoon(boolean requirements, boolean names, boolean ranks) throws Exception {
        var offers = new ArrayList<ClassAd>();
        for (int i = 0; i < 10_000; i++) {
            offers.add(offer(i, requirements, names, ranks));
        }
        var threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        OfferPool pool = OfferPool.of(offers);
        var clusters = new Autoclusters(pool);
        long spent = threads.getCurrentThreadCpuTime() - began;
        int found = 0;

        for (int j = 0; j < 5; j++) {
            ClassAd customer = customer(j);
            if (j == 2) {
                pool.prepare();
            }
            began = threads.getCurrentThreadCpuTime();
            var match = clusters.of(customer).best(customer);
            spent += threads.getCurrentThreadCpuTime() - began;
            OptionalInt expected = bestByLoop(customer, offers, pool);
            assertThat(match.map(Match::number))
                    .isEqualTo(expected.stream().boxed().findFirst());
            match.ifPresent(m -> pool.consume(m.number()));
            found += match.isPresent() ? 1 : 0;
        }

        assertThat(found).isPositive();
        assertThat(spent).isLessThan(BOUND);
    }

    /** Indexes are paid for by many requests only, and never in a small pool of unlike offers; before, none of their parts exists. */
    @ParameterizedTest
    @CsvSource({"false,200,64,true", "true,2000,256,true", "true,1999,300,false"})
    void fewRequestsToAFreshPoolMakeNoIndex(boolean requirements, int size, int few, boolean then) throws Exception {
        var offers = new ArrayList<ClassAd>();
        for (int i = 0; i < size; i++) {
            offers.add(offer(i, requirements, true, requirements));
        }
        OfferPool pool = OfferPool.of(offers);
        var clusters = new Autoclusters(pool);

        for (int j = 0; j < few; j++) {
            ClassAd customer = customer(j);
            clusters.of(customer).best(customer);
        }
        assertThat(pool.index().isPrepared()).isFalse();
        ClassAd customer = customer(few);
        clusters.of(customer).best(customer);
        assertThat(pool.index().isPrepared()).isEqualTo(then);
    }

    /** Preparing for the requests to come makes no index that they do not pay for, and chooses the same. */
    @ParameterizedTest
    @CsvSource({"2000,20,false", "2000,255,false", "2000,256,true", "1999,10000,false", "20,1,true"})
    void preparesForRequestsThatPayForIt(int size, int requests, boolean prepared) throws Exception {
        var offers = new ArrayList<ClassAd>();
        for (int i = 0; i < size; i++) {
            offers.add(offer(i, true, true, true));
        }
        OfferPool pool = OfferPool.of(offers);
        var clusters = new Autoclusters(pool);

        pool.prepareFor(requests);
        ClassAd customer = customer(1);
        Autocluster cluster = clusters.of(customer);
        cluster.prepare();

        assertThat(pool.index().isPrepared()).isEqualTo(prepared);
        assertThat(cluster.best(customer).map(Match::number))
                .isEqualTo(bestByLoop(customer, offers, pool).stream().boxed().findFirst());
    }

    @Test
    void ofOffersThatMostlyMatchTheBestRankedAreCheckedOnly() throws Exception {
        var random = new SplittableRandom(1);
        var offers = new ArrayList<ClassAd>();
        for (int i = 0; i < 2_000; i++) {
            int flops = random.nextInt(100_000);
            offers.add(ClassAd.parse("[Flops = %d; Requirements = TARGET.Size < 10]".formatted(flops)));
        }
        OfferPool pool = OfferPool.of(offers);
        ClassAd customer = ClassAd.parse("[Size = 5; Requirements = TARGET.Flops % 7 != 3; Rank = TARGET.Flops]");
        var checks = new AtomicInteger();
        var pass = new MatchPass(customer, pool) {
            @Override
            boolean holds(int offer) {
                checks.incrementAndGet();
                return super.holds(offer);
            }
        };

        MatchPass.Choice best = pass.best();

        assertThat(best).isNotNull();
        assertThat(best.offer()).isEqualTo(bestByLoop(customer, offers, pool).orElseThrow());
        assertThat(checks.get()).isLessThan(100);
    }

    @Test
    void anOfferThatIsReplacedCostsItsOwnEvaluation() throws Exception {
        var offers = new ArrayList<ClassAd>();
        for (int i = 0; i < 40_000; i++) {
            offers.add(ClassAd.parse("[Memory = %d; State = strcat(\"Un\", \"claimed\"); Requirements = true; Rank = 0]"
                    .formatted(i % 100)));
        }
        ClassAd first = offers.get(123).with("Memory", 1_000);
        offers.set(123, first);
        OfferPool pool = OfferPool.of(offers);
        pool.prepare();
        ClassAd customer =
                ClassAd.parse("[Requirements = TARGET.Memory > 5; Rank = TARGET.Memory - (TARGET.CurMatches ?: 0)]");
        Autocluster cluster = new Autoclusters(pool).of(customer);
        cluster.prepare();
        var threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();

        for (int round = 0; round < 1_000; round++) {
            pool.replace(123, first.with("CurMatches", round));
            assertThat(cluster.best(customer).orElseThrow().number()).isEqualTo(round <= 900 ? 123 : 99);
            pool.replace(123, first.with("CurMatches", round).with("State", "Claimed"));
            assertThat(pool.isClaimed(123)).isTrue();
        }

        assertThat(threads.getCurrentThreadCpuTime() - began).isLessThan(BOUND);
    }
}
