package org.metasched.dag.slurm;

import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/**
 * State that a run shares with the runs of its SUBDAG nodes.
 *
 * @param reservation name of a reservation of Slurm for the jobs
 * @param ends queue of the ends of scripts that run here
 */
record RunContext(
        SlurmQueue queue,
        Optional<String> reservation,
        RunOptions options,
        Clock clock,
        BlockingQueue<ScriptEnd> ends) {

    /** End of a script. */
    record ScriptEnd(DagmanRun run, RunNode node, int attempt, RunState during, int code) {}

    RunContext(SlurmQueue queue, Optional<String> reservation, RunOptions options, Clock clock) {
        this(queue, reservation, options, clock, new LinkedBlockingQueue<>());
    }
}
