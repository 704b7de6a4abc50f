package org.metasched.it.live;

import org.junit.jupiter.api.parallel.ResourceLock;

/** Slurm 22.05 of {@code test/live/start-slurm.sh}. */
@ResourceLock("slurm")
class LiveSlurmIT extends LiveSlurmContract {

    LiveSlurmIT() {
        super("slurm");
    }
}
