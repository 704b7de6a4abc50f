package org.metasched.dag;

import java.util.List;

/**
 * The result of reading a DAG.
 *
 * @param dag the graph, as far as it could be read
 * @param errors faults with which the DAG would not run, in the order found; at most as many as {@link DagLimits#problems()}
 * @param warnings sentences about probable mistakes
 * @param errorCount all errors, also those that are not in the list
 * @param cycle the names of nodes that wait for one another; empty if there is no cycle
 */
public record ParsedDag(
        Dag dag, List<DagProblem> errors, List<DagProblem> warnings, long errorCount, List<String> cycle) {

    public ParsedDag {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
        cycle = List.copyOf(cycle);
    }

    /** Whether condor would run the DAG. */
    public boolean isSound() {
        return errorCount == 0;
    }
}
