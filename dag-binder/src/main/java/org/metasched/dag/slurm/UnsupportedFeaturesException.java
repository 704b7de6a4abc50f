package org.metasched.dag.slurm;

import java.util.List;
import java.util.stream.Collectors;
import org.metasched.dag.DagProblem;

/** A DAG asks for what Slurm cannot honour; nothing has been submitted. */
public final class UnsupportedFeaturesException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<DagProblem> problems;

    UnsupportedFeaturesException(List<DagProblem> problems) {
        super(problems.stream().map(DagProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** The problems, each with the command's name, its file and its line. */
    public List<DagProblem> problems() {
        return problems;
    }
}
