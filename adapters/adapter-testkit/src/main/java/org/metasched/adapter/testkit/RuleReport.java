package org.metasched.adapter.testkit;

/**
 * Result of one rule.
 *
 * @param detail what was seen; when the rule failed, also what to look at; when it was skipped, why
 */
public record RuleReport(AdapterRule rule, Outcome outcome, String detail) {

    /** How a rule ended. */
    public enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }
}
