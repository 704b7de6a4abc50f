package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;

/** Collects the first problems of a DAG, and counts all its errors. Not thread-safe. */
final class ProblemList {

    /** The number of errors that may get a hint, as each hint takes a search of all names. */
    private static final int MAX_ERRORS_WITH_HINT = 200;

    final List<DagProblem> errors = new ArrayList<>();
    final List<DagProblem> warnings = new ArrayList<>();
    private final int maxKept;
    long errorCount;

    ProblemList(int maxKept) {
        this.maxKept = maxKept;
    }

    void error(DagProblem problem) {
        errorCount++;
        if (errors.size() < maxKept) {
            errors.add(problem);
        }
    }

    void warning(DagProblem problem) {
        if (warnings.size() < maxKept) {
            warnings.add(problem);
        }
    }

    /** Whether another hint is worth a search of all names. */
    boolean worthAHint() {
        return errorCount < MAX_ERRORS_WITH_HINT;
    }
}
