package org.metasched.dag.slurm;

import java.util.EnumMap;
import java.util.Map;
import org.metasched.dag.NodeKind;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunState;

/** Limits of condor_dagman on the scripts and idle jobs of a run, for one pass over what is pending. Not thread-safe. */
final class SubmissionLimits {

    private final DagmanSettings settings;
    private final Map<RunState, Integer> running = new EnumMap<>(RunState.class);

    /** @param pending of the run; its procs that have not begun are idle */
    SubmissionLimits(DagmanSettings settings, Map<RunNode, PendingAction> pending, NodeJobs jobs) {
        this.settings = settings;
        boolean isLimited = most(RunState.SUBMITTED) > 0;
        pending.forEach((node, action) -> {
            if (action.isUnderWay && action.during != RunState.SUBMITTED) {
                count(action.during, 1);
            } else if (action.isUnderWay && isLimited && isJob(node)) {
                count(action.during, (int) action.missing().stream()
                        .filter(proc -> !jobs.hasBegun(node, proc))
                        .count());
            }
        });
    }

    private static boolean isJob(RunNode node) {
        return node.node().kind() != NodeKind.SUBDAG && !node.node().isNoop();
    }

    private void count(RunState state, int more) {
        running.merge(state, more, Integer::sum);
    }

    private int most(RunState state) {
        return switch (state) {
            case PRERUN -> settings.number("DAGMAN_MAX_PRE_SCRIPTS", 20);
            case POSTRUN -> settings.number("DAGMAN_MAX_POST_SCRIPTS", 20);
            default -> settings.number("DAGMAN_MAX_JOBS_IDLE", 0);
        };
    }

    /** Counts the action if it may begin. */
    boolean admits(RunNode node, PendingAction action) {
        boolean isCounted = action.during != RunState.SUBMITTED || isJob(node);
        int most = most(action.during);
        if (isCounted && most > 0 && running.getOrDefault(action.during, 0) >= most) {
            return false;
        }
        count(action.during, isCounted ? Math.max(1, action.procs()) : 0);
        return true;
    }
}
