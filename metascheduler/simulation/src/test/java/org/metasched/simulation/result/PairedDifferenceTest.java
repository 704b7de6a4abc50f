package org.metasched.simulation.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void manyPairsGiveWhatEachChoiceOfSignsGives() {
        var random = new Random(7);
        for (int count = 2; count <= 13; count++) {
            for (int round = 0; round < 20; round++) {
                // Whole numbers, so that sums are often equal.
                var values = random.ints(count, -6, 9).mapToObj(i -> (double) i).toList();

                assertThat(PairedDifference.of(values).p()).as("%s", values).isEqualTo(enumerated(values));
            }
        }
        assertThat(PairedDifference.of(Collections.nCopies(31, 0.1)).p()).isEqualTo(Math.pow(2, -30));
    }

    private static double enumerated(List<Double> values) {
        double own = Math.abs(values.stream().mapToDouble(v -> v).sum());
        int asLarge = 0;
        for (int signs = 0; signs < 1 << values.size(); signs++) {
            double sum = 0;
            for (int i = 0; i < values.size(); i++) {
                sum += (signs >> i & 1) == 0 ? values.get(i) : -values.get(i);
            }
            asLarge += Math.abs(sum) >= own ? 1 : 0;
        }
        return asLarge / (double) (1 << values.size());
    }

    /** Sample sizes of the paired t test at 5 % two-sided with power 0.8, by the noncentral t distribution: 199, 34, 15, 10. */
    @ParameterizedTest
    @CsvSource({"0.2, 199", "0.5, 34", "0.8, 15", "1, 10", "3, 6"})
    void seedsThatAreNeededAreThoseOfTheTables(double size, long seeds) {
        var spread = PairedDifference.of(List.of(3 - Math.sqrt(0.5), 3 + Math.sqrt(0.5)));

        assertThat(spread.deviation()).isCloseTo(1, within(1e-12));
        assertThat(spread.seedsFor(size)).hasValue(seeds);
        assertThat(spread.seedsFor(0)).isEmpty();
        assertThat(PairedDifference.of(List.of(1.0)).seedsFor(1)).isEmpty();
    }

    @Test
    void tooFewOrTooManyPairsHaveNone() {
        assertThat(PairedDifference.of(List.of(1.0)).p()).isNaN();
        assertThat(PairedDifference.of(List.of()).estimate().count()).isZero();
        assertThat(PairedDifference.of(Collections.nCopies(33, 1.0)).p()).isNaN();
    }
}
