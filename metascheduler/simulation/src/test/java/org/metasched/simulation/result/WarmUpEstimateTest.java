package org.metasched.simulation.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WarmUpEstimateTest {

    @Test
    void theCutIsWhereAMadeSeriesBecomesSteady() {
        double[] series = new double[1000];
        Arrays.setAll(series, i -> i < 100 ? 100 - i : i % 2);

        // The last batches of the slope are within what follows: 100 less 95 to 99.
        assertThat(WarmUpEstimate.mser5(series).orElse(-1)).isBetween(95, 100);
        Arrays.setAll(series, i -> i < 100 ? 50 : i % 2);
        assertThat(WarmUpEstimate.mser5(series)).hasValue(100);
    }

    @Test
    void theCutIsThatOfTheDefinition() {
        var random = new Random(3);
        for (int round = 0; round < 50; round++) {
            double[] series = new double[200];
            int start = round;
            Arrays.setAll(series, i -> random.nextGaussian() + (i < start ? 4 : 0));

            assertThat(WarmUpEstimate.mser5(series).orElse(-1)).isEqualTo(defined(series));
        }
    }

    /** By White, Cobb and Spratt: the least of the squared errors of the rest over its number squared. */
    private static int defined(double[] series) {
        int batches = series.length / 5;
        double[] means = new double[batches];
        Arrays.setAll(
                means, b -> Arrays.stream(series, 5 * b, 5 * b + 5).average().orElseThrow());
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int cut = 0; cut <= batches - 5; cut++) {
            double mean = Arrays.stream(means, cut, batches).average().orElseThrow();
            double squares = Arrays.stream(means, cut, batches)
                    .map(m -> (m - mean) * (m - mean))
                    .sum();
            double error = squares / Math.pow(batches - cut, 2);
            if (error < least) {
                least = error;
                best = cut;
            }
        }
        return 2 * best < batches ? 5 * best : -1;
    }

    @Test
    void aConstantSeriesHasNoWarmUpAndAGrowingOneNoSteadyPart() {
        double[] series = new double[500];
        assertThat(WarmUpEstimate.mser5(series)).hasValue(0);

        Arrays.setAll(series, i -> i);
        assertThat(WarmUpEstimate.mser5(series)).isEmpty();
        assertThat(WarmUpEstimate.mser5(new double[49])).isEmpty();
    }
}
