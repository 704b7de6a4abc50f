package org.metasched.dag;

/** A wrong command whose problem has been reported. The next command can be read. */
final class RefusedCommandException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The only instance, as it has no message: a file may have a million refused commands. */
    static final RefusedCommandException REPORTED = new RefusedCommandException();

    private RefusedCommandException() {
        super(null, null, false, false);
    }
}
