package org.metasched.simulation.result;

import java.util.List;

/**
 * The mean difference of two figures over runs of the same seeds, which share local jobs and random numbers.
 *
 * @param estimate of the mean, with its 95 % interval by Student's t over the pairs
 * @param p two-sided, of Fisher's exact test that turns the signs of the differences; NaN with fewer than two pairs or more than
 *     {@value #MOST_EXACT}. With n pairs it is never below 2 / 2^n: five seeds cannot show less than 0.0625
 */
public record PairedDifference(ConfidenceEstimate estimate, double p) {

    private static final int MOST_EXACT = 20;

    /** @param differences one for each pair */
    public static PairedDifference of(List<Double> differences) {
        return new PairedDifference(ConfidenceEstimate.ofIndependent(differences), exact(differences));
    }

    private static double exact(List<Double> differences) {
        int count = differences.size();
        if (count < 2 || count > MOST_EXACT) {
            return Double.NaN;
        }
        double own =
                Math.abs(differences.stream().mapToDouble(Double::doubleValue).sum());
        double rounding = 1e-12 * differences.stream().mapToDouble(Math::abs).sum();
        int asLarge = 0;
        for (int signs = 0; signs < (1 << count); signs++) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += ((signs >> i) & 1) == 0 ? differences.get(i) : -differences.get(i);
            }
            asLarge += Math.abs(sum) >= own - rounding ? 1 : 0;
        }
        return asLarge / (double) (1 << count);
    }
}
