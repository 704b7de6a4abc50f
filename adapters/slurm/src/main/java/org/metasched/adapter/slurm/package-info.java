/** Advance reservations with Slurm, by its commands or slurmrestd. */
@NullMarked
package org.metasched.adapter.slurm;

import org.jspecify.annotations.NullMarked;
