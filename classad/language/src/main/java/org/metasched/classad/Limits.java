package org.metasched.classad;

import org.metasched.classad.text.Regex;

/**
 * The limits that keep a hostile ad from exhausting stack, heap or time. Where the reference has a limit, the default is the same.
 *
 * @param textBytes the bytes of a text that is parsed, at most
 * @param parserLevels the depth of the parser's recursion at most; a parenthesis takes two levels, a prefix operator one
 * @param evaluationLevels the depth of operators, calls and attribute references during one evaluation, at most
 * @param evaluationSteps the nodes that one evaluation visits at most, approximately
 * @param stringBytes the bytes of a string that an evaluation makes, at most
 * @param evaluationBytes the bytes of all objects that one evaluation makes, at most, approximately
 * @param regexSteps how often one search for a regular expression may look at a character, besides ten looks for each character of its
 *     target
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
     * The usual limits: 500 levels of a parser and 400 of an evaluation, ten million steps, a million looks of a regular expression. The
     * others are parts of the largest heap of this JVM: 1/32, at most 64 MiB, for a text; 1/32, at most 16 MiB, for a string; 1/8, at most
     * 64 MiB, for an evaluation.
     */
    public static final Limits DEFAULT =
            new Limits(share(32, 64), 500, 400, 10_000_000, share(32, 16), share(8, 64), Regex.DEFAULT_STEPS);

    /** The largest depth that can be allowed: a deeper recursion would need a larger stack than Java threads have. */
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

    /** The largest heap divided by {@code part}, in bytes, but at most so many MiB. */
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
