package org.metasched.simulation.result;

import java.util.OptionalInt;

/** Estimate of the start of the steady part of a series, by MSER-5 (White, Cobb and Spratt, WSC 2000). */
final class WarmUpEstimate {

    private static final int BATCH = 5;
    private static final int FEWEST_BATCHES = 10;

    private WarmUpEstimate() {}

    /**
     * The index of the first value after the warm-up: the cut at which the standard error of the rest is least.
     *
     * @return empty when the series is short, or when that cut is not in its first half: it has no steady part
     */
    static OptionalInt mser5(double[] series) {
        int batches = series.length / BATCH;
        if (batches < FEWEST_BATCHES) {
            return OptionalInt.empty();
        }
        double sum = 0;
        double squares = 0;
        double least = Double.POSITIVE_INFINITY;
        int cut = batches;
        for (int batch = batches - 1; batch >= 0; batch--) {
            double mean = 0;
            for (int i = 0; i < BATCH; i++) {
                mean += series[BATCH * batch + i] / BATCH;
            }
            double count = batches - batch;
            double before = count == 1 ? mean : sum / (count - 1);
            squares += (mean - before) * (mean - before) * (count - 1) / count;
            sum += mean;
            // The error of a few batches may be small by chance, so these are no cut. A tie goes to the earlier cut.
            if (count >= BATCH && squares / (count * count) <= least) {
                least = squares / (count * count);
                cut = batch;
            }
        }
        return 2 * cut < batches ? OptionalInt.of(BATCH * cut) : OptionalInt.empty();
    }
}
