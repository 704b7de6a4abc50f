/**
 * Runs bound DAGs on Slurm, node by node, for users who have no HTCondor. What Slurm cannot honour of DAGMan's language is refused by
 * name before anything is submitted.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.dag.slurm;
