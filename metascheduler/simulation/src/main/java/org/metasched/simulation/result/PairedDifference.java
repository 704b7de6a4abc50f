package org.metasched.simulation.result;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * The mean difference of two figures over runs of the same seeds, which share local jobs and random numbers.
 *
 * @param estimate the mean difference, with its 95 % interval by Student's t over the pairs
 * @param deviation standard deviation of the differences; NaN with fewer than two pairs
 * @param p two-sided p-value of Fisher's exact test over the signs of the differences; NaN with fewer than two pairs or more than
 *     {@value #MOST_EXACT}. With n pairs it is never below 2 / 2^n: five seeds cannot show less than 0.0625
 */
public record PairedDifference(ConfidenceEstimate estimate, double deviation, double p) {

    private static final int MOST_EXACT = 32;

    /** The fewest pairs with which the exact test can show p below 0.05. */
    private static final int FEWEST = 6;

    /** Quantiles of the normal distribution: 0.975 and 0.8. */
    private static final double SIGNIFICANCE = 1.959964;

    private static final double POWER = 0.841621;

    /** @param differences one for each pair */
    public static PairedDifference of(List<Double> differences) {
        var estimate = ConfidenceEstimate.ofIndependent(differences);
        double squares = differences.stream()
                .mapToDouble(d -> (d - estimate.mean()) * (d - estimate.mean()))
                .sum();
        int count = differences.size();
        double deviation = count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1));
        return new PairedDifference(estimate, deviation, exactP(differences));
    }

    /**
     * Number of seeds that show a true difference of a size at the 5 % level with a probability of 80 %, if differences spread as these
     * (Guenther, The American Statistician 1981); at least {@value #FEWEST}.
     *
     * @return empty when the spread is not known or the size is 0
     */
    public OptionalLong seedsFor(double size) {
        double needed = Math.pow((SIGNIFICANCE + POWER) * deviation / size, 2) + SIGNIFICANCE * SIGNIFICANCE / 2;
        return Double.isFinite(needed)
                ? OptionalLong.of(Math.max(FEWEST, (long) Math.ceil(needed)))
                : OptionalLong.empty();
    }

    /** Share of the choices of signs whose sum is at least as far from 0 as that of the differences themselves. */
    private static double exactP(List<Double> differences) {
        int count = differences.size();
        if (count < 2 || count > MOST_EXACT) {
            return Double.NaN;
        }
        double own =
                Math.abs(differences.stream().mapToDouble(Double::doubleValue).sum());
        double bound = own - 1e-12 * differences.stream().mapToDouble(Math::abs).sum();
        double[] left = signedSums(differences.subList(0, count / 2));
        double[] right = signedSums(differences.subList(count / 2, count));
        long asLarge = 0;
        int first = right.length;
        for (double sum : left) {
            while (first > 0 && sum + right[first - 1] >= bound) {
                first--;
            }
            asLarge += right.length - first;
        }
        // For each sum above the bound, the opposite signs give one as far below.
        return bound <= 0 ? 1 : 2.0 * asLarge / ((double) left.length * right.length);
    }

    /** The sums with each choice of signs, in ascending order. */
    private static double[] signedSums(List<Double> values) {
        double[] sums = {0};
        for (double value : values) {
            double[] more = new double[2 * sums.length];
            for (int i = 0; i < sums.length; i++) {
                more[2 * i] = sums[i] - value;
                more[2 * i + 1] = sums[i] + value;
            }
            sums = more;
        }
        Arrays.sort(sums);
        return sums;
    }
}
