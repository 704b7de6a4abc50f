package org.metasched.cli.install;

import java.util.Locale;

/**
 * What one check of an installation came to.
 *
 * @param what   was looked at
 * @param advice what to do; empty where all is well
 */
record Finding(String what, Outcome outcome, String detail, String advice) {

    enum Outcome {
        GOOD,
        DOUBTFUL,
        WRONG;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding good(String what, String detail) {
        return new Finding(what, Outcome.GOOD, detail, "");
    }

    static Finding doubtful(String what, String detail, String advice) {
        return new Finding(what, Outcome.DOUBTFUL, detail, advice);
    }

    static Finding wrong(String what, String detail, String advice) {
        return new Finding(what, Outcome.WRONG, detail, advice);
    }
}
