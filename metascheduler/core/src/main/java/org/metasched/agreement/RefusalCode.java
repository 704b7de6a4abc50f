package org.metasched.agreement;

import org.metasched.negotiation.NegotiationOutcome.Why;

/** Reason of a refusal, for programs. */
public enum RefusalCode {
    OFFER_INVALID,
    /** The initiator used this agreement id for another offer. */
    AGREEMENT_ID_TAKEN,
    TEMPLATE_UNKNOWN,
    SITE_UNKNOWN,
    /** The times asked for have passed. */
    TOO_LATE,
    /** No site satisfies a term that names no site. */
    NO_MATCHING_SITE,
    NO_COMMON_SLOT,
    /** No common slot as far as the sites look ahead. */
    PREVIEW_WINDOW_EXCEEDED,
    /** Others reserved first, on every attempt. */
    RESOURCE_LOST_RACE,
    /** A site's adapter gave no answer. */
    ADAPTER_DOWN,
    /** A site's adapter cannot work as it is set up. */
    ADAPTER_MISCONFIGURED,
    /** A site's adapter cannot understand the answer of its scheduler. */
    SCHEDULER_UNREADABLE,
    /** A site's own rules forbid the request; the reason names the rule. */
    SITE_REFUSES,
    /** The service has too much to do, or is shutting down. */
    BUSY,
    /** The initiator ended the offer before its decision, or the agreement that it was to replace has ended or may not be replaced. */
    WITHDRAWN;

    /** The code of a negotiation that was abandoned. */
    public static RefusalCode of(Why why) {
        return switch (why) {
            case SITE_UNAVAILABLE -> ADAPTER_DOWN;
            case SITE_MISCONFIGURED -> ADAPTER_MISCONFIGURED;
            case SITE_UNREADABLE -> SCHEDULER_UNREADABLE;
            case SITE_REFUSES -> SITE_REFUSES;
            case OUTRUN -> RESOURCE_LOST_RACE;
            case BUDGET_SPENT -> NO_COMMON_SLOT;
        };
    }
}
