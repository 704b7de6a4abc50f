package org.metasched.dag.slurm;

import java.util.EnumMap;
import java.util.Map;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunState;

/** Limits of condor_dagman on the scripts and idle jobs of a run, for one pass over what is pending. Not thread-safe. */
final class SubmissionLimits {

    /** By state, the limit; 0 is none. */
    private final Map<RunState, Integer> limits;

    /** By state, the scripts that run, or the procs that are idle. */
    private final Map<RunState, Integer> running = new EnumMap<>(RunState.class);

    /** @param pending actions of the run; a submitted proc is idle until it begins */
    SubmissionLimits(DagmanSettings settings, Map<RunNode, PendingAction> pending, NodeJobs jobs) {
        int idle = settings.number("DAGMAN_MAX_JOBS_IDLE", 0);
        limits = Map.of(
                RunState.PRERUN, settings.number("DAGMAN_MAX_PRE_SCRIPTS", 20),
                RunState.POSTRUN, settings.number("DAGMAN_MAX_POST_SCRIPTS", 20),
                RunState.SUBMITTED, idle);
        pending.forEach((node, action) -> {
            if (action.isUnderWay && action.during != RunState.SUBMITTED) {
                running.merge(action.during, 1, Integer::sum);
            } else if (action.isUnderWay && idle > 0 && isCounted(node, action)) {
                action.missing().stream()
                        .filter(proc -> !jobs.hasBegun(node, proc))
                        .forEach(proc -> running.merge(action.during, 1, Integer::sum));
            }
        });
    }

    /** Whether a limit applies: there is none on the jobs of SUBDAG and NOOP nodes, which Slurm does not get. */
    private static boolean isCounted(RunNode node, PendingAction action) {
        boolean isJob = node.node().kind() != NodeKind.SUBDAG && !node.node().isNoop();
        return isJob || action.during != RunState.SUBMITTED;
    }

    /** Returns whether the action may begin, and counts it then. */
    boolean admit(RunNode node, PendingAction action) {
        int limit = isCounted(node, action) ? limits.getOrDefault(action.during, 0) : 0;
        if (limit > 0 && running.getOrDefault(action.during, 0) >= limit) {
            return false;
        }
        running.merge(action.during, Math.max(1, action.procs()), Integer::sum);
        return true;
    }
}
