package org.metasched.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.metasched.negotiation.SearchStrategy;

class SlotBenchTest {

    @Test
    void emptySitesHaveASlotAtOnceAndOneQuestionEachFindsIt() throws Exception {
        var figures = new SlotBench(3, 0, SearchStrategy.WINDOWS, 0, 1, 2).measured();

        assertThat(figures.found()).isTrue();
        assertThat(figures.foundShare()).isEqualTo(1);
        assertThat(Instant.parse(figures.start())).isEqualTo(Instant.parse("2026-01-05T08:00:00Z"));
        assertThat(figures.calls()).isEqualTo(3 * figures.rounds());
        assertThat(figures.runs()).isEqualTo(2);
        assertThat(figures.lookAndReserveMillis()).isGreaterThanOrEqualTo(figures.millis());
    }

    @Test
    void theSameSeedFillsTheSitesAlike() throws Exception {
        var one = new SlotBench(4, 0.7, SearchStrategy.WINDOWS, 0, 7, 2).measured();
        var other = new SlotBench(4, 0.7, SearchStrategy.WINDOWS, 0, 7, 2).measured();

        assertThat(other.start()).isEqualTo(one.start()).isNotEmpty();
        assertThat(other.rounds()).isEqualTo(one.rounds());
        assertThat(other.foundShare()).isEqualTo(one.foundShare());
    }
}
