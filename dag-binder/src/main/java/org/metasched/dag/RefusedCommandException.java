package org.metasched.dag;

/** A wrong command whose problem has been reported. The next one can be read. */
final class RefusedCommandException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Says nothing, so one is enough: a file may have a million of them. */
    static final RefusedCommandException REPORTED = new RefusedCommandException();

    private RefusedCommandException() {
        super(null, null, false, false);
    }
}
