package org.metasched.client;

import java.util.List;

/** The service's answer was a fault. */
public final class AgreementFaultException extends Exception {

    private final String code;
    private final List<String> descriptions;

    AgreementFaultException(String code, List<String> descriptions) {
        super(String.join("\n", descriptions));
        this.code = code;
        this.descriptions = List.copyOf(descriptions);
    }

    /** The code for programs, such as {@code NO_COMMON_SLOT}; empty when the service gave none. */
    public String code() {
        return code;
    }

    /** Descriptions of the faults, for people. */
    public List<String> descriptions() {
        return descriptions;
    }
}
