package org.metasched.dag;

/** A DAG exceeds one of the {@link DagLimits}. Reading stops: problems behind this point would be of no use. */
final class DagTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final transient DagProblem problem;

    DagTooLargeException(DagProblem problem) {
        super(problem.reason(), null, false, false);
        this.problem = problem;
    }
}
