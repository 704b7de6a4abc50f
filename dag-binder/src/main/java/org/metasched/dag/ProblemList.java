package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;

/** Collects the problems of a DAG: the first so many in full, all of them as a number. Not thread-safe. */
final class ProblemList {

    private final List<DagProblem> errors = new ArrayList<>();
    private final List<DagProblem> warnings = new ArrayList<>();
    private final int kept;
    private long errorCount;

    ProblemList(int kept) {
        this.kept = kept;
    }

    void error(DagProblem problem) {
        errorCount++;
        if (errors.size() < kept) {
            errors.add(problem);
        }
    }

    void warning(DagProblem problem) {
        if (warnings.size() < kept) {
            warnings.add(problem);
        }
    }

    List<DagProblem> errors() {
        return errors;
    }

    List<DagProblem> warnings() {
        return warnings;
    }

    long errorCount() {
        return errorCount;
    }

    /** Whether looking for a hint still pays: searching all names for each of a million slips would not. */
    boolean worthAHint() {
        return errorCount < 200;
    }
}
