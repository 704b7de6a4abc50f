package org.metasched.dag.slurm;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.metasched.dag.run.RunState;

/** The action that a node waits for: its script, or the procs of its jobs. Not thread-safe. */
final class PendingAction {
    /** Submissions as the run orders ready nodes; scripts in the order in which they were asked for. */
    static final Comparator<PendingAction> FIRST_TO_BEGIN = Comparator.<PendingAction>comparingInt(
                    action -> action.priority)
            .reversed()
            .thenComparingLong(action -> action.order);

    /** The state of the node during the action. */
    final RunState during;
    /** By proc, whether it has ended. */
    private final boolean[] ended;

    /** Whether the script runs, or Slurm has the jobs. */
    boolean isUnderWay;
    /** The number of submissions that have failed. */
    int failures;
    /** The number of successive polls in which Slurm's queue did not have the job. */
    int pollsWithoutJob;

    /** The priority of a submission, and its place among those of its priority, lowest first; scripts have neither. */
    int priority;

    long order;

    /** The earliest time of the next try, in milliseconds since 1970. */
    long notBefore;

    PendingAction(RunState during, int procs) {
        this.during = during;
        this.ended = new boolean[procs];
    }

    int procs() {
        return ended.length;
    }

    /** The procs that have not ended. */
    List<Integer> missing() {
        return IntStream.range(0, ended.length)
                .filter(proc -> !ended[proc])
                .boxed()
                .toList();
    }

    /** Notes the end of a proc; returns whether it is news. */
    boolean end(int proc) {
        boolean isNew = proc < ended.length && !ended[proc];
        if (isNew) {
            ended[proc] = true;
        }
        return isNew;
    }
}
