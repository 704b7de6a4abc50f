package org.metasched.agreement;

/** Another caller saved the agreement first: read it again, decide again. */
public final class StaleAgreementException extends RuntimeException {

    /** @param version the version that the caller had read */
    public StaleAgreementException(AgreementId id, long version) {
        super("Agreement " + id + " was changed by another caller since its version " + version + " was read.");
    }
}
