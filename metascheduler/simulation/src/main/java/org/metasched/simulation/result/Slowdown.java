package org.metasched.simulation.result;

/** Response over run time, with short jobs counted as if they ran {@value #BOUND} s (Feitelson and others, JSSPP 1997). */
final class Slowdown {

    private static final long BOUND = 10;

    private Slowdown() {}

    /** @param waited seconds, like {@code ran} */
    static double bounded(long waited, long ran) {
        return Math.max(1, (waited + ran) / (double) Math.max(BOUND, ran));
    }
}
