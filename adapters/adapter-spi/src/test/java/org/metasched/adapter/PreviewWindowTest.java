package org.metasched.adapter;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreviewWindowTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.5S", "PT1.5S", "-PT1S"})
    void aGridThatIsNotWholeSecondsIsRefused(Duration grid) {
        assertThatThrownBy(() -> new PreviewWindow(Duration.ofDays(7), grid))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The time grid (" + grid + ") must be whole seconds, at least one.");
    }
}
