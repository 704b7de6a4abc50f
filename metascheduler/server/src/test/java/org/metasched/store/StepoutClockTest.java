package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.SettableClock;

/** Clocks of a machine that are set while its server runs. */
class StepoutClockTest {

    private static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");

    private final SettableClock machine = new SettableClock(BEGIN);
    private long steady;
    private final StepoutClock clock = new StepoutClock(machine, () -> steady);

    @Test
    void aStepThatIsTakenBackSoonIsNeverSeen() {
        for (var step : new Duration[] {Duration.ofSeconds(100), Duration.ofHours(-1)}) {
            var before = clock.instant();
            machine.advance(step);
            pass(Duration.ofSeconds(15));
            assertThat(clock.instant()).isEqualTo(before.plusSeconds(15));
            machine.advance(step.negated());
            pass(Duration.ofMinutes(5));
            assertThat(clock.instant()).isEqualTo(before.plusSeconds(315)).isEqualTo(machine.instant());
        }
    }

    @Test
    void aStepThatLastsIsFollowedAfterAMinute() {
        machine.advance(Duration.ofMinutes(-5));
        assertThat(clock.instant()).isEqualTo(BEGIN);
        pass(Duration.ofSeconds(59));
        assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(59));
        pass(Duration.ofSeconds(1));
        assertThat(clock.instant()).isEqualTo(machine.instant()).isBefore(BEGIN);
        pass(Duration.ofSeconds(7));
        assertThat(clock.instant()).isEqualTo(machine.instant());
    }

    @Test
    void anotherStepBeginsTheMinuteAnew() {
        machine.advance(Duration.ofMinutes(5));
        clock.instant();
        pass(Duration.ofSeconds(50));
        machine.advance(Duration.ofMinutes(5));
        clock.instant();
        pass(Duration.ofSeconds(50));
        assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(100));
        pass(Duration.ofSeconds(10));
        assertThat(clock.instant()).isEqualTo(machine.instant());
    }

    @Test
    void smallCorrectionsAreFollowedAtOnce() {
        machine.advance(ClusterNode.MOST_OFFSET);
        assertThat(clock.instant()).isEqualTo(machine.instant());
    }

    /** Time passes for both clocks of the machine. */
    private void pass(Duration time) {
        steady += time.toNanos();
        machine.advance(time);
    }
}
