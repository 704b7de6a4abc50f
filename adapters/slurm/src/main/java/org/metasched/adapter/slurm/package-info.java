/** Advance reservations with Slurm's {@code scontrol}. */
@NullMarked
package org.metasched.adapter.slurm;

import org.jspecify.annotations.NullMarked;
