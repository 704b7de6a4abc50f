package org.metasched.adapter.testkit;

import java.util.Set;

/** A mistake that the author of an adapter could make, and the rules that must notice it. */
enum Fault {
    CUTS_OFF_MINUTES(AdapterRule.A1),
    ROUNDS_UP(AdapterRule.A2),
    SEARCHES_FROM_A_FIXED_PLACE(AdapterRule.A3),
    DOES_NOT_KNOW_ITS_SIZE(AdapterRule.A4),
    REPORTS_WHAT_WAS_ASKED(AdapterRule.R1),
    NAMES_TOO_FEW_NODES(AdapterRule.R1),
    FORGETS_KEYS(AdapterRule.R2),
    CHECKS_THE_KEY_TOO_EARLY(AdapterRule.R2),
    REFUSES_BOTH_CALLERS(AdapterRule.R2),
    ANSWERS_WHAT_IT_REFUSES(AdapterRule.R3),
    DOES_NOT_COUNT_RESERVATIONS(AdapterRule.R4),
    LEAVES_WHAT_IT_REFUSED(AdapterRule.R5),
    TAKES_THE_PAST(AdapterRule.R5),
    GRANTS_FEWER_NODES(AdapterRule.R6),
    GRANTS_FEWER_CORES(AdapterRule.R6),
    GRANTS_LESS_TIME(AdapterRule.R6),
    CANCELS_ONLY_ONCE(AdapterRule.C1),
    CANCELS_LATER(AdapterRule.C2),
    CALLS_UNKNOWN_FINISHED(AdapterRule.S1),
    CALLS_EVERYTHING_ACTIVE(AdapterRule.S2),
    NEVER_FINISHES(AdapterRule.S3),
    FINDS_NOTHING(AdapterRule.F1),
    FINDS_ANYTHING(AdapterRule.F2),
    LISTS_TOO_LITTLE(AdapterRule.W1),
    LISTS_BEYOND_THE_SPAN(AdapterRule.W2),
    BINDS_ONCE(AdapterRule.B1),
    PUBLISHES_ONCE(AdapterRule.P1),
    TAKES_ANY_NAME(AdapterRule.P2),
    CHANGES_NOTHING(AdapterRule.M1),
    ONLY_LENGTHENS(AdapterRule.M1),
    GIVES_UP_WHAT_IT_CANNOT_CHANGE(AdapterRule.M2),
    STARTS_A_SECOND_JOB(AdapterRule.J1),
    LEAVES_JOBS_BEHIND(AdapterRule.J2),
    BRINGS_ANYTHING(AdapterRule.J3),
    RUNS_A_PROCESS_TWICE(AdapterRule.J4),
    RUNS_THE_FIRST_PROCESS_ONLY(AdapterRule.J4),
    READS_THE_USERS_FILES(AdapterRule.J5),
    LETS_NO_USER_HAVE_AN_ID(AdapterRule.J5),
    PUTS_ALL_OUTPUT_INTO_ITS_DIRECTORY(AdapterRule.J5),
    CUTS_LONG_VARIABLES(AdapterRule.J6),
    LETS_A_SHELL_READ_VARIABLES(AdapterRule.J6),
    SETS_ITS_OWN_ZONE(AdapterRule.J6),
    RUNS_IN_A_DIRECTORY_OF_ANOTHER_USER(AdapterRule.J7),
    SPELLS_ZONES_AS_JAVA_DOES(AdapterRule.J7),
    BEGINS_BEFORE_THE_SLOT(AdapterRule.J7),
    /** As behind {@code runuser}. */
    LEAKS_ITS_HOME(AdapterRule.J8),
    /** As behind a wrapper that keeps the environment. */
    LEAKS_ITS_NAME(AdapterRule.J8),
    /** As behind {@code sudo -u}. */
    DROPS_VARIABLES(AdapterRule.J8),
    /** As behind {@code sudo -i}. */
    GIVES_WORDS_TO_A_LOGIN_SHELL(AdapterRule.J8),
    COUNTS_FREE_NODES_TWICE(AdapterRule.L1),
    GRANTS_WHAT_ITS_POLICY_FORBIDS(AdapterRule.Y1),
    OFFERS_WHAT_ITS_POLICY_FORBIDS(AdapterRule.Y1),
    DOES_NOT_SAY_WHY(AdapterRule.Y1),
    OVERLOOKS_OTHERS(AdapterRule.O1),
    OVERLOOKS_LOST_NODES(AdapterRule.O2),
    CANCELS_WHAT_IS_WHOLE_ONLY(AdapterRule.O2),
    RUNS_A_COMMAND_FOR_EACH_STATE(AdapterRule.Z1);

    final Set<AdapterRule> noticedBy;

    Fault(AdapterRule... rules) {
        noticedBy = Set.of(rules);
    }
}
