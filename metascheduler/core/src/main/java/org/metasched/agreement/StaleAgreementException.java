package org.metasched.agreement;

/** Somebody else saved the agreement first: read it again, decide again. */
public final class StaleAgreementException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StaleAgreementException(AgreementId id, long version) {
        super("Agreement " + id + " was changed by somebody else since its version " + version + " was read.");
    }
}
