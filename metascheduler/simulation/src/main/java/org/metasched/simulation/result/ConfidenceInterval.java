package org.metasched.simulation.result;

/** A 95 % confidence interval that need not be symmetric, in the unit of its figure. */
public record ConfidenceInterval(double low, double high) {

    /** The interval in another unit. */
    public ConfidenceInterval times(double scale) {
        return new ConfidenceInterval(low * scale, high * scale);
    }
}
