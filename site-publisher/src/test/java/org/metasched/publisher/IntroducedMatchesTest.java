package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SettableClock;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.FileAccountantStore;
import org.metasched.classad.cycle.Introduction;
import org.metasched.classad.cycle.MatchmakingCycle;
import org.metasched.classad.cycle.PoolRules;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import org.metasched.leases.MatchLeases;

class IntroducedMatchesTest {

    private static final String SITE = "[MyType=\"Machine\"; Name=\"wisc\"; CurMatches=0; MaxMatches=2;"
            + " WantAdRevaluate=true; ClassAdLifetime=2592000; Requirements=CurMatches<MaxMatches]";

    @TempDir
    private Path folder;

    private final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");
    private final InMemoryCollector collector = new InMemoryCollector(clock);
    private final List<Introduction> introduced = new ArrayList<>();
    private FileLeases claims;
    private Accountant accountant;
    private MatchmakerMonitor monitor;

    @BeforeEach
    void start() throws Exception {
        claims = new FileLeases(folder.resolve("matches"), clock, lease -> Sight.UNSEEN);
        monitor = new MatchmakerMonitor(collector, claims);
        accountant = new Accountant(Duration.ofDays(1), clock, new FileAccountantStore(folder.resolve("accountant")));
    }

    private void cycle() {
        introduced.clear();
        monitor.renewIntroduced(clock.instant());
        new MatchmakingCycle(SharePolicy.DEFAULT, PoolRules.DEFAULT, accountant, claims, introduced::add, clock)
                .run(monitor);
    }

    private List<String> names() {
        return introduced.stream()
                .map(introduction -> introduction.customer().evaluate("Name").print())
                .toList();
    }

    @Test
    void ofFourJobsAtASiteWithTwoMatchesTwoAreIntroducedAndTheOthersAfterRelease() throws Exception {
        advertise(SITE);
        for (int i = 1; i <= 4; i++) {
            advertise(job("j" + i, "ann"));
        }

        cycle();
        assertThat(names()).containsExactly("\"j1\"", "\"j2\"");
        assertThat(claims.count("wisc")).isEqualTo(2);
        UUID first = introduced.get(0).match();
        assertThat(monitor.commit(first)).isTrue();
        assertThat(monitor.commit(introduced.get(1).match())).isTrue();

        cycle();
        assertThat(names()).isEmpty();
        assertThat(accountant.standing("ann").inUse()).isEqualTo(2);

        monitor.release(first);
        collector.invalidate(new AdKey("Job", "j1"));
        cycle();
        assertThat(names()).containsExactly("\"j3\"");
        assertThat(accountant.standing("ann").inUse()).isEqualTo(2);
    }

    @Test
    void anIntroductionThatIsNotClaimedInItsTimeGivesItsMatchBack() throws Exception {
        advertise(SITE);
        advertise(job("j1", "ann"));
        cycle();
        cycle();
        assertThat(names()).isEmpty();

        clock.advance(MatchLeases.LEASE_TIME.plusSeconds(1));
        advertise(job("j1", "ann"));

        assertThat(claims.count("wisc")).isZero();
        cycle();
        assertThat(names()).containsExactly("\"j1\"");
    }

    @Test
    void aJobThatLeftIsNoLongerCharged() throws Exception {
        advertise(SITE);
        advertise(job("j1", "ann"));
        advertise(job("j2", "ann"));
        cycle();
        introduced.forEach(introduction -> monitor.commit(introduction.match()));

        assertThat(monitor.invalidate(new AdKey("Job", "j1"))).isTrue();
        assertThat(claims.count("wisc")).isEqualTo(1);
        cycle();
        assertThat(accountant.standing("ann").inUse()).isEqualTo(1);

        clock.advance(Duration.ofMinutes(26));
        cycle();
        assertThat(accountant.standing("ann").inUse()).isZero();
        assertThat(claims.held()).isEmpty();
    }

    /** {@code -Dmetasched.cycles=10000} for more. */
    @Test
    @Tag("full")
    void whatIsInUseIsWhatIsClaimedAtEveryStepThroughRestartsAndSharesAreEqual() throws Exception {
        int cycles = Integer.getInteger("metasched.cycles", 100);
        int users = 50;
        int room = 100;
        var random = new Random(7);
        Set<UUID> running = new HashSet<>();
        double[] got = new double[users];
        int jobs = 0;
        for (int turn = 0; turn < cycles; turn++) {
            advertise(SITE.replace("MaxMatches=2", "MaxMatches=" + room));
            for (int user = 0; user < users; user++) {
                advertise(job("u" + user, "user" + user).replace("Count=1", "Count=" + room));
            }
            if (random.nextInt(20) == 0) {
                start();
            }
            cycle();
            for (var introduction : introduced) {
                if (random.nextInt(10) > 0) {
                    monitor.commit(introduction.match());
                }
                running.add(introduction.match());
                jobs++;
            }
            Map<String, Long> claimed =
                    claims.held().stream().collect(Collectors.groupingBy(Lease::owner, Collectors.counting()));
            for (int user = 0; user < users; user++) {
                double own = accountant.standing("user" + user).inUse();
                assertThat(own)
                        .isEqualTo(claimed.getOrDefault("user" + user, 0L).doubleValue());
                got[user] += turn > cycles / 10 ? own : 0;
            }
            assertThat(claims.held()).hasSizeLessThanOrEqualTo(room);
            for (UUID match : List.copyOf(running)) {
                if (random.nextInt(4) == 0) {
                    monitor.release(match);
                    running.remove(match);
                }
            }
            clock.advance(Duration.ofSeconds(60));
        }
        double all = 0;
        for (double own : got) {
            all += own;
        }
        double worst = 0;
        for (double own : got) {
            worst = Math.max(worst, Math.abs(own / all * users - 1));
        }
        System.out.printf("%d cycles, %d introductions, worst share off by %.2f %%%n", cycles, jobs, worst * 100);
        assertThat(worst).isLessThan(cycles >= 10_000 ? 0.02 : 0.2);
    }

    private static String job(String name, String owner) {
        return "[MyType=\"Job\"; Name=\"" + name + "\"; Owner=\"" + owner + "\"; Count=1; Requirements=true]";
    }

    private void advertise(String text) throws Exception {
        collector.advertise(ClassAd.parse(text));
    }
}
