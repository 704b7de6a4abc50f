package org.metasched.simulation.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairedDifferenceTest {

    /** Darwin's heights of cross- and self-fertilised maize; 863 of 32,768 sums are as large by Fisher (The Design of Experiments, 1935, §21). */
    @Test
    void theExactTestIsFishers() {
        var darwin = List.of(49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0);

        var difference = PairedDifference.of(darwin);

        assertThat(difference.estimate().mean()).isCloseTo(314 / 15.0, within(1e-12));
        assertThat(difference.p()).isEqualTo(2 * 863 / 32_768.0);
    }

    @Test
    void fiveEqualSignsShowOneInSixteen() {
        assertThat(PairedDifference.of(List.of(1.0, 2.0, 0.5, 3.0, 0.1)).p()).isEqualTo(0.0625);
        assertThat(PairedDifference.of(List.of(0.0, 0.0, 0.0)).p()).isEqualTo(1);
    }

    @Test
    void tooFewOrTooManyPairsHaveNone() {
        assertThat(PairedDifference.of(List.of(1.0)).p()).isNaN();
        assertThat(PairedDifference.of(List.of()).estimate().count()).isZero();
        assertThat(PairedDifference.of(Collections.nCopies(21, 1.0)).p()).isNaN();
    }
}
