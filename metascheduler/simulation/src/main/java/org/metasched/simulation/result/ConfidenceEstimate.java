package org.metasched.simulation.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A mean and half the width of its 95 % confidence interval by Student's t.
 *
 * @param halfWidth half the width of the interval; NaN if there are fewer than two values
 * @param count number of values
 */
public record ConfidenceEstimate(double mean, double halfWidth, int count) {

    /** Batches of a series of jobs that depend on each other (Law and Kelton: 10 to 30). */
    private static final int BATCHES = 20;

    /** Two-sided 95 % quantiles of Student's t by degrees of freedom; those between take the next lower one. */
    private static final TreeMap<Integer, Double> QUANTILES = new TreeMap<>(Map.ofEntries(
            Map.entry(1, 12.706),
            Map.entry(2, 4.303),
            Map.entry(3, 3.182),
            Map.entry(4, 2.776),
            Map.entry(5, 2.571),
            Map.entry(6, 2.447),
            Map.entry(7, 2.365),
            Map.entry(8, 2.306),
            Map.entry(9, 2.262),
            Map.entry(10, 2.228),
            Map.entry(11, 2.201),
            Map.entry(12, 2.179),
            Map.entry(14, 2.145),
            Map.entry(16, 2.120),
            Map.entry(19, 2.093),
            Map.entry(24, 2.064),
            Map.entry(29, 2.045),
            Map.entry(40, 2.021),
            Map.entry(60, 2.000),
            Map.entry(120, 1.980)));

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
        return QUANTILES.floorEntry(degrees).getValue();
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
