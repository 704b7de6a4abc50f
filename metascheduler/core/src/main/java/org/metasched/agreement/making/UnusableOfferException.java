package org.metasched.agreement.making;

import java.util.List;

/** A document that is no valid offer; the caller has to change it. */
public final class UnusableOfferException extends IllegalArgumentException {

    private final String code;
    private final List<String> reasons;

    /** @param code code for programs, the same as in faults of the SOAP services */
    public UnusableOfferException(String code, List<String> reasons, Throwable cause) {
        super(code + ": " + String.join("\n", reasons), cause);
        this.code = code;
        this.reasons = List.copyOf(reasons);
    }

    public String code() {
        return code;
    }

    public List<String> reasons() {
        return reasons;
    }
}
