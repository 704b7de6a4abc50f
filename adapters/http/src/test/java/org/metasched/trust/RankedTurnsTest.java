package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RankedTurnsTest {

    private final RankedTurns turns = new RankedTurns(1, 3);
    private final List<Integer> served = new CopyOnWriteArrayList<>();

    @Test
    void theLowestRankGoesFirstAndOfTooManyTheHighestIsSentAway() throws Exception {
        assertThat(turns.await(9)).isTrue();
        var waiting = List.of(waits(5), waits(7), waits(3), waits(1));

        assertThat(waiting.get(1).get()).as("the highest of four that wait").isFalse();
        turns.end();
        for (int i = 0; i < 3; i++) {
            int number = i + 1;
            await().until(() -> served.size() == number);
            turns.end();
        }

        assertThat(served).containsExactly(1, 3, 5);
        assertThat(turns.await(9)).as("all turns have ended").isTrue();
    }

    /** Returns when it waits. */
    private CompletableFuture<Boolean> waits(int rank) {
        var result = new CompletableFuture<Boolean>();
        var thread = new Thread(() -> {
            boolean turn = turns.await(rank);
            if (turn) {
                served.add(rank);
            }
            result.complete(turn);
        });
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING || result.isDone());
        return result;
    }
}
