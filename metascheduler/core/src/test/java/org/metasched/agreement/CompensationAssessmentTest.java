package org.metasched.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.TimeSlot;

class CompensationAssessmentTest {

    private static final TimeSlot SLOT = TimeSlot.of(Instant.EPOCH, Duration.ofHours(1));

    @Test
    void anIntervalMayBeLongerThanMillisecondsCanSay() {
        var assessed = assessed(CompensationAssessment.NONE, Duration.ofDays(200_000_000_000L), 3599);

        assertThat(assessed).isEqualTo(new CompensationAssessment(0, GuaranteeState.VIOLATED, 5, 0, 0));
    }

    @Test
    void assessmentsBeforeAndAfterTheSlotBelongToItsFirstAndLastInterval() {
        var minute = Duration.ofMinutes(1);
        var before = assessed(CompensationAssessment.NONE, minute, -90);
        var second = assessed(before, minute, 60);
        var after = assessed(second, minute, 9_000);

        assertThat(before.interval()).isZero();
        assertThat(second).isEqualTo(new CompensationAssessment(1, GuaranteeState.VIOLATED, 5, 1, 5));
        assertThat(after).isEqualTo(new CompensationAssessment(59, GuaranteeState.VIOLATED, 5, 2, 10));
    }

    @Test
    void aClockThatStepsBackOverTheEndOfAnIntervalEndsNoIntervalTwice() {
        var minute = Duration.ofMinutes(1);
        var second = assessed(assessed(CompensationAssessment.NONE, minute, 59), minute, 60);

        var later = assessed(assessed(second, minute, 59), minute, 61);

        assertThat(later).isEqualTo(new CompensationAssessment(1, GuaranteeState.VIOLATED, 5, 1, 5));
    }

    /** The assessment after a violation some seconds after the begin of the slot, which makes 5 due. */
    private static CompensationAssessment assessed(CompensationAssessment before, Duration every, long second) {
        var penalty = new Compensation(Compensation.Kind.PENALTY, Optional.of(every), 0, "EUR", "5");
        var now = Instant.EPOCH.plusSeconds(second);
        return before.assessed(penalty, GuaranteeState.VIOLATED, SLOT, now, () -> 5);
    }
}
