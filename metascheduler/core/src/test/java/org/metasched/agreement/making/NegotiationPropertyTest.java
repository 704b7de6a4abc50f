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
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.fakes.FakeSite;
import org.metasched.fakes.FakeSite.Mishap;
import org.metasched.fakes.TestGrid;

/** Random negotiations and renegotiations over sites that misbehave, with the process dying at any step. */
class NegotiationPropertyTest {

    private static final int NEGOTIATIONS = Integer.getInteger("metasched.negotiations", 500);
    private static final Duration HELD = Duration.ofMinutes(5);
    private static final Mishap[] MISHAPS = {
        Mishap.NONE,
        Mishap.NONE,
        Mishap.NONE,
        Mishap.REFUSE,
        Mishap.LOSE_ANSWER,
        Mishap.LOSE_REQUEST,
        Mishap.ARRIVE_LATE
    };

    /** The end of a process: nothing it does afterwards reaches the world. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    @Test
    void anAnswerHoldsNothingAHoldEndsAndAReplacementIsWholeOrNotAtAll() throws Exception {
        long seed = Long.getLong("metasched.seed", System.nanoTime());
        System.out.println("NegotiationPropertyTest: seed " + seed);
        int[] ends = new int[3];

        for (int i = 0; i < NEGOTIATIONS; i++) {
            var random = new Random(seed + i);
            try (var grid = new TestGrid().site("fzj", 64).site("scai", 32)) {
                negotiate(grid, random, "seed " + (seed + i), ends);
            }
        }

        System.out.printf("NegotiationPropertyTest: %d crashed, %d replaced, %d left%n", ends[0], ends[1], ends[2]);
        assertThat(ends[0]).isGreaterThan(NEGOTIATIONS / 10);
        assertThat(ends[1]).isGreaterThan(NEGOTIATIONS / 10);
        assertThat(ends[2]).isGreaterThan(NEGOTIATIONS / 10);
    }

    private static void negotiate(TestGrid grid, Random random, String where, int[] ends) throws Exception {
        var making = grid.start().making;
        var old = making.offers()
                .offer(grid.offer("old", 8, "fzj", "scai"))
                .<Agreement, Exception>fold(made -> made.agreement(), refused -> {
                    throw new AssertionError(refused);
                });
        int held = grid.heldEverywhere();
        var steps = new AtomicInteger();
        int crashAt = random.nextInt(40);
        Runnable step = () -> {
            if (steps.incrementAndGet() == crashAt) {
                throw new Crash();
            }
        };
        for (var site : grid.sites()) {
            site.next(MISHAPS[random.nextInt(MISHAPS.length)]).failsToCancel(random.nextInt(2));
        }
        try {
            assertThat(making.negotiations()
                            .holds()
                            .advice(grid.offer("look", 16, "fzj", "scai"))
                            .ways())
                    .as(where)
                    .isNotEmpty();
            assertThat(grid.heldEverywhere()).as(where).isEqualTo(held);
            grid.sites().forEach(s -> s.around(step));
            grid.memory.beforeWrite(step);
            renegotiate(grid, random, making, old.id());
        } catch (Crash e) {
            ends[0]++;
        }
        restart(grid, where);
        boolean oldLives = grid.memory.find(old.id()).orElseThrow().state() == AgreementState.OBSERVED;
        boolean newLives = grid.memory.newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 9).stream()
                .anyMatch(a -> !a.id().equals(old.id()));
        assertThat(oldLives ^ newLives).as(where).isTrue();
        ends[newLives ? 1 : 2]++;
    }

    private static void renegotiate(TestGrid grid, Random random, AgreementMaking making, AgreementId old)
            throws InterruptedException {
        var offer = grid.offer("new", 16, "fzj", "scai");
        var until = grid.clock.instant().plus(HELD);
        if (making.negotiations().holds().hold("h", offer, until, Optional.of(old)) instanceof Allocated) {
            assertThat(grid.heldEverywhere()).isGreaterThanOrEqualTo(4);
        }
        switch (random.nextInt(4)) {
            case 0 -> making.negotiations().holds().release("h");
            case 1 -> {
                grid.clock.advance(HELD);
                making.negotiations().holds().expire();
            }
            default -> making.offers().renegotiate(offer, Optional.of("h"), Optional.of(old));
        }
    }

    /** What was under way may still arrive; then the sites hold what living agreements and holds stand for, and after their time the former. */
    private static void restart(TestGrid grid, String where) throws InterruptedException {
        grid.memory.beforeWrite(() -> {});
        grid.sites().forEach(s -> s.around(() -> {}).failsToCancel(0));
        var restarted = grid.start();
        restarted.making.recover();
        grid.sites().forEach(FakeSite::deliverLate);
        grid.clock.advance(TestGrid.GRACE.plus(Duration.ofSeconds(1)));
        restarted.sweeper.sweep();
        restarted.monitor.poll();
        Set<RequestKey> agreed = new HashSet<>();
        restarted
                .service
                .newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 9)
                .forEach(a -> agreed.addAll(a.keys()));
        Set<RequestKey> wanted = new HashSet<>(agreed);
        grid.memory
                .held("h")
                .ifPresent(h ->
                        h.commitments().forEach(c -> wanted.add(c.reservation().key())));
        assertThat(held(grid)).as(where).isEqualTo(wanted);
        grid.clock.advance(HELD);
        restarted.making.negotiations().holds().expire();
        assertThat(held(grid)).as(where).isEqualTo(agreed);
        assertThat(grid.memory.held("h")).as(where).isEmpty();
    }

    private static Set<RequestKey> held(TestGrid grid) {
        Set<RequestKey> held = new HashSet<>();
        grid.sites().forEach(s -> s.held().forEach(r -> held.add(r.key())));
        return held;
    }
}
