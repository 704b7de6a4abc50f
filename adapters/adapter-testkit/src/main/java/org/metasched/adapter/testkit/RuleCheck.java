package org.metasched.adapter.testkit;

import java.util.Optional;
import org.metasched.adapter.LocalSchedulerException;

/** The executable check of one rule. */
@FunctionalInterface
interface RuleCheck {

    /**
     * Tries the rule.
     *
     * @return an observation, in a sentence
     * @throws Broken when the site breaks the rule
     * @throws Skipped when the rule cannot be tried here
     */
    String run(RuleTrial trial) throws LocalSchedulerException, InterruptedException, Broken, Skipped;

    /** Thrown when the site breaks the rule; the message says how. */
    final class Broken extends Exception {

        Broken(String message) {
            super(message);
        }
    }

    /** Thrown when the rule cannot be tried; the message says why. */
    final class Skipped extends Exception {

        Skipped(String message) {
            super(message);
        }

        /** The ability that the rule needs; without it the rule is skipped. */
        static <T> T without(Optional<T> needed, String message) throws Skipped {
            return needed.orElseThrow(() -> new Skipped(message));
        }
    }
}
