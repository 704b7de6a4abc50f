package org.metasched.soap;

import java.util.List;

/** The service's answer was a fault. */
public final class AgreementFaultException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final List<String> descriptions;

    AgreementFaultException(String code, List<String> descriptions, Throwable cause) {
        super(String.join("\n", descriptions), cause);
        this.code = code;
        this.descriptions = List.copyOf(descriptions);
    }

    /** For programs, such as {@code NO_COMMON_SLOT}; empty when the service gave none. */
    public String code() {
        return code;
    }

    public List<String> descriptions() {
        return descriptions;
    }
}
