/** Advance reservations with Slurm, by its commands or slurmrestd. */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.slurm;
