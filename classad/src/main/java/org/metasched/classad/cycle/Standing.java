package org.metasched.classad.cycle;

import java.time.Instant;

/**
 * How a submitter stands with the {@link Accountant}.
 *
 * @param submitter the submitter
 * @param usage decayed usage in resources ("real user priority"); at least {@link Accountant#LEAST_USAGE}
 * @param factor multiplies the usage; 1 unless an administrator says otherwise
 * @param inUse resources in use now
 * @param reckoned the instant up to which the usage is reckoned
 */
public record Standing(String submitter, double usage, double factor, double inUse, Instant reckoned) {

    public Standing {
        if (submitter.isBlank()) {
            throw new IllegalArgumentException("The submitter must have a name.");
        }
        if (!(usage >= 0) || !(factor > 0) || !(inUse >= 0)) {
            throw new IllegalArgumentException("The standing of " + submitter + " (usage " + usage + ", factor "
                    + factor + ", in use " + inUse + ") must not be negative, and the factor must be positive.");
        }
    }

    /** Effective priority: the smaller, the earlier the submitter's turn and the larger the share. */
    public double priority() {
        return usage * factor;
    }
}
