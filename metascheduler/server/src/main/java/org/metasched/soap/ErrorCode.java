package org.metasched.soap;

import java.util.EnumSet;
import java.util.Set;
import org.metasched.agreement.RefusalCode;

/** Codes of faults, in the dialect {@code urn:metasched:error:1}: reasons of refusal, and errors of other calls. */
enum ErrorCode {
    OFFER_INVALID,
    TEMPLATE_UNKNOWN,
    SITE_UNKNOWN,
    TOO_LATE,
    NO_MATCHING_SITE,
    NO_COMMON_SLOT,
    PREVIEW_WINDOW_EXCEEDED,
    RESOURCE_LOST_RACE,
    ADAPTER_DOWN,
    ADAPTER_MISCONFIGURED,
    SCHEDULER_UNREADABLE,
    SITE_REFUSES,
    BUSY,
    WITHDRAWN,
    /** A critical extension that is not known here. */
    EXTENSION_NOT_UNDERSTOOD,
    /** The initiator used this agreement id for another offer. */
    AGREEMENT_ID_TAKEN,
    AGREEMENT_UNKNOWN,
    NEGOTIATION_UNKNOWN,
    /** The agreement has ended already. */
    AGREEMENT_FINAL,
    /** The agreement has not ended, so it cannot be forgotten. */
    AGREEMENT_NOT_FINAL,
    /** The agreement cannot be forgotten at that time. */
    TIME_REJECTED,
    PROPERTY_UNKNOWN,
    /** The query is not XPath 1.0, or would cost too much. */
    QUERY_INVALID,
    /** The sender proved who it is, and may not do this. */
    NOT_ALLOWED,
    /** The service could not do its work, and says in its log why. */
    SERVICE_FAILED;

    private static final Set<ErrorCode> RECEIVER_CODES = EnumSet.of(
            NO_MATCHING_SITE,
            NO_COMMON_SLOT,
            PREVIEW_WINDOW_EXCEEDED,
            RESOURCE_LOST_RACE,
            ADAPTER_DOWN,
            ADAPTER_MISCONFIGURED,
            SCHEDULER_UNREADABLE,
            SITE_REFUSES,
            BUSY,
            SERVICE_FAILED);

    static ErrorCode of(RefusalCode code) {
        return valueOf(code.name());
    }

    /** Whether the sender must change the message or wait for the end of an agreement (SOAP code Sender); nothing at the sites helps. */
    boolean isSenders() {
        return !RECEIVER_CODES.contains(this);
    }
}
