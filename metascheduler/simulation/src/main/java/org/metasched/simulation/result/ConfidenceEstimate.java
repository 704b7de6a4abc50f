package org.metasched.simulation.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A mean and half the width of its 95 % confidence interval by Student's t.
 *
 * @param halfWidth half the width of the interval; NaN if there are fewer than two values
 * @param count number of values
 */
public record ConfidenceEstimate(double mean, double halfWidth, int count) {

    /** Batches of a series of jobs that depend on each other (Law and Kelton: 10 to 30). */
    private static final int BATCHES = 20;

    /** Degrees of freedom of {@link #QUANTILES}; those between take the next lower one. */
    private static final int[] DEGREES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 19, 24, 29, 40, 60, 120};

    /** Two-sided 95 % quantiles of Student's t. */
    private static final double[] QUANTILES = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.145, 2.120, 2.093, 2.064,
        2.045, 2.021, 2.000, 1.980
    };

    /** The estimate of independent values, such as those of runs with other seeds; its mean is NaN if there are none. */
    public static ConfidenceEstimate ofIndependent(List<Double> values) {
        int count = values.size();
        double mean = values.stream().mapToDouble(Double::doubleValue).sum() / Math.max(1, count);
        if (count < 2) {
            return new ConfidenceEstimate(count == 0 ? Double.NaN : mean, Double.NaN, count);
        }
        double squares =
                values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
        return new ConfidenceEstimate(mean, quantile(count - 1) * Math.sqrt(squares / (count - 1) / count), count);
    }

    /** The quantile of Student's t at 0.975 for a number of degrees of freedom, from 1. */
    static double quantile(int degrees) {
        int at = Arrays.binarySearch(DEGREES, degrees);
        return QUANTILES[at < 0 ? -at - 2 : at];
    }

    /** The estimate of a series in the order of time, which takes the means of {@value #BATCHES} batches for independent. */
    public static ConfidenceEstimate ofSeries(double[] series) {
        double sum = 0;
        for (double value : series) {
            sum += value;
        }
        if (series.length < 2 * BATCHES) {
            return new ConfidenceEstimate(
                    series.length == 0 ? Double.NaN : sum / series.length, Double.NaN, series.length);
        }
        var means = new ArrayList<Double>();
        for (int batch = 0; batch < BATCHES; batch++) {
            int from = (int) ((long) series.length * batch / BATCHES);
            int to = (int) ((long) series.length * (batch + 1) / BATCHES);
            double part = 0;
            for (int i = from; i < to; i++) {
                part += series[i];
            }
            means.add(part / (to - from));
        }
        return new ConfidenceEstimate(sum / series.length, ofIndependent(means).halfWidth(), series.length);
    }
}
