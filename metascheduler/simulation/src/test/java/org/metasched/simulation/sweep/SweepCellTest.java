package org.metasched.simulation.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SweepCellTest {

    private static Map<String, List<String>> sweep() {
        var sweep = new LinkedHashMap<String, List<String>>();
        sweep.put("streams.meta.share", List.of("0", "0.1"));
        sweep.put("seed", List.of("1", "2"));
        return sweep;
    }

    @Test
    void everyCombinationIsARunWithANameThatSaysWhich() {
        var cells = SweepCell.of(sweep(), Map.of("length", "3d"));

        assertThat(cells)
                .extracting(SweepCell::name)
                .containsExactly(
                        "0001-share=0-seed=1", "0002-share=0-seed=2", "0003-share=0.1-seed=1", "0004-share=0.1-seed=2");
        assertThat(cells.get(3).alterations())
                .containsExactlyInAnyOrderEntriesOf(Map.of("length", "3d", "streams.meta.share", "0.1", "seed", "2"));
    }

    @Test
    void aPathThatIsFixedIsNotSwept() {
        assertThat(SweepCell.of(sweep(), Map.of("streams.meta.share", "0.2", "seed", "7")))
                .containsExactly(new SweepCell("", Map.of("streams.meta.share", "0.2", "seed", "7")));
    }

    @Test
    void aSweepWithoutAnEndIsRefused() {
        var sweep = Map.of("a", Collections.nCopies(100_000, "1"), "b", Collections.nCopies(100_000, "1"));

        assertThatThrownBy(() -> SweepCell.of(sweep, Map.of()))
                .hasMessageContaining("more than 100000 runs (10000000000 up to");
    }
}
