package org.metasched.classad;

import org.metasched.classad.text.Regex;

/**
 * Bounds that keep a hostile ad from exhausting stack, heap or time. Where the reference has a limit, the default is the same.
 *
 * @param textBytes longest text that is parsed, in bytes
 * @param parserLevels recursion of the parser; a parenthesis counts two levels, a prefix operator one
 * @param evaluationLevels nesting of operators, calls and attribute references during one evaluation
 * @param evaluationSteps nodes visited by one evaluation, approximately
 * @param stringBytes longest string that an evaluation makes, in bytes
 * @param evaluationBytes size of all objects that one evaluation makes, in bytes, approximately
 * @param regexSteps characters that one regular expression may read, each reading counted, in addition to ten for each character of its target
 */
public record Limits(
        int textBytes,
        int parserLevels,
        int evaluationLevels,
        int evaluationSteps,
        int stringBytes,
        int evaluationBytes,
        int regexSteps) {

    /**
     * 500 and 400 levels, ten million steps, a million regex looks; shares of the largest heap that this JVM may have: of text the 32nd
     * part, at most 64 MiB; of one string the 32nd, at most 16 MiB; of an evaluation the eighth, at most 64 MiB.
     */
    public static final Limits DEFAULT =
            new Limits(share(32, 64), 500, 400, 10_000_000, share(32, 16), share(8, 64), Regex.DEFAULT_STEPS);

    /** Deeper recursion than this would need a larger Java stack than threads have. */
    private static final int MOST_LEVELS = 2_000;

    public Limits {
        positive("textBytes", textBytes);
        positive("parserLevels", parserLevels);
        positive("evaluationLevels", evaluationLevels);
        positive("evaluationSteps", evaluationSteps);
        positive("stringBytes", stringBytes);
        positive("evaluationBytes", evaluationBytes);
        positive("regexSteps", regexSteps);
        if (parserLevels > MOST_LEVELS || evaluationLevels > MOST_LEVELS) {
            throw new IllegalArgumentException("The levels (%d to parse, %d to evaluate) must not exceed %d."
                    .formatted(parserLevels, evaluationLevels, MOST_LEVELS));
        }
    }

    private static int share(int part, int mostMebibytes) {
        return (int) Math.min(Runtime.getRuntime().maxMemory() / part, (long) mostMebibytes << 20);
    }

    private static void positive(String what, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException("The limit %s (%d) must be positive.".formatted(what, value));
        }
    }

    /** These limits with another bound on the steps of one evaluation. */
    public Limits withEvaluationSteps(int steps) {
        return new Limits(textBytes, parserLevels, evaluationLevels, steps, stringBytes, evaluationBytes, regexSteps);
    }

    /** These limits with another bound on the length of a text to parse. */
    public Limits withTextBytes(int bytes) {
        return new Limits(
                bytes, parserLevels, evaluationLevels, evaluationSteps, stringBytes, evaluationBytes, regexSteps);
    }
}
