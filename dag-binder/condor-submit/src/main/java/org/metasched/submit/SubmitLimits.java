package org.metasched.submit;

/**
 * Limits on reading a submit description.
 *
 * @param lineBytes length of a line, continuations joined
 * @param expandedChars length of a value after its macros are expanded
 * @param expansions macros expanded for one value
 * @param depth nesting of include and if
 * @param jobs jobs that all queue statements make together
 */
public record SubmitLimits(int lineBytes, int expandedChars, int expansions, int depth, int jobs) {

    /** Lines of 8 MiB, values of 16 MiB, 100,000 macros a value, 32 includes deep, a million jobs. */
    public static final SubmitLimits DEFAULT = new SubmitLimits(8 << 20, 16 << 20, 100_000, 32, 1_000_000);

    public SubmitLimits {
        if (lineBytes < 1 || expandedChars < 1 || expansions < 1 || depth < 1 || jobs < 1) {
            throw new IllegalArgumentException("The limits must be positive.");
        }
    }
}
