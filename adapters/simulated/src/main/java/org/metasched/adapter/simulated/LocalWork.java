package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.NodePlan;

/**
 * Load of the site's own users: submits their jobs, starts them by the plan and ends them as time passes. Time goes by only in
 * {@link #runUntil}. Not thread-safe.
 */
final class LocalWork {

    private final List<LocalJob> jobs;
    private final WorkloadReplay replay;
    private final NodePlan plan;
    private final LocalQueue queue;
    private final Optional<LocalJobWatch> watch;
    private final PriorityQueue<Running> running = new PriorityQueue<>(Comparator.comparing(Running::end));
    private final TreeSet<Instant> wakeUps = new TreeSet<>();
    /** Whether nodes have become free earlier than planned since the last pass over the queue. */
    private boolean freed;
    /** Number of jobs that are submitted or left out so far. */
    private int submitted;

    private @Nullable Instant nextSubmission;

    private record Running(QueuedJob.Place place, Instant end) {}

    /** @param from first time of submission; earlier jobs are left out */
    LocalWork(SimulatedSite.Local users, WorkloadReplay replay, Instant from, NodePlan plan, LocalQueue queue) {
        this.jobs = users.workload.jobs();
        this.watch = users.watch;
        this.replay = replay;
        this.plan = plan;
        this.queue = queue;
        while (submitted < jobs.size() && submission(submitted).isBefore(from)) {
            submitted++;
        }
        findNextSubmission();
    }

    /**
     * Processes the events up to an instant.
     *
     * @return whether there were any
     */
    boolean runUntil(Instant now) {
        boolean anyEvent = false;
        for (var next = nextEvent(); next != null && !next.isAfter(now); next = nextEvent()) {
            process(next);
            anyEvent = true;
        }
        return anyEvent;
    }

    private Instant submission(int index) {
        return replay.at(jobs.get(index).submitSeconds());
    }

    private void findNextSubmission() {
        nextSubmission = submitted < jobs.size() ? submission(submitted) : null;
    }

    private @Nullable Instant nextEvent() {
        var next = earlier(nextSubmission, queue.nextStart().orElse(null));
        next = earlier(next, running.isEmpty() ? null : running.peek().end());
        return earlier(next, wakeUps.isEmpty() ? null : wakeUps.first());
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.isBefore(one) ? other : one;
    }

    /** Ends jobs, then adds submitted jobs, then makes one pass over the queue. */
    private void process(Instant now) {
        wakeUps.remove(now);
        for (var job = running.peek(); job != null && !job.end().isAfter(now); job = running.peek()) {
            end(running.remove(), now);
        }
        while (nextSubmission != null && !nextSubmission.isAfter(now)) {
            var job = jobs.get(submitted++);
            if (job.nodes() <= plan.nodes().size()) {
                queue.add(new QueuedJob(job, replay));
            }
            findNextSubmission();
        }
        var started = queue.pass(now, freed);
        freed = false;
        started.forEach(this::start);
        plan.forgetBefore(now);
    }

    private void start(QueuedJob job) {
        job.place.ifPresent(place -> {
            var begin = place.slot().start();
            var end = begin.plus(job.run);
            running.add(new Running(place, end));
            watch.ifPresent(w -> w.started(job.job, job.submitted, begin, end));
        });
    }

    private void end(Running job, Instant now) {
        var limit = job.place().slot().end();
        if (now.isBefore(limit)) {
            plan.giveBack(job.place().nodes(), new TimeSlot(now, limit));
            freed = true;
        }
    }

    /** Makes a pass over the queue at an instant, at which a reservation ends. */
    void wakeAt(Instant instant) {
        wakeUps.add(instant);
    }

    /** Plans all jobs again at an instant, after a reservation was given back, or a node broke or was repaired. */
    void replanAt(Instant instant) {
        freed = true;
        wakeUps.add(instant);
    }

    /** Ends the jobs on broken nodes. */
    void kill(BitSet nodes, Instant now) {
        var dead = running.stream()
                .filter(job -> job.place().nodes().intersects(nodes))
                .toList();
        running.removeAll(dead);
        dead.forEach(job -> end(job, now));
    }

    int running() {
        return running.size();
    }

    int waiting() {
        return queue.size();
    }
}
