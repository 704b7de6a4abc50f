package org.metasched.dag.run;

/**
 * Executes the decisions of a {@link DagRun}. Each call returns soon; the run gets its result later, by a call from the same
 * thread.
 */
public interface RunExecutor {

    /** Runs the PRE script of a node. */
    void pre(RunNode node);

    /**
     * Submits the jobs of a node.
     *
     * @return number of procs of the node
     */
    int submit(RunNode node);

    /** Runs the POST script; its {@code $RETURN} is {@link RunNode#returned()}. */
    void post(RunNode node);

    /** Removes the procs of the node that have not ended; the end of each is still reported to the run. */
    void removeRest(RunNode node);

    /** Removes all jobs and ends all scripts; none of their ends is reported any more. */
    void removeAll();

    /** Writes the rescue file, or overwrites it, when the DAG's end is known; before jobs are removed and FINAL starts. */
    void rescue(RescueState rescue);
}
