package org.metasched.submit;

/** A submit description cannot be expanded: condor_submit would refuse it, or it exceeds a limit of this program. */
public final class SubmitException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String file;
    private final int line;
    private final String reason;

    /** @param line number of the line, from 1; 0 if the fault belongs to no line */
    public SubmitException(String file, int line, String reason) {
        super(file + (line > 0 ? ":" + line : "") + ": " + reason);
        this.file = file;
        this.line = line;
        this.reason = reason;
    }

    /** The file, as it was named. */
    public String file() {
        return file;
    }

    /** The line, from 1; 0 if the fault belongs to no line. */
    public int line() {
        return line;
    }

    /** The reason without the place. */
    public String reason() {
        return reason;
    }
}
