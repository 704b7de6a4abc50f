package org.metasched.trust;

/** A credential proves nothing. The reason is for the log; the sender is told only that it was refused. */
public final class UntrustedException extends Exception {

    private static final long serialVersionUID = 1L;

    public UntrustedException(String reason) {
        super(reason);
    }

    UntrustedException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
