package org.metasched.classad.cycle;

import java.time.Instant;

/**
 * Standing of a submitter with the {@link Accountant}.
 *
 * @param submitter the submitter
 * @param usage decayed usage in weight ("real user priority"); at least {@link Accountant#LEAST_USAGE}
 * @param factor factor of the usage in the priority, at least 1
 * @param ceiling the most weight the submitter may use; negative: no ceiling
 * @param floor the weight below which the submitter is served first, with others below their floors; 0: no floor
 * @param inUse weight in use now
 * @param accumulated weight times seconds used so far; never decays
 * @param reckoned the instant up to which usage is reckoned
 */
public record SubmitterStanding(
        String submitter,
        double usage,
        double factor,
        long ceiling,
        long floor,
        double inUse,
        double accumulated,
        Instant reckoned) {

    public SubmitterStanding {
        if (submitter.isBlank()) {
            throw new IllegalArgumentException("The submitter must have a name.");
        }
        if (!(usage >= 0) || !(factor >= 1) || !(inUse >= 0) || !(accumulated >= 0) || floor < 0) {
            throw new IllegalArgumentException("The standing of " + submitter + " (usage " + usage + ", factor "
                    + factor + ", floor " + floor + ", in use " + inUse + ", accumulated " + accumulated
                    + ") must not be negative, and the factor must be at least 1.");
        }
    }

    static SubmitterStanding unknown(String submitter, Instant now) {
        return new SubmitterStanding(submitter, Accountant.LEAST_USAGE, Accountant.USUAL_FACTOR, -1, 0, 0, 0, now);
    }

    SubmitterStanding using(double weight) {
        return new SubmitterStanding(submitter, usage, factor, ceiling, floor, weight, accumulated, reckoned);
    }

    SubmitterStanding withUsage(double value) {
        return new SubmitterStanding(submitter, value, factor, ceiling, floor, inUse, accumulated, reckoned);
    }

    SubmitterStanding withFactor(double value) {
        return new SubmitterStanding(submitter, usage, value, ceiling, floor, inUse, accumulated, reckoned);
    }

    SubmitterStanding withCeiling(long value) {
        return new SubmitterStanding(submitter, usage, factor, value, floor, inUse, accumulated, reckoned);
    }

    SubmitterStanding withFloor(long value) {
        return new SubmitterStanding(submitter, usage, factor, ceiling, value, inUse, accumulated, reckoned);
    }

    /** Whether the standing equals that of an unknown submitter. */
    boolean isForgettable() {
        return inUse == 0
                && factor == Accountant.USUAL_FACTOR
                && usage <= Accountant.LEAST_USAGE
                && ceiling < 0
                && floor == 0
                && accumulated == 0;
    }

    /** Effective priority: the smaller, the earlier the submitter's turn and the larger the share. */
    public double priority() {
        return usage * factor;
    }
}
