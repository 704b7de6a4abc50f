package org.metasched.dag;

/** A DAG exceeds one of the {@link DagLimits}. Reading stops; there is nothing sensible to report behind this point. */
final class DagTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String file;
    private final int line;

    DagTooLargeException(String file, int line, String reason) {
        super(reason, null, false, false);
        this.file = file;
        this.line = line;
    }

    DagProblem problem() {
        String reason = String.valueOf(getMessage());
        return new DagProblem(file, line, 0, "", reason, "Maybe splices contain one another many times over.");
    }
}
