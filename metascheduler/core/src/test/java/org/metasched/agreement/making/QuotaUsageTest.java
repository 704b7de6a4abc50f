package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.metasched.fakes.TestGrid;

class QuotaUsageTest {

    @Test
    void whatASubjectGotFromAnotherServerCounts() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64)) {
            var one = grid.start().making;
            var here = new QuotaUsage(grid.memory, grid.clock);
            one.changes().onChange(here);
            var there = new QuotaUsage(grid.memory, grid.clock);
            assertThat(there.of(whose -> true).agreements()).isZero();
            assertThat(here.of(whose -> true).agreements()).isZero();

            var offer = grid.offer("a", 4, "fzj");
            one.offers().offer(offer);

            var made = here.of(whose -> true);
            assertThat(made.agreements()).isEqualTo(1);
            assertThat(made.nodeHours()).isPositive();
            assertThat(there.of(whose -> true).agreements()).isZero();
            grid.clock.advance(Duration.ofSeconds(10));
            var counted = there.of(offer.key().initiator()::equals);
            assertThat(counted.agreements()).isEqualTo(1);
            assertThat(counted.nodeHours()).isEqualTo(made.nodeHours());
            assertThat(there.of("another"::equals).agreements()).isZero();
        }
    }
}
