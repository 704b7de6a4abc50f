package org.metasched.negotiation;

import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TemporaryFailure;

/** The database failed. It is not known whether the change was made; no other change is affected. */
public class StoreUnavailableException extends RuntimeException implements TemporaryFailure {

    /** @param message sentence that names the store and the request to it */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String publicMessage() {
        return "SERVICE_FAILED: the database of the service does not answer. Whether the request was carried out is not known;"
                + " it may be repeated.";
    }
}
