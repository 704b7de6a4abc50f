package org.metasched.dag.slurm;

import java.util.List;

/**
 * A vertex of the DAG as one Slurm job.
 *
 * @param name of the node
 * @param key the name of its files, safe everywhere
 * @param options of sbatch for its resources
 * @param script the text of its wrapper; empty if the vertex needs no job: a node that is done, or a join
 * @param parents the vertices it waits for, by their place in the plan
 */
record PlannedNode(String name, String key, List<String> options, String script, List<Integer> parents) {

    PlannedNode {
        options = List.copyOf(options);
        parents = List.copyOf(parents);
    }

    boolean runs() {
        return !script.isEmpty();
    }
}
