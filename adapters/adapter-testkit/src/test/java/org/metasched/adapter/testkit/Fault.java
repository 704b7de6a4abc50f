package org.metasched.adapter.testkit;

import java.util.Set;

/** A mistake that the author of an adapter could make, and the rules that must notice it. */
enum Fault {
    CUTS_OFF_MINUTES(Rule.A1),
    ROUNDS_UP(Rule.A2),
    SEARCHES_FROM_A_FIXED_PLACE(Rule.A3),
    DOES_NOT_KNOW_ITS_SIZE(Rule.A4),
    REPORTS_WHAT_WAS_ASKED(Rule.R1),
    NAMES_TOO_FEW_NODES(Rule.R1),
    FORGETS_KEYS(Rule.R2),
    CHECKS_THE_KEY_TOO_EARLY(Rule.R2),
    ANSWERS_WHAT_IT_REFUSES(Rule.R3),
    DOES_NOT_COUNT_RESERVATIONS(Rule.R4),
    LEAVES_WHAT_IT_REFUSED(Rule.R5),
    TAKES_THE_PAST(Rule.R5),
    GRANTS_FEWER_NODES(Rule.R6),
    GRANTS_FEWER_CORES(Rule.R6),
    GRANTS_LESS_TIME(Rule.R6),
    CANCELS_ONLY_ONCE(Rule.C1),
    CANCELS_LATER(Rule.C2),
    CALLS_UNKNOWN_FINISHED(Rule.S1),
    CALLS_EVERYTHING_ACTIVE(Rule.S2),
    NEVER_FINISHES(Rule.S3),
    FINDS_NOTHING(Rule.F1),
    FINDS_ANYTHING(Rule.F2),
    LISTS_TOO_LITTLE(Rule.W1),
    LISTS_BEYOND_THE_SPAN(Rule.W2),
    BINDS_ONCE(Rule.B1),
    PUBLISHES_ONCE(Rule.P1),
    TAKES_ANY_NAME(Rule.P2),
    STARTS_A_SECOND_JOB(Rule.J1),
    LEAVES_JOBS_BEHIND(Rule.J2),
    BRINGS_ANYTHING(Rule.J3),
    COUNTS_FREE_NODES_TWICE(Rule.L1),
    GRANTS_WHAT_ITS_POLICY_FORBIDS(Rule.Y1),
    OFFERS_WHAT_ITS_POLICY_FORBIDS(Rule.Y1),
    DOES_NOT_SAY_WHY(Rule.Y1),
    OVERLOOKS_OTHERS(Rule.O1),
    OVERLOOKS_LOST_NODES(Rule.O2),
    CANCELS_WHAT_IS_WHOLE_ONLY(Rule.O2),
    RUNS_A_COMMAND_FOR_EACH_STATE(Rule.Z1);

    final Set<Rule> noticedBy;

    Fault(Rule... rules) {
        noticedBy = Set.of(rules);
    }
}
