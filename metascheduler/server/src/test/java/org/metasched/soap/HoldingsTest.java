package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.metasched.fakes.TestGrid;
import org.metasched.trust.Quotas.Use;

class HoldingsTest {

    @Test
    void whatASubjectGotFromAnotherServerCounts() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var one = grid.start().service;
            var here = new Holdings(one, grid.clock);
            var there = new Holdings(grid.start().service, grid.clock);
            assertThat(there.of(whose -> true)).isEqualTo(new Use(0, 0));

            var offer = grid.offer("a", 4, "fzj");
            one.create(offer);

            var made = here.of(whose -> true);
            assertThat(made.agreements()).isEqualTo(1);
            assertThat(made.nodeHours()).isPositive();
            grid.clock.advance(Duration.ofSeconds(10));
            assertThat(there.of(offer.key().initiator()::equals)).isEqualTo(made);
            assertThat(there.of("another"::equals)).isEqualTo(new Use(0, 0));
        }
    }
}
