package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.NodeProfile;

/**
 * The site's own users: submits their jobs, starts them by the plan and ends them, as time goes by. Time goes by only in
 * {@link #runUntil}. Not thread-safe.
 */
final class LocalWork {

    private final List<LocalJob> jobs;
    private final Replay replay;
    private final NodeProfile plan;
    private final LocalQueue queue;
    private final PriorityQueue<Running> running = new PriorityQueue<>(Comparator.comparing(Running::end));
    private final TreeSet<Instant> wakeUps = new TreeSet<>();
    private int submitted;

    private record Running(QueuedJob.Place place, Instant end) {}

    /** @param from jobs submitted earlier are left out */
    LocalWork(Workload workload, Replay replay, Instant from, NodeProfile plan, LocalQueue queue) {
        this.jobs = workload.jobs();
        this.replay = replay;
        this.plan = plan;
        this.queue = queue;
        while (submitted < jobs.size() && submission(submitted).isBefore(from)) {
            submitted++;
        }
    }

    /** True when anything happened. */
    boolean runUntil(Instant now) {
        boolean happened = false;
        for (var next = nextEvent(); next.isPresent() && !next.get().isAfter(now); next = nextEvent()) {
            happen(next.get());
            happened = true;
        }
        return happened;
    }

    private Instant submission(int index) {
        return replay.at(jobs.get(index).submitSeconds());
    }

    private Optional<Instant> nextEvent() {
        return Stream.of(
                        submitted < jobs.size() ? Optional.of(submission(submitted)) : Optional.<Instant>empty(),
                        Optional.ofNullable(running.peek()).map(Running::end),
                        wakeUps.isEmpty() ? Optional.<Instant>empty() : Optional.of(wakeUps.first()),
                        queue.nextStart())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private void happen(Instant now) {
        boolean ended = wakeUps.remove(now);
        boolean early = false;
        for (var job = running.peek(); job != null && !job.end().isAfter(now); job = running.peek()) {
            early |= end(running.remove(), now);
            ended = true;
        }
        if (ended) {
            queue.ended(now, early);
        }
        while (submitted < jobs.size() && !submission(submitted).isAfter(now)) {
            var job = jobs.get(submitted++);
            if (job.nodes() <= plan.nodes().size()) {
                queue.add(
                        new QueuedJob(
                                job.nodes(), replay.lasting(job.runSeconds()), replay.lasting(job.estimateSeconds())),
                        now);
            }
        }
        for (var job : queue.start(now)) {
            job.place()
                    .ifPresent(place ->
                            running.add(new Running(place, place.slot().start().plus(job.run))));
        }
        plan.forgetBefore(now);
    }

    /** True when it ended before its estimate, so that its nodes are free earlier than planned. */
    private boolean end(Running job, Instant now) {
        var limit = job.place().slot().end();
        if (!now.isBefore(limit)) {
            return false;
        }
        plan.giveBack(job.place().nodes(), new TimeSlot(now, limit));
        return true;
    }

    /** Looks for jobs to start at that instant: a reservation ends then. */
    void wakeAt(Instant instant) {
        wakeUps.add(instant);
    }

    /** Something has been given back, or a node has come or gone. */
    void replan(Instant now) {
        queue.replan(now);
    }

    /** Jobs on broken nodes die. */
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
