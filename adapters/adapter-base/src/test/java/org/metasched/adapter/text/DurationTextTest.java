package org.metasched.adapter.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationTextTest {

    @Test
    void aTextOfAnyLengthTakesNoDeepStack() {
        assertThat(DurationText.read("1s".repeat(100_000))).contains(Duration.ofSeconds(100_000));
    }

    @Test
    void durationsAreReadAsPeopleWriteThem() {
        assertThat(DurationText.read("1h30m")).contains(Duration.ofMinutes(90));
        assertThat(DurationText.read("PT1H30M")).contains(Duration.ofMinutes(90));
        assertThat(DurationText.read("5")).isEmpty();
        assertThat(DurationText.read("")).isEmpty();
    }
}
