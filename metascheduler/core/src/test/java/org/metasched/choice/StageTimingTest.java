package org.metasched.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.negotiation.StageTiming;
import org.metasched.negotiation.TemporalConstraint;

class StageTimingTest {

    /** A stage never begins later than was asked for, unless only a fraction of a second would do. */
    @ParameterizedTest
    @CsvSource({"PT0S, PT1.5S, 0, 1", "PT0.2S, PT1.5S, 1, 1", "PT1.5S, PT1.5S, 2, 2", "PT0S, PT2S, 0, 2"})
    void boundsInFractionsOfASecondAreThoseOfTheWholeSecondsBetweenThem(
            Duration least, Duration most, long shortest, long longest) {
        var minute = Duration.ofMinutes(1);

        var timing = StageTiming.of(
                List.of("a", "b"),
                List.of(minute, minute),
                List.of(new TemporalConstraint("a", "b", true, least, Optional.of(most))));

        assertThat(timing.network().gap(0, 1)).isEqualTo(60 + shortest);
        assertThat(timing.network().gap(1, 0)).isEqualTo(-60 - longest);
    }
}
