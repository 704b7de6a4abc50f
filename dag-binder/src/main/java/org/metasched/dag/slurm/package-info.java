/**
 * A bound DAG handed to Slurm as jobs that depend on one another, for users who have no HTCondor. What Slurm cannot honour of DAGMan's
 * language is refused by name before anything is submitted.
 */
@NullMarked
package org.metasched.dag.slurm;

import org.jspecify.annotations.NullMarked;
