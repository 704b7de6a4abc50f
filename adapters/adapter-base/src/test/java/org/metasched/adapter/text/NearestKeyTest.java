package org.metasched.adapter.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestKeyTest {

    private static final List<String> TYPES = List.of("ccs", "easy", "gridengine", "oar", "pbs", "simulated", "slurm");

    @Test
    void swappedLeftOutAddedAndReplacedLettersAreSlips() {
        assertThat(NearestKey.of("bps", TYPES)).contains("pbs");
        assertThat(NearestKey.of("slrm", TYPES)).contains("slurm");
        assertThat(NearestKey.of("grid-engine", TYPES)).contains("gridengine");
        assertThat(NearestKey.of("SIMULATET", TYPES)).contains("simulated");
    }

    @Test
    void anotherWordIsNoSlip() {
        assertThat(NearestKey.of("loadleveler", TYPES)).isEmpty();
        assertThat(NearestKey.of("x".repeat(100_000), TYPES)).isEmpty();
    }
}
