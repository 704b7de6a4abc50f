package org.metasched.trust;

/** A caller may not do the requested operation now. The message is for the caller, and says nothing of the rules. */
public final class NotAllowedException extends RuntimeException {

    private final boolean isBusy;
    private final boolean isUnrecorded;

    public NotAllowedException(String message, boolean isBusy) {
        this(message, isBusy, false);
    }

    private NotAllowedException(String message, boolean isBusy, boolean isUnrecorded) {
        super(message, null, false, false);
        this.isBusy = isBusy;
        this.isUnrecorded = isUnrecorded;
    }

    static NotAllowedException unrecorded() {
        return new NotAllowedException(
                "The service cannot write its record, and does nothing until it can.", true, true);
    }

    /** Whether the reason is that the decision cannot be recorded. */
    public boolean isUnrecorded() {
        return isUnrecorded;
    }

    /** Whether the caller may repeat the request later. */
    public boolean isBusy() {
        return isBusy;
    }
}
