package org.metasched.simulation.result;

/** Bounded slowdown: response over run time, which counts as {@value #BOUND} s at least (Feitelson and others, JSSPP 1997). */
final class Slowdown {

    private static final long BOUND = 10;

    private Slowdown() {}

    /**
     * The bounded slowdown of a job, at least 1.
     *
     * @param waited seconds that it waited
     * @param ran seconds that it ran
     */
    static double bounded(long waited, long ran) {
        return Math.max(1, (waited + ran) / (double) Math.max(BOUND, ran));
    }
}
