package org.metasched.adapter.simulated;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;

class SimulatedSchedulerFactoryTest {

    @ParameterizedTest
    @CsvSource({"look-ahead, 0s", "grid, 500ms", "grid, 1500ms", "warm-up, -PT1H", "latency, -PT1S", "load, 0"})
    void anImpossibleValueIsRefusedWithItsPlace(String key, String value) {
        var settings =
                YamlSettings.parse("site.yaml", "nodes: 4\n" + key + ": " + value + "\nworkload: synthetic\njobs: 9\n");

        assertThatThrownBy(() -> new SimulatedSchedulerFactory().open(new SiteId("fzj"), settings, Clock.systemUTC()))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("site.yaml:2:")
                .hasMessageContaining(key);
    }
}
