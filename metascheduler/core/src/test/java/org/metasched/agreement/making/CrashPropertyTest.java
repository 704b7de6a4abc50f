package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.RequestKey;
import org.metasched.agreement.AgreementState;
import org.metasched.fakes.FakeSite;
import org.metasched.fakes.FakeSite.Mishap;
import org.metasched.fakes.TestGrid;

/**
 * Lets the process die at every step there is: before each durable write, and on either side of each effect at a site. After
 * a restart and one sweep, what the sites hold must be just what living agreements stand for.
 */
class CrashPropertyTest {

    private static final int SEEDS = Integer.getInteger("metasched.crash.seeds", 12);
    private static final Mishap[] MISHAPS = {
        Mishap.NONE,
        Mishap.NONE,
        Mishap.NONE,
        Mishap.NONE,
        Mishap.REFUSE,
        Mishap.LOSE_ANSWER,
        Mishap.LOSE_REQUEST,
        Mishap.ARRIVE_LATE,
        Mishap.GRANT_LATER
    };

    /** The end of a process: nothing it does afterwards reaches the world. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    @Test
    void aCrashAtAnyStepLeavesNothingHeldThatNobodyWants() throws Exception {
        long seed = Long.getLong("metasched.seed", System.nanoTime());
        System.out.println("CrashPropertyTest: seed " + seed);
        int crashes = 0;
        int survivors = 0;

        for (int s = 0; s < SEEDS; s++) {
            boolean crashed = true;
            for (int step = 1; crashed; step++) {
                try (var grid = new TestGrid().site("fzj", 64).site("scai", 32).site("cesca", 64)) {
                    crashed = storm(grid, new Random(seed + s), step);
                    crashes += crashed ? 1 : 0;
                    survivors += restart(grid, "seed " + (seed + s) + ", step " + step);
                }
            }
        }

        System.out.println("CrashPropertyTest: " + crashes + " crashes, " + survivors + " agreements survived");
        assertThat(crashes).isGreaterThan(SEEDS * 10);
        assertThat(survivors).isPositive();
    }

    /** Some offers and an ending, until the given step. */
    private static boolean storm(TestGrid grid, Random random, int crashAt) throws InterruptedException {
        var steps = new AtomicInteger();
        Runnable step = () -> {
            if (steps.incrementAndGet() >= crashAt) {
                throw new Crash();
            }
        };
        for (FakeSite site : grid.sites()) {
            for (int i = 0; i < 4; i++) {
                site.next(MISHAPS[random.nextInt(MISHAPS.length)]);
            }
            site.failsToCancel(random.nextInt(2)).around(step);
        }
        grid.memory.beforeWrite(step);
        try {
            var service = grid.start().service;
            service.offer(grid.offer("o1", 16, "fzj", "scai", "cesca"));
            service.offer(grid.offer("o2", 24, "scai", "cesca"));
            for (var agreement : service.newest(1)) {
                service.end(agreement.id(), "no longer needed");
            }
            return false;
        } catch (Crash e) {
            return true;
        }
    }

    /** What was under way may still arrive before the sweep; then everything must be in order. */
    private static int restart(TestGrid grid, String where) throws InterruptedException {
        grid.memory.beforeWrite(() -> {});
        grid.sites().forEach(s -> s.around(() -> {}).failsToCancel(0));
        var restarted = grid.start();
        restarted.making.recover();
        grid.sites().forEach(FakeSite::deliverLate);
        grid.clock.advance(TestGrid.GRACE.plus(Duration.ofSeconds(1)));
        restarted.sweeper.sweep();
        restarted.monitor.poll();

        Set<RequestKey> wanted = new HashSet<>();
        var living = restarted.service.newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 100);
        living.forEach(a -> wanted.addAll(a.keys()));
        Set<RequestKey> held = new HashSet<>();
        grid.sites().forEach(s -> s.held().forEach(r -> held.add(r.key())));

        assertThat(held).as(where).isEqualTo(wanted);
        assertThat(restarted.service.newest(Set.of(AgreementState.OBSERVED_AND_TERMINATING), Optional.empty(), 100))
                .as(where)
                .isEmpty();
        return living.size();
    }
}
