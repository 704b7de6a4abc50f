package org.metasched.adapter.testkit;

import java.util.Optional;
import org.metasched.adapter.LocalSchedulerException;

/** The executable check of one rule. */
@FunctionalInterface
interface RuleCheck {

    /**
     * @return what was seen, in a sentence
     * @throws Broken when the site breaks the rule
     * @throws Skipped when the rule cannot be tried here
     */
    String run(RuleTrial trial) throws LocalSchedulerException, InterruptedException, Broken, Skipped;

    /** The site breaks the rule; the message says by what. */
    final class Broken extends Exception {

        Broken(String message) {
            super(message);
        }
    }

    /** The rule cannot be tried; the message says why. */
    final class Skipped extends Exception {

        Skipped(String message) {
            super(message);
        }

        /** Takes an ability that the rule needs, or skips the rule. */
        static <T> T without(Optional<T> needed, String message) throws Skipped {
            return needed.orElseThrow(() -> new Skipped(message));
        }
    }
}
