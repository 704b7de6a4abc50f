package org.metasched.negotiation;

import org.jspecify.annotations.Nullable;

/** The database failed. Whether the change was made is not known; nothing depends on it but what was being changed. */
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message names the store and what was asked of it */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
