package org.metasched.negotiation;

/** The database was busy with earlier work for too long; the new work was not begun, and may be tried again later. */
public final class StoreBusyException extends StoreUnavailableException {

    public StoreBusyException(String message) {
        super(message, null);
    }

    @Override
    public String publicMessage() {
        return "BUSY: " + getMessage() + " Nothing was begun; ask again later.";
    }
}
