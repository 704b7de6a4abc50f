package org.metasched.negotiation;

import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TemporaryFailure;

/** The database failed. Whether the change was made is not known; nothing depends on it but what was being changed. */
public class StoreUnavailableException extends RuntimeException implements TemporaryFailure {

    /** @param message names the store and what was asked of it */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String told() {
        return "SERVICE_FAILED: the database of the service does not answer. Whether the request was carried out is not known;"
                + " it may be repeated.";
    }
}
