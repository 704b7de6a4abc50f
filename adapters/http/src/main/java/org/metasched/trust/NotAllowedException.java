package org.metasched.trust;

/** A caller may not do what it asks for now. The message is for the caller, and says nothing of the rules. */
public final class NotAllowedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean isBusy;

    public NotAllowedException(String message, boolean isBusy) {
        super(message, null, false, false);
        this.isBusy = isBusy;
    }

    /** Whether the same may be asked again later. */
    public boolean isBusy() {
        return isBusy;
    }
}
