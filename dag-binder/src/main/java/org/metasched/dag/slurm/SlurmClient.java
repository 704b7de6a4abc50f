package org.metasched.dag.slurm;

import java.util.List;

/** Runs Slurm's commands: {@code sbatch}, {@code scontrol}, {@code squeue} and {@code scancel}, without a shell. */
@FunctionalInterface
public interface SlurmClient {

    /**
     * Runs a command to its end.
     *
     * @param words program and arguments
     * @return its standard output
     * @throws SlurmException if it could not be run or failed; its effect may have happened
     */
    String run(List<String> words) throws SlurmException;
}
