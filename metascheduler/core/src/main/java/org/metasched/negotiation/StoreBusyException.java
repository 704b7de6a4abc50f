package org.metasched.negotiation;

/** Earlier work has left no room in the database for so long that nothing was begun: to be tried again later. */
public final class StoreBusyException extends StoreUnavailableException {

    public StoreBusyException(String message) {
        super(message, null);
    }

    @Override
    public String told() {
        return "BUSY: " + getMessage() + " Nothing was begun; ask again later.";
    }
}
