package org.metasched.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.adapter.simulated.SimulatedSite.Backfilling;

/**
 * Backfilling by the letter of its rules, without a plan that is kept: every pass begins from what runs. Slow, and shares no
 * code with the simulated site.
 */
final class RuleModel {

    private final Backfilling policy;
    private final List<LocalJob> waiting = new ArrayList<>();
    private final PriorityQueue<Running> running = new PriorityQueue<>(Comparator.comparingLong(Running::end));
    private final Map<LocalJob, Long> starts = new HashMap<>();
    private int free;

    private record Running(long end, long limit, int nodes) {}

    /** A stretch in which so much is free, until the next one begins. */
    private record Step(long begin, int free) {}

    private RuleModel(int nodes, Backfilling policy) {
        this.policy = policy;
        this.free = nodes;
    }

    /** Start of each job, in seconds. Jobs must differ. */
    static Map<LocalJob, Long> starts(int nodes, Backfilling policy, List<LocalJob> jobs) {
        return new RuleModel(nodes, policy).run(jobs);
    }

    private Map<LocalJob, Long> run(List<LocalJob> jobs) {
        int next = 0;
        while (next < jobs.size() || !running.isEmpty()) {
            long arrival = next < jobs.size() ? jobs.get(next).submitSeconds() : Long.MAX_VALUE;
            long end = running.isEmpty() ? Long.MAX_VALUE : running.peek().end();
            long now = Math.min(arrival, end);
            while (!running.isEmpty() && running.peek().end() <= now) {
                free += running.remove().nodes();
            }
            while (next < jobs.size() && jobs.get(next).submitSeconds() <= now) {
                waiting.add(jobs.get(next++));
            }
            if (policy == Backfilling.EASY) {
                easy(now);
            } else {
                conservative(now);
            }
        }
        return starts;
    }

    private void start(LocalJob job, long now) {
        free -= job.nodes();
        starts.put(job, now);
        running.add(new Running(now + job.runSeconds(), now + job.estimateSeconds(), job.nodes()));
    }

    private void easy(long now) {
        while (!waiting.isEmpty() && waiting.get(0).nodes() <= free) {
            start(waiting.remove(0), now);
        }
        if (waiting.isEmpty()) {
            return;
        }
        var head = waiting.get(0);
        long shadow = now;
        int then = free;
        for (var one : running.stream()
                .sorted(Comparator.comparingLong(Running::limit))
                .toList()) {
            if (then >= head.nodes() && one.limit() > shadow) {
                break;
            }
            then += one.nodes();
            shadow = one.limit();
        }
        int extra = then - head.nodes();
        for (var job : List.copyOf(waiting.subList(1, waiting.size()))) {
            boolean endsBefore = now + job.estimateSeconds() <= shadow;
            if (job.nodes() <= free && (endsBefore || job.nodes() <= extra)) {
                extra -= endsBefore ? 0 : job.nodes();
                waiting.remove(job);
                start(job, now);
            }
        }
    }

    private void conservative(long now) {
        var changes = new ArrayList<Step>();
        for (var one : running) {
            changes.add(new Step(one.limit(), one.nodes()));
        }
        int freeAtFirst = free;
        for (var job : List.copyOf(waiting)) {
            long begin = earliest(job, now, freeAtFirst, changes);
            changes.add(new Step(begin, -job.nodes()));
            changes.add(new Step(begin + job.estimateSeconds(), job.nodes()));
            if (begin == now) {
                waiting.remove(job);
                start(job, now);
            }
        }
    }

    /** @param changes of what is free, each at its begin */
    private long earliest(LocalJob job, long now, int freeAtFirst, List<Step> changes) {
        changes.sort(Comparator.comparingLong(Step::begin));
        long begin = now;
        int left = freeAtFirst;
        int i = 0;
        while (true) {
            for (; i < changes.size() && changes.get(i).begin() <= begin; i++) {
                left += changes.get(i).free();
            }
            int least = left;
            int then = left;
            for (int k = i; k < changes.size() && changes.get(k).begin() < begin + job.estimateSeconds(); ) {
                long at = changes.get(k).begin();
                for (; k < changes.size() && changes.get(k).begin() == at; k++) {
                    then += changes.get(k).free();
                }
                least = Math.min(least, then);
            }
            if (least >= job.nodes()) {
                return begin;
            }
            begin = changes.get(i).begin();
        }
    }
}
